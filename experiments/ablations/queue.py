"""Several runs side by side, each in a process of its own with one thread, under one progress bar."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from queue import Empty
from typing import Any

import torch
from transformers.utils.logging import disable_progress_bar

from experiments.ablations.plans import Plan
from experiments.ablations.work import MEASURING, Job, Workshop


class Bar:
    """One progress bar for all jobs that are left, in steps; measuring counts as some steps."""

    def __init__(self, jobs: Sequence[Job], steps: int, *, shown: bool) -> None:
        from tqdm.auto import tqdm

        self._reached: Counter[Job] = Counter()
        # The mean rate since the start: the rate of the last seconds is another while a model is measured.
        self._bar: Any = tqdm(
            total=len(jobs) * (steps + MEASURING), unit="step", smoothing=0, disable=not shown
        )
        self._whole = steps + MEASURING
        self._tell()

    def report(self, job: Job, reached: int) -> None:
        """Move the bar on to where a job is."""
        self._bar.update(reached - self._reached[job])
        self._reached[job] = reached
        self._tell()

    def close(self) -> None:
        """Close the bar."""
        self._bar.close()

    def _tell(self) -> None:
        finished = sum(reached == self._whole for reached in self._reached.values())
        self._bar.set_description(f"{finished} of {self._bar.total // self._whole} runs")


def do_all(
    plan: Plan, runs: Path, jobs: Sequence[Job], processes: int, *, progress: bool, done: Callable[[], None]
) -> list[Job]:
    """Do what is left of some jobs; return those that failed, after a line about each.

    Parameters
    ----------
    plan, runs
        As ``Workshop`` takes them.
    jobs
        In the order in which they are begun.
    processes
        How many jobs run at a time. With 1 they run in this process.
    progress
        Whether a bar is shown.
    done
        Called after each job.
    """
    jobs = [job for job in jobs if not job.result(runs).exists()]
    if not jobs:
        return []
    Workshop(plan, runs).prepare(jobs, processes, progress=progress)
    bar = Bar(jobs, plan.recipe.steps, shown=progress)
    try:
        if processes == 1:
            return _in_turn(Workshop(plan, runs), jobs, bar, done)
        return _side_by_side(plan, runs, jobs, processes, bar, done)
    finally:
        bar.close()


def _in_turn(workshop: Workshop, jobs: Sequence[Job], bar: Bar, done: Callable[[], None]) -> list[Job]:
    for job in jobs:
        workshop.do(job, bar.report)
        done()
    return []


def _side_by_side(
    plan: Plan, runs: Path, jobs: Sequence[Job], processes: int, bar: Bar, done: Callable[[], None]
) -> list[Job]:
    context = get_context("spawn")  # as on every system, and safe beside torch's threads
    told: Any = context.Queue()
    failed: list[Job] = []
    with ProcessPoolExecutor(processes, context, _begin, (plan, runs, told)) as pool:
        waiting: dict[Future[None], Job] = {pool.submit(_do, job): job for job in jobs}
        try:
            while waiting:
                for future in [future for future in waiting if future.done()]:
                    job, error = waiting.pop(future), future.exception()
                    if error is None:
                        done()
                    else:
                        failed.append(job)
                        sys.stderr.write(f"{job}: {error!r}\n")
                with suppress(Empty):
                    bar.report(*told.get(timeout=0.2))
        except BaseException:  # somebody stopped it: so do the others, now
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise
    return failed


_WORKSHOP: list[tuple[Workshop, Any]] = []  # of this process: the workshop, and where it tells how far it is


def _begin(plan: Plan, runs: Path, told: Any) -> None:  # noqa: ANN401 - a queue between processes
    torch.set_num_threads(1)
    disable_progress_bar()
    _WORKSHOP.append((Workshop(plan, runs), told))


def _do(job: Job) -> None:
    workshop, told = _WORKSHOP[0]

    def report(job: Job, reached: int) -> None:
        parent = parent_process()
        if parent is not None and not parent.is_alive():  # it was killed: nobody waits for this any more
            os._exit(1)
        told.put((job, reached))

    workshop.do(job, report)
