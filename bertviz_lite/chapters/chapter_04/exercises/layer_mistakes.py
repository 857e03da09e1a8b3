"""What goes wrong in a layer of BERT: one function for each mistake."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import torch
from torch import Tensor
from torch.nn.functional import gelu, layer_norm
from transformers.models.bert.modeling_bert import BertLayer

from bertviz_lite.chapters.chapter_04.exercises.layer_parts import layer_norms, run_attention, run_ffn

__all__ = ["LAYER_MISTAKES", "Step"]

Step: TypeAlias = Callable[[BertLayer, Tensor, Tensor], Tensor]


def _with(attend: Step = run_attention, feed: Callable[[BertLayer, Tensor], Tensor] = run_ffn) -> Step:
    """Make BERT's own layer from one part that is wrong."""

    def step(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
        first, second = layer_norms(block)
        x = first(x + attend(block, x, bias))
        return second(x + feed(block, x))

    return step


def _without_residual(block: BertLayer, x: Tensor, bias: Tensor, *, attention: bool, feed: bool) -> Tensor:
    first, second = layer_norms(block)
    x = first(attention * x + run_attention(block, x, bias))
    return second(feed * x + run_ffn(block, x))


def _one_norm_missing(block: BertLayer, x: Tensor, bias: Tensor, *, first: bool) -> Tensor:
    norms = layer_norms(block)
    x = x + run_attention(block, x, bias)
    x = x if first else norms[0](x)
    x = x + run_ffn(block, x)
    return norms[1](x) if first else x


def _before(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
    first, second = layer_norms(block)
    x = x + run_attention(block, first(x), bias)
    return x + run_ffn(block, second(x))


def _old_residual(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
    first, second = layer_norms(block)
    return second(x + run_ffn(block, first(x + run_attention(block, x, bias))))


def _norms_exchanged(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
    first, second = layer_norms(block)
    x = second(x + run_attention(block, x, bias))
    return first(x + run_ffn(block, x))


def _new_norms(block: BertLayer, x: Tensor, bias: Tensor) -> Tensor:
    norm = partial(layer_norm, normalized_shape=x.shape[-1:], eps=block.output.LayerNorm.eps)
    x = norm(x + run_attention(block, x, bias))
    return norm(x + run_ffn(block, x))


LAYER_MISTAKES: tuple[tuple[str, Step], ...] = (
    ("The residual around attention is missing.", partial(_without_residual, attention=False, feed=True)),
    ("The residual around the FFN is missing.", partial(_without_residual, attention=True, feed=False)),
    ("The LayerNorm after attention is missing.", partial(_one_norm_missing, first=True)),
    ("The LayerNorm after the FFN is missing.", partial(_one_norm_missing, first=False)),
    ("LayerNorm is before attention and FFN; BERT has it after each residual.", _before),
    ("The second residual adds the layer's input; it adds what the FFN has read.", _old_residual),
    ("The two LayerNorms have changed places.", _norms_exchanged),
    ("The LayerNorms are new: gain 1 and bias 0. Take those of the layer.", _new_norms),
    ("The activation is ReLU; BERT's is GELU.", _with(feed=partial(run_ffn, act=torch.relu))),
    (
        "The activation is GELU's approximation by tanh; BERT's is the exact one.",
        _with(feed=partial(run_ffn, act=partial(gelu, approximate="tanh"))),
    ),
    (
        "The scores are not divided by the square root of head_size.",
        _with(partial(run_attention, scale=lambda *_: 1.0)),
    ),
    (
        "The scores are divided by the root of hidden_size; it is that of head_size.",
        _with(partial(run_attention, scale=lambda _, size: size**-0.5)),
    ),
    (
        "`padding` is not added to the scores.",
        _with(partial(run_attention, weigh=lambda scores, _: scores.softmax(dim=-1))),
    ),
    (
        "Heads and tokens are mixed up: split the last axis, then let the two axes change places.",
        _with(partial(run_attention, order="mixed")),
    ),
    (
        "The heads are joined in a wrong order: let their axis and that of the tokens change back first.",
        _with(partial(run_attention, order="torn")),
    ),
    (
        "The softmax runs along the queries; the weights of one query add up to 1.",
        _with(partial(run_attention, weigh=lambda scores, bias: (scores + bias).softmax(dim=-2))),
    ),
    (
        "The linear map after the heads is missing (block.attention.output.dense).",
        _with(partial(run_attention, output=False)),
    ),
)
