"""What is in a tensor, in four numbers."""

from __future__ import annotations

from math import isfinite, sqrt

import torch
from torch import Tensor

from bertviz_lite._trace.steps import Numbers


def numbers_of(tensor: Tensor) -> Numbers | None:
    """Return the four numbers of a tensor; None for an empty one and for complex numbers."""
    if tensor.numel() == 0 or tensor.is_complex():
        return None
    if tensor.dtype not in (torch.float32, torch.float64):
        tensor = tensor.float()
    low, high = torch.aminmax(tensor)
    # The sum of the squares is quick, and exact enough unless the mean is far from 0.
    flat = tensor.reshape(-1)
    mean = float(flat.sum()) / flat.numel()
    variance = float(torch.dot(flat, flat)) / flat.numel() - mean * mean
    if not isfinite(variance) or variance < 1e-2 * mean * mean:
        variance = float(torch.var(flat, correction=0))
    return Numbers(float(low), mean, float(high), sqrt(variance))
