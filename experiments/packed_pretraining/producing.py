"""Processes that cut, pair and pack the stories while the model learns."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.pretraining.by_hand import ByHand
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.names import name_groups
from bertviz_lite.data.pretraining.pairs import Mix, pair_block
from bertviz_lite.data.pretraining.shards import SHARD_STORIES, story_seeds
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
    by_hand
        Which texts are by hand, shape (stories,); None where nothing depends on it.
    late_by_hand
        What share of the texts by hand is read at all after ``late_from``.
    """

    corpus: Corpus
    mix: Mix
    ends: Ends
    rows: int
    late_from: float
    late_other: float
    late_swapped: float
    seed: int = 0
    by_hand: NDArray[np.bool_] | None = None
    late_by_hand: float = 1.0

    def steps(self, worker: int, progress: Any) -> Iterator[Steps]:  # noqa: ANN401 - a shared number
        """Yield blocks of steps without end; ``progress.value`` is the share of the run that is over."""
        rng = np.random.default_rng([77, self.seed * 100 + worker])
        groups = name_groups(self.mix.names)
        late = replace(self.mix, other=self.late_other, swapped=self.late_swapped)
        while True:
            is_late = progress.value >= self.late_from
            chosen = rng.permutation(len(self.corpus))[:BLOCK]
            if is_late and self.by_hand is not None:
                kept = ~self.by_hand[chosen] | (rng.random(len(chosen)) < self.late_by_hand)
                chosen = chosen[kept]
            block = pair_block(self.corpus, chosen, rng, late if is_late else self.mix)
            yield packed(self.corpus, block, groups, self.ends, self.rows, rng)


def texts_by_hand(corpus: Corpus, by_hand: ByHand, seed: int) -> NDArray[np.bool_]:
    """Say of each text of a run's corpus whether it is one by hand; shape (stories,)."""
    found = np.zeros(len(corpus), np.bool_)
    for start in range(0, len(corpus), SHARD_STORIES):
        left_out = corpus.left_out_before[start : start + SHARD_STORIES]
        indices = np.arange(len(left_out)) + left_out.astype(np.int64).cumsum()
        shard = story_seeds(seed, start // SHARD_STORIES)
        found[start : start + len(indices)] = [
            by_hand.takes_the_place(shard, index) for index in indices.tolist()
        ]
    return found


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
