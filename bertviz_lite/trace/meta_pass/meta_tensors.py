"""Tensors with a shape, strides and a dtype, but no numbers: how rules make them, and when they refuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor


class NeedsNumbersError(Exception):
    """The shapes alone do not determine how the pass goes on."""


Rule = Callable[..., Any]

META = torch.device("meta")


def like(tensor: Tensor, dtype: torch.dtype | None = None) -> Tensor:
    """Return a tensor of the same shape and strides without numbers."""
    return torch.empty_strided(tensor.size(), tensor.stride(), dtype=dtype or tensor.dtype, device=META)


def empty(shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """Return a contiguous tensor without numbers."""
    return torch.empty(shape, dtype=dtype, device=META)


def need(condition: bool) -> None:
    """Refuse a call whose result the shapes alone do not determine."""
    if not condition:
        raise NeedsNumbersError("shapes or dtypes that do not fit")


def broadcast(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of what is computed number by number from tensors of these shapes."""
    longest = max(map(len, shapes))
    result = [1] * longest
    for shape in shapes:
        for place, size in enumerate(shape, longest - len(shape)):
            if size != 1:
                need(result[place] in (1, size))
                result[place] = size
    return tuple(result)
