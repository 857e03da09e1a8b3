"""Processes of one machine exchange gradients in memory: the mean that sockets would bring."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from bertviz_lite.training.pretraining.parallel.shared_gradients import SharedGradients, share_gradients
from tests.helpers.children import work_together


def gradients(rank: int, model: nn.Module, plain: nn.Linear) -> torch.Tensor:
    """Return the gradient of a loss that is another one in every process."""
    plain.zero_grad()
    (model(torch.full((2, 5), float(rank + 1))).square().sum() * (rank + 1)).backward()
    assert plain.weight.grad is not None
    return plain.weight.grad.clone()


def train_together(rank: int) -> None:
    torch.manual_seed(0)
    plain = nn.Linear(5, 4)
    by_sockets = gradients(rank, DistributedDataParallel(plain), plain)
    wrapped = DistributedDataParallel(plain)
    share_gradients(wrapped)
    for _ in range(3):
        torch.testing.assert_close(gradients(rank, wrapped, plain), by_sockets)
    assert wrapped._get_ddp_logging_data().get("comm_hook"), "the gradients went through sockets"
    late = SharedGradients(size=4, patience=0.2)
    if rank == 0:  # the others don't come
        with pytest.raises(TimeoutError, match="another process has sent no gradients"):
            late._meet()


@pytest.mark.thorough
def test_the_mean_is_that_of_sockets_and_nobody_waits_for_ever(tmp_path: Path) -> None:
    work_together(train_together, 3, tmp_path)


def test_a_model_that_one_process_trains_is_left_alone() -> None:
    model = nn.Linear(5, 4)
    share_gradients(model)
    assert not model._backward_hooks
