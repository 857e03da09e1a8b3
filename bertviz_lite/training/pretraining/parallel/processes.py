"""Several processes on one machine, where the launcher starts only one."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Callable, Sequence


def processes_not_started() -> int:
    """Return the wanted number of processes where ``accelerate launch --cpu`` started only one, else 0.

    On CPUs that launcher needs ``mpirun`` for more than one process; without it, one is started without a
    word. The environment then has an address and no rank; the number is on the launcher's command line.
    """
    ranks = {"RANK", "LOCAL_RANK", "WORLD_SIZE", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE"}
    if os.environ.get("ACCELERATE_USE_CPU", "").lower() not in {"1", "true"} or ranks & os.environ.keys():
        return 0
    if "MASTER_ADDR" not in os.environ:
        return 0
    import psutil

    parent = psutil.Process().parent()
    words = [] if parent is None else parent.cmdline()
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, _, value = word.partition("=")
        if name in {"--num_processes", "--num-processes"}:
            return int(value or following)
    return 0


def start_processes(count: int, main: Callable[[list[str]], int], arguments: Sequence[str]) -> int:
    """Run ``main(arguments)`` in several processes on this machine; return 0 where all of them end well."""
    from torch.multiprocessing.spawn import ProcessException, start_processes as start

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # What is imported here need not be imported again, where a process may be a copy of this one.
    method = "fork" if sys.platform == "linux" else "spawn"
    try:
        start(_run_as, (count, port, main, list(arguments)), count, start_method=method)
    except ProcessException as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0


def _run_as(rank: int, count: int, port: int, main: Callable[[list[str]], int], arguments: list[str]) -> None:
    """Be one of the processes, with the environment that torch's own launcher, ``torchrun``, gives it."""
    ranks = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": count, "LOCAL_WORLD_SIZE": count}
    address = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    os.environ.update({name: str(value) for name, value in ranks.items()} | address)
    sys.exit(main(arguments))


def leave_together() -> None:
    """Wait for the other processes of the run, if there are any, and take the connection down.

    Gloo's threads may still hold tensors when a process ends: letting go of them while Python shuts down
    aborts it now and then (https://github.com/pytorch/pytorch/pull/179291).
    """
    from torch import distributed

    if distributed.is_available() and distributed.is_initialized():
        distributed.barrier()
        distributed.destroy_process_group()
        gc.collect()
