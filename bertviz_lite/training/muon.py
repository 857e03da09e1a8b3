"""Muon: the update of a matrix is made orthogonal, so that it moves as far in every direction.

Source: K. Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024. torch has had it
since 2.9, but always in bfloat16, which takes 30 times as long where the processor has no
instructions for that type; here it is the caller who chooses. Otherwise the two are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, distributed
from torch.optim import Optimizer

_COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # Jordan's, which rise most steeply at 0
_ITERATIONS = 5
_TINY = 1e-7


def orthogonal(matrices: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """Bring all singular values of each matrix near 1 (about 0.7 to 1.2), by Newton and Schulz's iteration.

    Parameters
    ----------
    matrices
        Shape (matrices, rows, columns).
    dtype
        What is computed in, and returned.

    Returns
    -------
    Tensor
        Of the same shape.
    """
    a, b, c = _COEFFICIENTS
    tall = matrices.size(-2) > matrices.size(-1)
    x = (matrices.mT if tall else matrices).to(dtype).contiguous()
    x = x / x.norm(dim=(-2, -1), keepdim=True).clamp(min=_TINY)
    for _ in range(_ITERATIONS):
        gram = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.mT if tall else x


def shared_orthogonal(matrices: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """Return ``orthogonal(matrices)``; the processes of a run, who all have the same, make a part each."""
    if not (distributed.is_available() and distributed.is_initialized()):
        return orthogonal(matrices, dtype)
    processes = distributed.get_world_size()
    count = math.ceil(len(matrices) / processes)
    # Parts of one length, so that the last may overlap the one before.
    firsts = [min(process * count, len(matrices) - count) for process in range(processes)]
    first = firsts[distributed.get_rank()]
    mine = orthogonal(matrices[first : first + count], dtype).contiguous()
    parts = [torch.empty_like(mine) for _ in range(processes)]
    distributed.all_gather(parts, mine)
    whole = torch.empty(matrices.shape, dtype=mine.dtype, device=mine.device)
    for start, part in zip(firsts, parts, strict=True):
        whole[start : start + count] = part
    return whole


class Muon(Optimizer):
    """Muon with Nesterov's momentum and decoupled weight decay, for weights that are matrices.

    Parameters
    ----------
    params
        Weights of two dimensions.
    lr
        Learning rate; a weight of shape (rows, columns) moves by √max(1, rows / columns) times that.
    weight_decay
        Share of a weight that is taken off at a learning rate of 1.
    momentum
        Of the mean of past gradients.
    dtype
        What the updates are computed in: bfloat16 is faster only where the processor has it.
    """

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float,
        weight_decay: float = 0.0,
        momentum: float = 0.95,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        super().__init__(params, {"lr": lr, "weight_decay": weight_decay, "momentum": momentum})
        self.dtype = dtype

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> Any:  # noqa: ANN401 - as torch's optimizers
        """Move every weight that has a gradient."""
        result = None if closure is None else closure()
        for group in self.param_groups:
            # Matrices of one shape in one go: a quarter faster than one by one.
            by_shape: dict[torch.Size, list[Tensor]] = {}
            for weight in group["params"]:
                if weight.grad is not None:
                    by_shape.setdefault(weight.shape, []).append(weight)
            for (rows, columns), weights in by_shape.items():
                rate = group["lr"] * math.sqrt(max(1.0, rows / columns))
                means = torch.stack([self._mean(weight, group["momentum"]) for weight in weights])
                for weight, update in zip(weights, shared_orthogonal(means, self.dtype), strict=True):
                    weight.mul_(1 - group["lr"] * group["weight_decay"])
                    weight.add_(update, alpha=-rate)
        return result

    def _mean(self, weight: Tensor, momentum: float) -> Tensor:
        """Return a weight's gradient pulled towards the mean of those before, which it is added to."""
        gradient = weight.grad
        if gradient is None:
            raise ValueError("a weight without a gradient has no mean of gradients")
        state = self.state[weight]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(weight)
        return gradient.lerp(state["momentum_buffer"].lerp_(gradient, 1 - momentum), momentum)
