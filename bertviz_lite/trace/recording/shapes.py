"""The shapes that torch's functions give, for the functions that models are made of.

A rule takes the arguments of its function and returns an empty tensor on the meta device, or NotImplemented
where torch itself should say; it raises `NotHollowError` where something does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - as everywhere


class NotHollowError(Exception):
    """The shapes alone do not tell how it goes on."""


Rule = Callable[..., Any]

_META = torch.device("meta")


def like(one: Tensor, dtype: torch.dtype | None = None) -> Tensor:
    """Return a tensor of the same shape and strides without numbers."""
    return torch.empty_strided(one.size(), one.stride(), dtype=dtype or one.dtype, device=_META)


def _empty(shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    return torch.empty(shape, dtype=dtype, device=_META)


def _need(condition: bool) -> None:
    if not condition:
        raise NotHollowError("shapes or dtypes that do not fit")


def _broadcast(*shapes: Sequence[int]) -> tuple[int, ...]:
    longest = max(map(len, shapes))
    result = [1] * longest
    for shape in shapes:
        for place, size in enumerate(shape, longest - len(shape)):
            if size != 1:
                _need(result[place] in (1, size))
                result[place] = size
    return tuple(result)


def _linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:  # noqa: ANN401
    _need(weight.ndim == 2 and x.ndim > 0 and x.shape[-1] == weight.shape[1] and x.dtype == weight.dtype)
    _need(bias is None or (bias.shape == weight.shape[:1] and bias.dtype == x.dtype))
    return _empty((*x.shape[:-1], weight.shape[0]), x.dtype)


def _max_norm(_padding_idx: Any = None, max_norm: Any = None, *_rest: Any, **_more: Any) -> Any:  # noqa: ANN401
    return max_norm  # the function then writes into the weights


def _embedding(
    ids: Tensor,
    weight: Tensor,
    *options: Any,  # noqa: ANN401
    **more: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    _need(weight.ndim == 2 and not _max_norm(*options, **more) and ids.dtype in (torch.int64, torch.int32))
    return _empty((*ids.shape, weight.shape[1]), weight.dtype)


def _layer_norm(
    x: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    _eps: float = 1e-5,
) -> Any:  # noqa: ANN401
    shape = tuple(normalized_shape)
    _need(tuple(x.shape[-len(shape) :]) == shape)
    for one in (weight, bias):
        _need(one is None or (tuple(one.shape) == shape and one.dtype == x.dtype))
    return _empty(x.shape, x.dtype) if x.is_contiguous() else NotImplemented


def _softmax(
    x: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Any:  # noqa: ANN401
    if not isinstance(dim, int) or not -x.ndim <= dim < x.ndim or not x.is_contiguous():
        return NotImplemented
    return _empty(x.shape, dtype or x.dtype) if x.is_floating_point() else NotImplemented


def _dropout(x: Tensor, _p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:  # noqa: ANN401
    if not training or inplace:
        return x
    return like(x) if x.is_contiguous() else NotImplemented


def _matmul(a: Tensor, b: Tensor) -> Any:  # noqa: ANN401
    if a.ndim < 2 or b.ndim < 2:
        return NotImplemented
    _need(a.shape[-1] == b.shape[-2] and a.dtype == b.dtype)
    return _empty((*_broadcast(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]), a.dtype)


def _bmm(a: Tensor, b: Tensor) -> Any:  # noqa: ANN401
    _need(a.ndim == b.ndim == 3 and a.shape[0] == b.shape[0])
    return _matmul(a, b)


def _addmm(bias: Tensor, a: Tensor, b: Tensor, **_factors: float) -> Any:  # noqa: ANN401
    _need(a.ndim == b.ndim == 2)
    product = _matmul(a, b)
    _need(_broadcast(bias.shape, product.shape) == tuple(product.shape) and bias.dtype == product.dtype)
    return product


def _binary(a: Any, b: Any, **options: Any) -> Any:  # noqa: ANN401
    """Of two tensors of one floating dtype, or of one and a number; the rest is left to torch."""
    tensors = [one for one in (a, b) if isinstance(one, Tensor)]
    if len(tensors) < 2 and not all(isinstance(one, Tensor | int | float) for one in (a, b)):
        return NotImplemented
    dtype = tensors[0].dtype
    if not dtype.is_floating_point or any(one.dtype != dtype for one in tensors) or set(options) - {"alpha"}:
        return NotImplemented
    shape = _broadcast(*(one.shape for one in tensors))
    # The strides are those of an operand of that shape; only the plain case is taken.
    if not any(one.shape == shape for one in tensors):
        return NotImplemented
    if not all(one.is_contiguous() for one in tensors if one.shape == shape):
        return NotImplemented
    return _empty(shape, dtype)


def _unary(x: Tensor, **options: Any) -> Any:  # noqa: ANN401
    if not x.dtype.is_floating_point or not x.is_contiguous() or options.get("inplace"):
        return NotImplemented
    return _empty(x.shape, x.dtype)


def _pow(x: Any, exponent: Any) -> Any:  # noqa: ANN401
    return _binary(x, exponent) if isinstance(x, Tensor) else NotImplemented


def _contiguous(x: Tensor, **options: Any) -> Any:  # noqa: ANN401
    if options:
        return NotImplemented
    return x if x.is_contiguous() else _empty(x.shape, x.dtype)


def _reshape(x: Tensor, *shape: Any) -> Any:  # noqa: ANN401
    sizes = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
    _need(all(isinstance(size, int) for size in sizes) and sizes.count(-1) < 2)
    if -1 in sizes:
        rest = prod(size for size in sizes if size != -1)
        _need(rest > 0 and x.numel() % rest == 0)
        sizes[sizes.index(-1)] = x.numel() // rest
    _need(prod(sizes) == x.numel())
    try:
        return like(x).view(sizes)
    except RuntimeError:
        return _empty(sizes, x.dtype)


def _flatten(x: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:  # noqa: ANN401
    start, end = (dim + x.ndim if dim < 0 else dim for dim in (start_dim, end_dim))
    _need(0 <= start <= end < x.ndim)
    return _reshape(x, (*x.shape[:start], prod(x.shape[start : end + 1]), *x.shape[end + 1 :]))


def _to(x: Tensor, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
    dtype = kwargs.pop("dtype", None)
    _need(not set(kwargs) - {"device", "non_blocking"})
    for one in args:
        if isinstance(one, Tensor):
            dtype = one.dtype
        elif isinstance(one, torch.dtype):
            dtype = one
        else:
            _need(one is None or isinstance(one, str | torch.device | bool))
    return x if dtype in (None, x.dtype) else like(x, dtype)


def _as(dtype: torch.dtype) -> Rule:
    return lambda x: x if x.dtype == dtype else like(x, dtype)


def _cross_entropy(
    logits: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    _ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    _label_smoothing: float = 0.0,
) -> Any:  # noqa: ANN401
    plain = weight is None and size_average is None and reduce is None and reduction in ("mean", "sum")
    if not plain or target.dtype != torch.int64 or logits.ndim < 2:
        return NotImplemented
    _need((logits.shape[0], *logits.shape[2:]) == tuple(target.shape))
    return _empty((), logits.dtype)


def _convolution(func: Callable[..., Tensor], dims: int) -> Rule:
    """Return a rule that lets torch convolve a batch of nothing: the shape is right and costs nothing."""

    def rule(x: Tensor, weight: Tensor, bias: Tensor | None = None, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        if x.ndim != dims + 2 or not x.is_contiguous() or x.dtype != weight.dtype:
            return NotImplemented
        nothing = torch.zeros((0, *x.shape[1:]), dtype=x.dtype)
        empty = [None if one is None else torch.zeros(one.shape, dtype=one.dtype) for one in (weight, bias)]
        shape = func(nothing, *empty, *args, **kwargs).shape
        return _empty((x.shape[0], *shape[1:]), x.dtype)

    return rule


def _named(rule: Rule, names: dict[str, str]) -> Rule:
    """Return a rule that is called with torch's names for its arguments."""
    return lambda *args, **kwargs: rule(*args, **{names.get(key, key): one for key, one in kwargs.items()})


