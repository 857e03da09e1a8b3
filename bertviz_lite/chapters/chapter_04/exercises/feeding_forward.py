"""The feed-forward network and its activation."""

import math
from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import gelu, linear
from transformers.models.bert.modeling_bert import BertLayer

from bertviz_lite.chapters.chapter_04.exercises.layer_parts import (
    own_layers,
)
from bertviz_lite.exercises import Case, exercise, normal


def _gelu_cases() -> Iterator[Case]:
    yield Case(torch.tensor([-2.0, -0.5, 0.0, 1.0, 3.0], dtype=torch.float64))
    yield Case(torch.linspace(-4, 4, 21, dtype=torch.float64).reshape(3, 7), label="(3, 7) numbers, -4 to 4")


@exercise(
    cases=_gelu_cases,
    hints=(
        "It is x times the share of a standard normal distribution that lies below x.",
        "That share is (1 + erf(x / √2)) / 2; torch.erf works on tensors.",
    ),
    note="The same numbers as torch.nn.functional.gelu gives.",
)
def exact_gelu(x: Tensor) -> Tensor:
    """GELU in its exact form, for every number of a tensor of any shape.

    Hendrycks and Gimpel, 2016, "Gaussian Error Linear Units".
    """
    return x * (1 + torch.erf(x / math.sqrt(2))) / 2


exact_gelu.mistake(
    "This is the approximation by tanh: close, but not the exact form.", partial(gelu, approximate="tanh")
)
exact_gelu.mistake(
    "This is the approximation x · sigmoid(1.702 x), not the exact form.",
    lambda x: x * torch.sigmoid(1.702 * x),
)
exact_gelu.mistake(
    "This is the share alone, between 0 and 1: multiply it by x.",
    lambda x: (1 + torch.erf(x / math.sqrt(2))) / 2,
)
exact_gelu.mistake("erf is given x itself: divide by √2 first.", lambda x: x * (1 + torch.erf(x)) / 2)
exact_gelu.mistake("It is twice as large: divide by 2.", lambda x: x * (1 + torch.erf(x / math.sqrt(2))))


def _maps(block: BertLayer) -> tuple[Tensor, ...]:
    """Give the weights and biases of a layer's FFN."""
    maps = (block.intermediate.dense, block.output.dense)
    return tuple(
        part.detach().double() for linear_map in maps for part in (linear_map.weight, linear_map.bias)
    )


def _feed_forward_cases() -> Iterator[Case]:
    up = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]], dtype=torch.float64)
    down = torch.tensor([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]], dtype=torch.float64)
    biases = torch.tensor([0.5, 0.0, -1.0], dtype=torch.float64), torch.tensor([0.1, -0.2]).double()
    yield Case(torch.tensor([[1.0, 2.0]], dtype=torch.float64), up, biases[0], down, biases[1])
    yield Case(normal(2, 7, 2), up, biases[0], down, biases[1], label="x of shape (2, 7, 2), the same FFN")
    own = _maps(own_layers()[0])
    x = normal(2, 5, own[0].shape[1])
    yield Case(x, *own, label="x of shape (2, 5, hidden_size), the FFN of the model's layer 0")


@exercise(
    cases=_feed_forward_cases,
    hints=(
        "A linear map keeps its matrix as (numbers out, numbers in): multiply by its transpose, `.T`.",
        "Up, GELU, down. Neither the residual nor LayerNorm belongs to it.",
    ),
    note="Nothing in it looks at another token.",
)
def feed_forward(x: Tensor, up: Tensor, up_bias: Tensor, down: Tensor, down_bias: Tensor) -> Tensor:
    """Run the feed-forward network: (..., hidden_size) -> (..., hidden_size), with exact GELU.

    `up` is (intermediate_size, hidden_size), `down` (hidden_size, intermediate_size).
    """
    return gelu(x @ up.T + up_bias) @ down.T + down_bias


_Act = Callable[[Tensor], Tensor]


def _ffn(x: Tensor, *maps: Tensor, act: _Act = gelu) -> Tensor:
    up, up_bias, down, down_bias = maps
    return linear(act(linear(x, up, up_bias)), down, down_bias)


feed_forward.mistake(
    "There is no activation: two linear maps in a row are one linear map.", partial(_ffn, act=lambda x: x)
)
feed_forward.mistake("The activation is ReLU; BERT's is GELU.", partial(_ffn, act=torch.relu))
feed_forward.mistake(
    "The activation is GELU's approximation by tanh; BERT's is the exact one.",
    partial(_ffn, act=partial(gelu, approximate="tanh")),
)
feed_forward.mistake(
    "GELU is at the end; it belongs between the two maps.",
    lambda *given: gelu(_ffn(*given, act=lambda x: x)),
)
feed_forward.mistake(
    "The residual is added: right for the layer, but the FFN is only what is added to x.",
    lambda x, *maps: x + _ffn(x, *maps),
)
feed_forward.mistake(
    "The first bias is missing.", lambda x, up, b, down, c: _ffn(x, up, torch.zeros_like(b), down, c)
)
feed_forward.mistake(
    "The second bias is missing.", lambda x, up, b, down, c: _ffn(x, up, b, down, torch.zeros_like(c))
)
