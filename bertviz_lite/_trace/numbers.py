"""What is in a tensor, in four numbers."""

from __future__ import annotations

from functools import cache
from math import isfinite, sqrt
from typing import Any

import numpy as np
import torch
from torch import Tensor

from bertviz_lite._trace.steps import Numbers

_PIECE = 1 << 16


@cache
def _some_ones(dtype: Any) -> Any:  # noqa: ANN401 - a dtype of numpy, an array
    return np.ones(_PIECE, dtype)


def numbers_of(tensor: Tensor) -> Numbers | None:
    """Return the four numbers of a tensor; None for an empty one and for complex numbers."""
    if tensor.numel() == 0 or tensor.is_complex():
        return None
    if tensor.dtype not in (torch.float32, torch.float64):
        tensor = tensor.float()
    # numpy works in one thread: for tensors as small as these, torch spends more on waking its others.
    flat = tensor.detach().reshape(-1).cpu().numpy()
    with np.errstate(all="ignore"):
        # Sums as products with ones and with itself: the quickest there is, and exact enough unless the mean
        # is far from 0.
        ones = _some_ones(flat.dtype)
        pieces = (flat[start : start + _PIECE] for start in range(0, flat.size, _PIECE))
        mean = sum(float(np.dot(piece, ones[: piece.size])) for piece in pieces) / flat.size
        variance = float(np.dot(flat, flat)) / flat.size - mean * mean
        if not isfinite(variance) or variance < 1e-2 * mean * mean:
            mean, variance = float(flat.mean(dtype=np.float64)), float(flat.var(dtype=np.float64))
    return Numbers(float(flat.min()), mean, float(flat.max()), sqrt(variance))
