"""A layer with LayerNorm before each part, as later models have it."""

from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import gelu, layer_norm

from bertviz_lite.chapters.chapter_04.exercises.layer_parts import Part, own_layers, run_attention, run_ffn
from bertviz_lite.exercises import Case, exercise, normal


def _pre_norm_cases() -> Iterator[Case]:
    mix = torch.tensor([[0.0, 1.0, 0.5], [1.0, 0.0, -1.0], [0.5, 2.0, 1.0]], dtype=torch.float64)
    x = torch.tensor([[1.0, 2.0, 4.0], [0.0, 1.0, 5.0]], dtype=torch.float64)
    norms = [
        partial(layer_norm, normalized_shape=(3,), weight=torch.tensor(gain).double())
        for gain in ([1.0, 2.0, 3.0], [0.5, 1.0, -1.0])
    ]
    seen = "x = [[1, 2, 4], [0, 1, 5]], two small functions, two LayerNorms with gains of their own"
    yield Case(x, lambda y: y.flip(0) @ mix, lambda y: gelu(y) @ mix.T, *norms, label=seen)
    block = own_layers()[0]
    own = block.attention.output.LayerNorm, block.output.LayerNorm
    x = normal(2, 5, own[0].normalized_shape[0]).float()
    attention, ffn = partial(run_attention, block, bias=torch.zeros(())), partial(run_ffn, block)
    yield Case(x, attention, ffn, *own, label="the parts of the model's layer 0")


@exercise(
    cases=_pre_norm_cases,
    hints=(
        "What attention reads is normalised; what its result is added to is not.",
        "In both halves: x = x + part(norm(x)).",
    ),
    note="Nothing but sums is between the first x and the last: that is why deep models are built so.",
)
def pre_norm_layer(
    x: Tensor, attention: Part, feed_forward: Part, first_norm: Part, second_norm: Part
) -> Tensor:
    """Run a layer with LayerNorm *before* each part, as GPT-2 and most later models have it.

    The four are functions: each takes a tensor and gives one of the same shape. The residuals are added to
    what has not been normalised.
    """
    x = x + attention(first_norm(x))
    return x + feed_forward(second_norm(x))


def _before_parts(x: Tensor, attention: Part, feed: Part, first: Part, second: Part) -> Tensor:
    x = x + attention(first(x))
    return x + feed(second(x))


def _two_halves(half: Callable[[Tensor, Part, Part], Tensor]) -> Callable[..., Tensor]:
    """Make a layer of two halves, each from what it reads, its part and its LayerNorm."""

    def layer(x: Tensor, attention: Part, feed: Part, first: Part, second: Part) -> Tensor:
        return half(half(x, attention, first), feed, second)

    return layer


pre_norm_layer.mistake(
    "This is BERT's own order: each LayerNorm is after its residual.",
    _two_halves(lambda x, part, norm: norm(x + part(x))),
)
pre_norm_layer.mistake(
    "The residuals carry the normalised vectors: add to x as it was before LayerNorm.",
    _two_halves(lambda x, part, norm: norm(x) + part(norm(x))),
)
pre_norm_layer.mistake(
    "LayerNorm is applied to what each part gives; it belongs on what the part reads.",
    _two_halves(lambda x, part, norm: x + norm(part(x))),
)
pre_norm_layer.mistake("The residuals are missing.", _two_halves(lambda x, part, norm: part(norm(x))))
pre_norm_layer.mistake(
    "Both parts read the first x: the FFN should read the sum that attention has added to.",
    lambda x, attention, feed, first, second: x + attention(first(x)) + feed(second(x)),
)
pre_norm_layer.mistake(
    "The FFN reads the sum as it is; give it the second LayerNorm of it.",
    lambda x, attention, feed, first, _: _before_parts(x, attention, feed, first, lambda y: y),
)


@pre_norm_layer.mistake("One LayerNorm is used for both parts; the second part has its own.")
def _one_norm(x: Tensor, attention: Part, feed: Part, first: Part, _: Part) -> Tensor:
    return _before_parts(x, attention, feed, first, first)
