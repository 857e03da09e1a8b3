"""The mean of the gradients of processes on one machine, made in memory that they share.

Between two processes of one machine torch sends gradients through sockets, which takes an eighth of a step of
the pocket model: a step is short, and its gradients are 10 MB.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.futures import Future
from torch.nn.parallel import DistributedDataParallel

_PATIENCE = 600.0  # seconds


class SharedGradients:
    """Memory in which processes exchange the gradients of a model.

    Parameters
    ----------
    size
        Numbers in the largest part of the gradients that is sent at once: at most all of them.
    patience
        Seconds to wait for the other processes.
    """

    def __init__(self, size: int, patience: float = _PATIENCE) -> None:
        self.rank, self.processes = distributed.get_rank(), distributed.get_world_size()
        self.patience = patience
        self.meetings = 0
        place = [tempfile.mkdtemp(prefix="gradients-") if self.rank == 0 else ""]
        distributed.broadcast_object_list(place)
        folder = Path(place[0])
        # Zeros where nobody has written yet, as a new file has.
        count = self.processes * size
        self.parts = torch.from_file(str(folder / "gradients"), shared=True, size=count)
        self.parts = self.parts.view(self.processes, size)
        file = str(folder / "meetings")
        self.met = torch.from_file(file, shared=True, size=self.processes, dtype=torch.int64).numpy()
        distributed.barrier()
        if self.rank == 0:  # mapped by all: the names are no longer needed
            for entry in folder.iterdir():
                entry.unlink()
            folder.rmdir()

    def mean(self, gradients: Tensor) -> Future[Tensor]:
        """Replace a part of the gradients by its mean over the processes."""
        parts = self.parts[:, : gradients.numel()]
        parts[self.rank] = gradients
        self._meet()
        torch.mean(parts, 0, out=gradients)
        self._meet()  # nobody writes the next part while another still reads this one
        future: Future[Tensor] = Future()
        future.set_result(gradients)
        return future

    def _meet(self) -> None:
        """Wait until every process is here."""
        self.meetings += 1
        self.met[self.rank] = self.meetings
        end = time.monotonic() + self.patience
        while self.met.min() < self.meetings:
            if time.monotonic() > end:
                raise TimeoutError(f"another process has sent no gradients for {self.patience:.0f} seconds")
            os.sched_yield()


def share_gradients(model: nn.Module) -> None:
    """Let a model that several processes of this machine train exchange its gradients by shared memory.

    Any other model stays as it is.
    """
    wrapped: Any = model
    here = os.environ.get("LOCAL_WORLD_SIZE") == os.environ.get("WORLD_SIZE")
    if not isinstance(model, DistributedDataParallel) or not here or not hasattr(os, "sched_yield"):
        return
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    if all(weight.device.type == "cpu" and weight.dtype == torch.float32 for weight in weights):
        shared = SharedGradients(sum(weight.numel() for weight in weights))
        wrapped.register_comm_hook(None, lambda _, bucket: shared.mean(bucket.buffer()))
