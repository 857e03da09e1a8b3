"""The shapes that arithmetic gives: products of matrices, sums, functions of each number by itself."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from bertviz_lite.trace.meta_pass.meta_tensors import broadcast, empty, need


def matmul(a: Tensor, b: Tensor) -> Any:  # noqa: ANN401
    """Sum the last axis of `a` and the last but one of `b` away."""
    if a.ndim < 2 or b.ndim < 2:
        return NotImplemented
    need(a.shape[-1] == b.shape[-2] and a.dtype == b.dtype)
    return empty((*broadcast(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]), a.dtype)


def bmm(a: Tensor, b: Tensor) -> Any:  # noqa: ANN401
    """Multiply two batches of matrices."""
    need(a.ndim == b.ndim == 3 and a.shape[0] == b.shape[0])
    return matmul(a, b)


def addmm(bias: Tensor, a: Tensor, b: Tensor, **_factors: float) -> Any:  # noqa: ANN401
    """Multiply two matrices, and add a bias."""
    need(a.ndim == b.ndim == 2)
    product = matmul(a, b)
    need(broadcast(bias.shape, product.shape) == tuple(product.shape) and bias.dtype == product.dtype)
    return product


def binary(a: Any, b: Any, **options: Any) -> Any:  # noqa: ANN401
    """Two tensors of one floating dtype, or a tensor and a number; other cases are left to torch."""
    tensors = [operand for operand in (a, b) if isinstance(operand, Tensor)]
    if len(tensors) < 2 and not all(isinstance(operand, Tensor | int | float) for operand in (a, b)):
        return NotImplemented
    dtype = tensors[0].dtype
    if (
        not dtype.is_floating_point
        or any(tensor.dtype != dtype for tensor in tensors)
        or set(options) - {"alpha"}
    ):
        return NotImplemented
    shape = broadcast(*(tensor.shape for tensor in tensors))
    # The strides are those of an operand of that shape; only the plain case is taken.
    if not any(tensor.shape == shape for tensor in tensors):
        return NotImplemented
    if not all(tensor.is_contiguous() for tensor in tensors if tensor.shape == shape):
        return NotImplemented
    return empty(shape, dtype)


def unary(x: Tensor, **options: Any) -> Any:  # noqa: ANN401
    """Keep the shape: every number is changed by itself."""
    if not x.dtype.is_floating_point or not x.is_contiguous() or options.get("inplace"):
        return NotImplemented
    return empty(x.shape, x.dtype)


def power(x: Any, exponent: Any) -> Any:  # noqa: ANN401
    """Raise a tensor to a power."""
    return binary(x, exponent) if isinstance(x, Tensor) else NotImplemented
