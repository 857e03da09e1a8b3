"""Processes of one machine exchange gradients in memory: the mean that sockets would bring."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
import torch
from torch import distributed, multiprocessing, nn
from torch.nn.parallel import DistributedDataParallel

from bertviz_lite.training.pretraining.shared_gradients import SharedGradients, share_gradients

PROCESSES = 3


def gradients(rank: int, model: nn.Module, plain: nn.Linear) -> torch.Tensor:
    """Return the gradient of a loss that is another one in every process."""
    plain.zero_grad()
    (model(torch.full((2, 5), float(rank + 1))).square().sum() * (rank + 1)).backward()
    assert plain.weight.grad is not None
    return plain.weight.grad.clone()


def train_together(rank: int, folder: str) -> None:
    torch.set_num_threads(1)
    os.environ["LOCAL_WORLD_SIZE"] = os.environ["WORLD_SIZE"] = str(PROCESSES)
    distributed.init_process_group(
        "gloo",
        init_method=f"file://{folder}/meeting",
        rank=rank,
        world_size=PROCESSES,
        timeout=timedelta(seconds=120),
    )
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
    distributed.barrier()
    distributed.destroy_process_group()


def test_the_mean_is_that_of_sockets_and_nobody_waits_for_ever(tmp_path: Path) -> None:
    multiprocessing.spawn(train_together, (str(tmp_path),), nprocs=PROCESSES)


def test_a_model_that_one_process_trains_is_left_alone() -> None:
    model = nn.Linear(5, 4)
    share_gradients(model)
    assert not model._backward_hooks
