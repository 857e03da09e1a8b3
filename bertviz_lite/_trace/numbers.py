"""What is in a tensor, in four numbers."""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np
import torch
from torch import Tensor

from bertviz_lite._trace.steps import Numbers


def numbers_of(tensor: Tensor) -> Numbers | None:
    """Return the four numbers of a tensor; None for an empty one and for complex numbers."""
    if tensor.numel() == 0 or tensor.is_complex():
        return None
    if tensor.dtype not in (torch.float32, torch.float64):
        tensor = tensor.float()
    # numpy works in one thread: for tensors as small as these, torch spends more on waking its others.
    flat = tensor.detach().reshape(-1).cpu().numpy()
    with np.errstate(all="ignore"):
        mean = float(flat.mean())
        # The sum of the squares is quick, and exact enough unless the mean is far from 0.
        variance = float(np.dot(flat, flat)) / flat.size - mean * mean
        if not isfinite(variance) or variance < 1e-2 * mean * mean:
            mean, variance = float(flat.mean(dtype=np.float64)), float(flat.var(dtype=np.float64))
    return Numbers(float(flat.min()), mean, float(flat.max()), sqrt(variance))
