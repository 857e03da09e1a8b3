"""What is in a tensor, in four numbers."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import torch
from torch import Tensor

from bertviz_lite._trace.steps import Numbers


def numbers_of() -> Callable[[Tensor], Numbers | None]:
    """Return a function that measures tensors."""

    def measure(tensor: Tensor) -> Numbers | None:
        if tensor.numel() == 0 or tensor.is_complex():
            return None
        if not tensor.is_floating_point():
            tensor = tensor.float()
        low, high = torch.aminmax(tensor)
        variance, mean = torch.var_mean(tensor, correction=0)
        return Numbers(float(low), float(mean), float(high), sqrt(float(variance)))

    return measure
