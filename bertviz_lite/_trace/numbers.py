"""What is in a tensor, in four numbers."""

from __future__ import annotations

from functools import cache
from math import inf, isfinite, sqrt
from typing import Any

import numpy as np
import torch
from torch import Tensor

from bertviz_lite._trace.steps import Numbers

_PIECE = 1 << 15  # as many numbers as stay near the processor while four things are asked of them


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
        lowest, total, highest, squares = _sums(flat)
        mean = total / flat.size
        variance = squares / flat.size - mean * mean
        if not isfinite(variance) or variance < 1e-2 * mean * mean:
            mean, variance = float(flat.mean(dtype=np.float64)), float(flat.var(dtype=np.float64))
    return Numbers(lowest, mean, highest, sqrt(variance))


def _sums(flat: Any) -> tuple[float, float, float, float]:  # noqa: ANN401 - an array
    """Return the lowest, the sum, the highest and the sum of squares, piece by piece: one way through memory.

    Sums are products with ones and with itself: the quickest there is, and exact enough unless the mean is
    far from 0.
    """
    ones = _some_ones(flat.dtype)
    lowest, total, highest, squares = inf, 0.0, -inf, 0.0
    for start in range(0, flat.size, _PIECE):
        piece = flat[start : start + _PIECE]
        total += float(np.dot(piece, ones[: piece.size]))
        squares += float(np.dot(piece, piece))
        low, high = float(piece.min()), float(piece.max())
        # Written so that what is no number (NaN) stays: any comparison with it is false.
        lowest = lowest if lowest != lowest or lowest <= low else low
        highest = highest if highest != highest or highest >= high else high
    return lowest, total, highest, squares
