"""The shapes that layers give: linear, embedding, layer_norm, softmax, dropout, loss, convolution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.trace.meta_pass.meta_tensors import Rule, empty, like, need


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:  # noqa: ANN401
    """Give every vector `out_features` numbers in place of `in_features`."""
    need(weight.ndim == 2 and x.ndim > 0 and x.shape[-1] == weight.shape[1] and x.dtype == weight.dtype)
    need(bias is None or (bias.shape == weight.shape[:1] and bias.dtype == x.dtype))
    return empty((*x.shape[:-1], weight.shape[0]), x.dtype)


def _max_norm(_padding_idx: Any = None, max_norm: Any = None, *_rest: Any, **_more: Any) -> Any:  # noqa: ANN401
    return max_norm  # the function then writes into the weights


def embedding(
    ids: Tensor,
    weight: Tensor,
    *options: Any,  # noqa: ANN401
    **more: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Give every id a row of the table."""
    need(weight.ndim == 2 and not _max_norm(*options, **more) and ids.dtype in (torch.int64, torch.int32))
    return empty((*ids.shape, weight.shape[1]), weight.dtype)


def layer_norm(
    x: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    _eps: float = 1e-5,
) -> Any:  # noqa: ANN401
    """Keep the shape."""
    shape = tuple(normalized_shape)
    need(tuple(x.shape[-len(shape) :]) == shape)
    for vector in (weight, bias):
        need(vector is None or (tuple(vector.shape) == shape and vector.dtype == x.dtype))
    return empty(x.shape, x.dtype) if x.is_contiguous() else NotImplemented


def softmax(x: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None) -> Any:  # noqa: ANN401
    """Keep the shape, and the dtype unless another is named."""
    if not isinstance(dim, int) or not -x.ndim <= dim < x.ndim or not x.is_contiguous():
        return NotImplemented
    return empty(x.shape, dtype or x.dtype) if x.is_floating_point() else NotImplemented


def dropout(x: Tensor, _p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:  # noqa: ANN401
    """Keep the tensor itself, but in training."""
    if not training or inplace:
        return x
    return like(x) if x.is_contiguous() else NotImplemented


def cross_entropy(
    logits: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    **_more: Any,  # noqa: ANN401 - ignore_index and label_smoothing change no shape
) -> Any:  # noqa: ANN401
    """Return one number, the loss, where it is summed or averaged."""
    plain = weight is None and size_average is None and reduce is None and reduction in ("mean", "sum")
    if not plain or target.dtype != torch.int64 or logits.ndim < 2:
        return NotImplemented
    need((logits.shape[0], *logits.shape[2:]) == tuple(target.shape))
    return empty((), logits.dtype)


def convolution(func: Callable[..., Tensor], dims: int) -> Rule:
    """Return a rule that lets torch convolve a batch of nothing: the shape is right and costs nothing."""

    def rule(x: Tensor, weight: Tensor, bias: Tensor | None = None, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        if x.ndim != dims + 2 or not x.is_contiguous() or x.dtype != weight.dtype:
            return NotImplemented
        nothing = torch.zeros((0, *x.shape[1:]), dtype=x.dtype)
        parameters = [
            None if given is None else torch.zeros(given.shape, dtype=given.dtype) for given in (weight, bias)
        ]
        shape = func(nothing, *parameters, *args, **kwargs).shape
        return empty((x.shape[0], *shape[1:]), x.dtype)

    return rule