def _rules() -> dict[Any, Rule]:
    softmax = _named(_softmax, {"input": "x"})
    rules: dict[Any, Rule] = {
        F.linear: _named(_linear, {"input": "x"}),
        F.embedding: _named(_embedding, {"input": "ids"}),
        F.layer_norm: _named(_layer_norm, {"input": "x", "eps": "_eps"}),
        F.softmax: softmax,
        F.log_softmax: softmax,
        torch.softmax: lambda x, dim=None, dtype=None: _softmax(x, dim, dtype=dtype),
        Tensor.softmax: lambda x, dim=None, dtype=None: _softmax(x, dim, dtype=dtype),
        F.dropout: _named(_dropout, {"input": "x", "p": "_p"}),
        torch.addmm: _addmm,
        F.cross_entropy: _named(
            _cross_entropy,
            {"input": "logits", "ignore_index": "_ignore_index", "label_smoothing": "_label_smoothing"},
        ),
        Tensor.to: _to,
        Tensor.float: _as(torch.float32),
        Tensor.double: _as(torch.float64),
        Tensor.half: _as(torch.float16),
        Tensor.bfloat16: _as(torch.bfloat16),
        Tensor.type: lambda x, dtype: _as(dtype)(x) if isinstance(dtype, torch.dtype) else NotImplemented,
        Tensor.type_as: lambda x, other: _as(other.dtype)(x),
        Tensor.contiguous: _contiguous,
        Tensor.__matmul__: _matmul,
        F.gelu: lambda x, **_options: _unary(x),
    }
    for name, rule in (
        *(("matmul", _matmul), ("bmm", _bmm), ("reshape", _reshape), ("flatten", _flatten), ("pow", _pow)),
        *((name, _binary) for name in ("add", "sub", "mul", "div", "true_divide")),
        *(
            (name, _unary)
            for name in ("tanh", "sigmoid", "relu", "exp", "erf", "neg", "sqrt", "rsqrt", "abs")
        ),
    ):
        rules |= dict.fromkeys((getattr(torch, name), getattr(Tensor, name)), rule)
    for name in ("__add__", "__radd__", "__sub__", "__mul__", "__rmul__", "__truediv__"):
        rules[getattr(Tensor, name)] = _binary
    rules |= {func: _named(_unary, {"input": "x"}) for func in (F.relu, F.silu, F.tanh, F.sigmoid)}
    convolutions: list[tuple[Any, int]] = [(F.conv1d, 1), (F.conv2d, 2), (F.conv3d, 3)]
    rules |= {func: _named(_convolution(func, dims), {"input": "x"}) for func, dims in convolutions}
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
