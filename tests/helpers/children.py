"""Processes of the tests' own that need no second import of torch and transformers.

Importing the recipe takes four seconds of a processor, running a tiny one takes one. A fork server imports
once; each child is a process of its own from then on, which can be killed, and shares nothing with the others
but files.
"""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path

import torch
from torch import distributed
from torch.multiprocessing.spawn import start_processes

_RECIPE = "bertviz_lite.training.pretraining.__main__"  # for every child alike: the server starts once


def start(module: str, arguments: Sequence[object], log: Path) -> BaseProcess:
    """Run the command line of a module in a process; what it prints goes to a file."""
    options = module, list(map(str, arguments)), log
    process: BaseProcess
    if "forkserver" in multiprocessing.get_all_start_methods():
        server = multiprocessing.get_context("forkserver")
        server.set_forkserver_preload([module])
        process = server.Process(target=_run, args=options)
    else:
        process = multiprocessing.get_context("spawn").Process(target=_run, args=options)
    process.start()
    return process


def work_together(work: Callable[..., None], count: int, folder: Path) -> None:
    """Run ``work(rank)`` in processes that torch connects, in the environment that ``torchrun`` makes."""
    forks = "forkserver" in multiprocessing.get_all_start_methods()
    if forks:
        multiprocessing.get_context("forkserver").set_forkserver_preload([_RECIPE])
    method = "forkserver" if forks else "spawn"
    start_processes(_connected, (work, count, folder), nprocs=count, start_method=method)


def _connected(rank: int, work: Callable[..., None], count: int, folder: Path) -> None:
    torch.set_num_threads(1)
    os.environ |= {"LOCAL_WORLD_SIZE": str(count), "WORLD_SIZE": str(count)}
    meeting = (folder / "meeting").as_uri()
    patience = timedelta(seconds=120)
    distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=count, timeout=patience)
    work(rank)
    distributed.barrier()
    distributed.destroy_process_group()


def finish(process: BaseProcess, log: Path, timeout: float = 300) -> str:
    """Wait for the end of a process, which must be a good one; return what it has printed."""
    process.join(timeout)
    printed = log.read_text(encoding="utf-8")
    assert process.exitcode == 0, f"{process.exitcode}: {printed[-20_000:]}"
    return printed


def _run(module: str, arguments: list[str], log: Path) -> None:
    gc.freeze()  # what was imported is no garbage: the Trainer looks for some
    with log.open("w", encoding="utf-8") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    sys.exit(importlib.import_module(module).main(arguments))
