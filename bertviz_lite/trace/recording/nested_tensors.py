"""The tensors in nested lists, tuples and dicts, and the range of those that hold ids."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def tensors_in(given: Any) -> list[Tensor]:  # noqa: ANN401
    """Return the tensors in nested lists, tuples and dicts, each once, in order."""
    tensors: list[Tensor] = []
    collect(given if isinstance(given, list | tuple) else (given,), tensors)
    return list({id(tensor): tensor for tensor in tensors}.values())


def collect(given: Any, tensors: list[Tensor]) -> None:  # noqa: ANN401
    """Append the tensors in nested lists, tuples, dicts and slices to `tensors`, in order."""
    for part in given if isinstance(given, list | tuple) else (given,):
        if isinstance(part, Tensor):
            tensors.append(part)
        elif isinstance(part, list | tuple):
            collect(part, tensors)
        elif isinstance(part, dict):
            collect(list(part.values()), tensors)
        elif isinstance(part, slice):
            collect((part.start, part.stop, part.step), tensors)


def holds_ids(tensor: Tensor) -> bool:
    """Return whether a tensor holds whole numbers that can be read, as ids are."""
    return tensor.dtype in (torch.int64, torch.int32) and tensor.numel() > 0 and not tensor.is_meta


def range_of(ids: Tensor) -> tuple[int, int]:
    """Return the lowest and the highest id."""
    low, high = torch.aminmax(ids)
    return int(low), int(high)
