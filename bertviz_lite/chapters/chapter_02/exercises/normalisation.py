"""LayerNorm from its formula."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_02.exercises.model_tables import own_embeddings, rows_of
from bertviz_lite.exercises import Case, exercise


def _layer_norm_cases() -> Iterator[Case]:
    row = torch.tensor([[1.0, 2.0, 4.0, 5.0]], dtype=torch.float64)
    ones, zeros = torch.ones(4, dtype=torch.float64), torch.zeros(4, dtype=torch.float64)
    yield Case(row, ones, zeros, 0.0)
    yield Case(row, torch.tensor([1.0, 2.0, 0.5, 3.0]).double(), zeros, 0.0)
    yield Case(row, ones, torch.tensor([1.0, -1.0, 0.5, 0.0]).double(), 0.0)
    yield Case(row, ones, zeros, 2.0)
    batch = torch.arange(30, dtype=torch.float64).reshape(2, 3, 5).sin() * 3 + 1
    yield Case(batch, torch.arange(1, 6).double(), torch.arange(5).double(), 1e-6)
    own = own_embeddings()
    x = rows_of(own.word_embeddings, slice(5, 12))
    norm = own.LayerNorm
    gain, bias = norm.weight.detach().double(), norm.bias.detach().double()
    yield Case(
        x, gain, bias, norm.eps, label="seven rows of the model's token table, and its own gain and bias"
    )


@exercise(
    cases=_layer_norm_cases,
    hints=(
        "Mean and variance run along the last axis, one of each for a row; keepdim=True keeps that axis.",
        "The variance is the mean of the squared distances from the mean: divide by n, not by n - 1.",
        "eps is added to the variance, under the root; gain and bias come last.",
    ),
    note="The same numbers as torch.nn.LayerNorm gives.",
)
def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
    """Give every row mean 0 and variance 1, then multiply by gain and add bias: the shape stays the same.

    Ba, Kiros and Hinton, 2016, "Layer Normalization", with eps added to the variance.
    """
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return gain * (x - mean) / (variance + eps).sqrt() + bias


def _variance(x: Tensor, dim: int | tuple[int, ...] = -1, correction: int = 0) -> Tensor:
    return x.var(dim=dim, keepdim=True, correction=correction)


def _centred(x: Tensor) -> Tensor:
    return x - x.mean(dim=-1, keepdim=True)


layer_norm.mistake(
    "The variance divides by n - 1, as Tensor.var() and .std() do by default; LayerNorm divides by n.",
    lambda x, gain, bias, eps: gain * _centred(x) / (_variance(x, correction=1) + eps).sqrt() + bias,
)
layer_norm.mistake(
    "eps is outside the root; LayerNorm adds it to the variance, under the root.",
    lambda x, gain, bias, eps: gain * _centred(x) / (_variance(x).sqrt() + eps) + bias,
)
layer_norm.mistake(
    "eps is not used: a row whose entries are all the same would divide zero by zero.",
    lambda x, gain, bias, eps: gain * _centred(x) / _variance(x).sqrt() + bias,
)
layer_norm.mistake(
    "gain is not used.", lambda x, gain, bias, eps: _centred(x) / (_variance(x) + eps).sqrt() + bias
)
layer_norm.mistake(
    "bias is not used.", lambda x, gain, bias, eps: gain * _centred(x) / (_variance(x) + eps).sqrt()
)
layer_norm.mistake(
    "gain multiplies the bias too: multiply first, then add.",
    lambda x, gain, bias, eps: gain * (_centred(x) / (_variance(x) + eps).sqrt() + bias),
)
layer_norm.mistake(
    "Mean and variance run along the wrong axis: across the tokens. Each token is normalised by itself.",
    lambda x, gain, bias, eps: gain * (x - x.mean(-2, keepdim=True)) / (_variance(x, -2) + eps).sqrt() + bias,
)
layer_norm.mistake(
    "Mean and variance are those of the whole tensor; each row has its own.",
    lambda x, gain, bias, eps: gain * (x - x.mean()) / (x.var(correction=0) + eps).sqrt() + bias,
)
layer_norm.mistake(
    "The root is missing: divide by the square root of the variance.",
    lambda x, gain, bias, eps: gain * _centred(x) / (_variance(x) + eps) + bias,
)
layer_norm.mistake(
    "The mean is not subtracted (that would be RMSNorm).",
    lambda x, gain, bias, eps: gain * x / ((x**2).mean(-1, keepdim=True) + eps).sqrt() + bias,
)
layer_norm.mistake(
    "The mean has lost its axis: with keepdim=True it lines up with the rows again.",
    lambda x, gain, bias, eps: gain * (x - x.mean(-1)) / (x.var(-1, correction=0) + eps).sqrt() + bias,
)
