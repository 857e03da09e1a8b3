"""What is in a tensor, in four numbers."""

from __future__ import annotations

from math import isfinite, sqrt

import torch
from torch import Tensor

from bertviz_lite.trace.steps.values import Numbers


def numbers_of(tensor: Tensor) -> Numbers | None:
    """Return the four numbers of a tensor; None for an empty one and for complex numbers."""
    if tensor.numel() == 0 or tensor.is_complex():
        return None
    # A trace watches every function of torch that is called; these are its own.
    with torch._C.DisableTorchFunction():
        flat = tensor.detach().reshape(-1)
        if flat.dtype not in (torch.float32, torch.float64):
            flat = flat.float()
        # The sum of squares is the quickest way to the spread, exact enough unless the mean is far from 0.
        # Each of the four uses all threads, which have the numbers near them: they have just made them.
        four = torch.stack((flat.amin(), flat.sum(), flat.amax(), flat.dot(flat)))
        lowest, total, highest, squares = four.tolist()
        mean = total / flat.numel()
        variance = squares / flat.numel() - mean * mean
        if not isfinite(variance) or variance < 1e-2 * mean * mean:
            exact = flat.double()
            mean, variance = exact.mean().item(), exact.var(correction=0).item()
    return Numbers(lowest, mean, highest, sqrt(variance))
