"""Processes that cut, pair and pack the stories while the GPU computes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.names import name_groups
from bertviz_lite.data.pretraining.pairs import Mix, pair_block
from experiments.packed_pretraining.rows import Ends, Steps, packed

BLOCK = 16_384
"""Stories that are paired among themselves."""


@dataclass(frozen=True)
class Source:
    """What every process packs.

    Attributes
    ----------
    corpus, mix, ends
        The stories; the shares of the kinds of inputs; the ids of [CLS] and [SEP].
    rows
        Rows of a step.
    late_from
        The share of the run after which ``late_other`` and ``late_swapped`` take the place of the mix's.
    late_other, late_swapped
        Shares of false pairs then.
    seed
        Of all choices; each process has its own below it.
    """

    corpus: Corpus
    mix: Mix
    ends: Ends
    rows: int
    late_from: float
    late_other: float
    late_swapped: float
    seed: int = 0

    def steps(self, worker: int, progress: Any) -> Iterator[Steps]:  # noqa: ANN401 - a shared number
        """Yield blocks of steps without end; ``progress.value`` is the share of the run that is over."""
        rng = np.random.default_rng([77, self.seed * 100 + worker])
        groups = name_groups(self.mix.names)
        late = replace(self.mix, other=self.late_other, swapped=self.late_swapped)
        while True:
            mix = late if progress.value >= self.late_from else self.mix
            chosen = rng.permutation(len(self.corpus))[:BLOCK]
            block = pair_block(self.corpus, chosen, rng, mix)
            yield packed(self.corpus, block, groups, self.ends, self.rows, rng)


@contextmanager
def producers(source: Source, count: int) -> Iterator[tuple[Any, Any]]:
    """Start processes; the context's value is their queue of ``Steps``, and the progress to be set."""
    context = multiprocessing.get_context("fork")  # the corpus is shared with all, and copied by none
    queue, progress = context.Queue(maxsize=2 * count), context.Value("d", 0.0)
    workers = [
        context.Process(target=_produce, args=(source, number, queue, progress), daemon=True)
        for number in range(count)
    ]
    for worker in workers:
        worker.start()
    try:
        yield queue, progress
    finally:
        for worker in workers:
            worker.kill()
        queue.cancel_join_thread()


def _produce(source: Source, number: int, queue: Any, progress: Any) -> None:  # noqa: ANN401
    os.environ["OMP_NUM_THREADS"] = "1"
    for steps in source.steps(number, progress):
        queue.put(steps)
