"""The shapes that reshaping and casting give: reshape, flatten, contiguous, to, float."""

from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.trace.meta_pass.meta_tensors import Rule, empty, like, need


def contiguous(x: Tensor, **options: Any) -> Any:  # noqa: ANN401
    """Keep the shape; the strides become plain."""
    if options:
        return NotImplemented
    return x if x.is_contiguous() else empty(x.shape, x.dtype)


def reshape(x: Tensor, *shape: Any) -> Any:  # noqa: ANN401
    """Put the same numbers into another shape."""
    sizes = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
    need(all(isinstance(size, int) for size in sizes) and sizes.count(-1) < 2)
    if -1 in sizes:
        known = prod(size for size in sizes if size != -1)
        need(known > 0 and x.numel() % known == 0)
        sizes[sizes.index(-1)] = x.numel() // known
    need(prod(sizes) == x.numel())
    try:
        return like(x).view(sizes)
    except RuntimeError:
        return empty(sizes, x.dtype)


def flatten(x: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:  # noqa: ANN401
    """Join neighbouring axes into one."""
    start, end = (dim + x.ndim if dim < 0 else dim for dim in (start_dim, end_dim))
    need(0 <= start <= end < x.ndim)
    return reshape(x, (*x.shape[:start], prod(x.shape[start : end + 1]), *x.shape[end + 1 :]))


def to(x: Tensor, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
    """Keep the shape, and take the dtype that is named."""
    dtype = kwargs.pop("dtype", None)
    need(not set(kwargs) - {"device", "non_blocking"})
    for argument in args:
        if isinstance(argument, Tensor):
            dtype = argument.dtype
        elif isinstance(argument, torch.dtype):
            dtype = argument
        else:
            need(argument is None or isinstance(argument, str | torch.device | bool))
    return x if dtype in (None, x.dtype) else like(x, dtype)


def cast_to(dtype: torch.dtype) -> Rule:
    """Return the rule of a cast to one dtype."""
    return lambda x: x if x.dtype == dtype else like(x, dtype)
