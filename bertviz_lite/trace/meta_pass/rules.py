"""Which rule gives the shape of which function of torch, and which ids have to lie in a range.

A rule takes the arguments of its function and returns an empty tensor on the meta device, or NotImplemented
where torch itself should say; it raises `NeedsNumbersError` where something does not fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - as everywhere

from bertviz_lite.trace.meta_pass.arithmetic_rules import addmm, binary, bmm, matmul, power, unary
from bertviz_lite.trace.meta_pass.layer_rules import (
    convolution,
    cross_entropy,
    dropout,
    embedding,
    layer_norm,
    linear,
    softmax,
)
from bertviz_lite.trace.meta_pass.meta_tensors import Rule
from bertviz_lite.trace.meta_pass.reshape_rules import cast_to, contiguous, flatten, reshape, to


def _named(rule: Rule, names: dict[str, str]) -> Rule:
    """Return a rule that is called with torch's names for its arguments."""
    return lambda *args, **kwargs: rule(
        *args, **{names.get(key, key): value for key, value in kwargs.items()}
    )


def _rules() -> dict[Any, Rule]:
    of_inputs = _named(softmax, {"input": "x"})
    rules: dict[Any, Rule] = {
        F.linear: _named(linear, {"input": "x"}),
        F.embedding: _named(embedding, {"input": "ids"}),
        F.layer_norm: _named(layer_norm, {"input": "x", "eps": "_eps"}),
        F.softmax: of_inputs,
        F.log_softmax: of_inputs,
        torch.softmax: lambda x, dim=None, dtype=None: softmax(x, dim, dtype=dtype),
        Tensor.softmax: lambda x, dim=None, dtype=None: softmax(x, dim, dtype=dtype),
        F.dropout: _named(dropout, {"input": "x", "p": "_p"}),
        torch.addmm: addmm,
        F.cross_entropy: _named(cross_entropy, {"input": "logits"}),
        Tensor.to: to,
        Tensor.float: cast_to(torch.float32),
        Tensor.double: cast_to(torch.float64),
        Tensor.half: cast_to(torch.float16),
        Tensor.bfloat16: cast_to(torch.bfloat16),
        Tensor.type: lambda x, dtype: cast_to(dtype)(x) if isinstance(dtype, torch.dtype) else NotImplemented,
        Tensor.type_as: lambda x, other: cast_to(other.dtype)(x),
        Tensor.contiguous: contiguous,
        Tensor.__matmul__: matmul,
        F.gelu: lambda x, **_options: unary(x),
    }
    for name, rule in (
        *(("matmul", matmul), ("bmm", bmm), ("reshape", reshape), ("flatten", flatten), ("pow", power)),
        *((name, binary) for name in ("add", "sub", "mul", "div", "true_divide")),
        *((name, unary) for name in ("tanh", "sigmoid", "relu", "exp", "erf", "neg", "sqrt", "rsqrt", "abs")),
    ):
        rules |= dict.fromkeys((getattr(torch, name), getattr(Tensor, name)), rule)
    for name in ("__add__", "__radd__", "__sub__", "__mul__", "__rmul__", "__truediv__"):
        rules[getattr(Tensor, name)] = binary
    rules |= {func: _named(unary, {"input": "x"}) for func in (F.relu, F.silu, F.tanh, F.sigmoid)}
    convolutions: list[tuple[Any, int]] = [(F.conv1d, 1), (F.conv2d, 2), (F.conv3d, 3)]
    rules |= {func: _named(convolution(func, dims), {"input": "x"}) for func, dims in convolutions}
    return rules


RULES = _rules()


def _rows(input: Tensor, weight: Tensor, *_rest: Any, **_more: Any) -> tuple[Tensor, int]:  # noqa: A002, ANN401
    return input, weight.shape[0]


def _classes(
    input: Tensor,  # noqa: A002
    target: Tensor,
    *_rest: Any,  # noqa: ANN401
    ignore_index: int = -100,
    **_more: Any,  # noqa: ANN401
) -> tuple[Tensor, int, int]:
    return (target if not target.is_floating_point() else target[:0]), input.shape[1], ignore_index


# Which ids have to lie in 0 … size - 1: (ids, size), or (ids, size, the id that is allowed as well).
RANGES: dict[Any, Callable[..., tuple[Any, ...]]] = {F.embedding: _rows, F.cross_entropy: _classes}
