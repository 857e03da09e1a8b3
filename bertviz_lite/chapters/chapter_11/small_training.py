"""What the two small trainings of chapter 11 share: a step of an optimizer, and a bar."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from tqdm.auto import tqdm

from bertviz_lite.training.finetuning.progress import bars_are_wanted


def do_step(loss: Tensor, optimizer: torch.optim.Optimizer) -> float:
    """Do one step down the gradient of a loss, and return the loss."""
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def progress_bar(name: str, total: int, progress: bool) -> Any:  # noqa: ANN401 - a bar of tqdm's
    """Make a bar, shown only where bars are wanted."""
    return tqdm(total=total, desc=name, leave=False, disable=not (progress and bars_are_wanted()))
