"""All inputs of a pre-training run, made when they are needed and in a fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.pretraining.pairs import PairBlock, pair_block

if TYPE_CHECKING:
    from bertviz_lite.data.pretraining.corpus import Corpus
    from bertviz_lite.data.pretraining.pairs import Mix

Array = NDArray[np.int64]
BLOCK_INPUTS = 16_384


def by_length(block: PairBlock, batch_size: int, rng: np.random.Generator) -> PairBlock:
    """Order a block so that each run of ``batch_size`` inputs has like lengths; runs come in random order.

    Short inputs, below 0.6 of the median length, are spread over all runs: a step on short inputs alone would
    be a step on another task. Inputs beyond the last full run are dropped at random.
    """
    kept = rng.permutation(len(block))[: len(block) // batch_size * batch_size]
    long = block.lengths[kept] >= 0.6 * np.median(block.lengths)
    place = rng.random(len(kept))
    ranks = np.lexsort((place[long], block.lengths[kept][long])).argsort()
    place[long] = ranks / max(1, len(ranks))
    runs = kept[np.argsort(place, kind="stable")].reshape(-1, batch_size)
    return block.take(rng.permutation(runs, axis=0).reshape(-1))


class TrainingInputs:
    """All inputs of a run in their order, made when they are needed.

    Parameters
    ----------
    corpus
        The stories.
    count
        Number of inputs.
    group
        Inputs per step over all processes: each such run of inputs has like lengths.
    seed
        The run's seed.
    cls_id, sep_id
        Ids of [CLS] and [SEP].
    mix
        Shares of the kinds of inputs.
    """

    def __init__(
        self,
        corpus: Corpus,
        count: int,
        group: int,
        seed: int,
        cls_id: int,
        sep_id: int,
        mix: Mix | None = None,
    ) -> None:
        if len(corpus) < group:
            raise ValueError(
                f"{len(corpus)} stories are fewer than the {group} inputs of one step: raise --stories"
            )
        self.corpus, self.count, self.group, self.seed, self.mix = corpus, count, group, seed, mix
        self.cls, self.sep = np.array([cls_id]), np.array([sep_id])
        self.block_size = min(BLOCK_INPUTS, len(corpus)) // group * group
        self._block: tuple[int, PairBlock] | None = None

    def __len__(self) -> int:
        return self.count

    def block(self, number: int) -> PairBlock:
        """Return block ``number`` of inputs: a function of the seed and the number, whatever came before."""
        if self._block is None or self._block[0] != number:
            blocks_per_pass = len(self.corpus) // self.block_size
            story_pass, part = divmod(number, blocks_per_pass)
            order = np.random.default_rng([self.seed, story_pass]).permutation(len(self.corpus))
            rng = np.random.default_rng([self.seed, story_pass, part, 1])
            chosen = order[part * self.block_size : (part + 1) * self.block_size]
            block = pair_block(self.corpus, chosen, rng, self.mix)
            self._block = number, by_length(block, self.group, rng)
        return self._block[1]

    def __getitem__(self, index: int) -> dict[str, Any]:
        if not 0 <= index < self.count:
            raise IndexError(f"input {index}: there are {self.count:,}")
        number, row = divmod(index, self.block_size)
        block = self.block(number)
        first = self.corpus.token_ids(block.a_first[row], block.a_last[row])
        parts = [self.cls, first, self.sep]
        if block.b_last[row] > block.b_first[row]:
            parts += [self.corpus.token_ids(block.b_first[row], block.b_last[row]), self.sep]
        return {
            "index": index,
            "input_ids": np.concatenate(parts),
            "first_length": len(first) + 2,
            "next_sentence_label": int(block.labels[row]),
        }

    def tokens(self, count: int) -> int:
        """Return the positions in the first ``count`` inputs: with special tokens, without padding."""
        total = 0
        for number in range(-(-count // self.block_size)):
            lengths = self.block(number).lengths
            total += int(lengths[: count - number * self.block_size].sum())
        return total
