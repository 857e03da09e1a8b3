"""All inputs of a pre-training run, made when they are needed and in a fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.pretraining.names import name_groups
from bertviz_lite.data.pretraining.pairs import Mix, PairBlock, pair_block, parts

if TYPE_CHECKING:
    from bertviz_lite.data.pretraining.corpus import Corpus

Array = NDArray[np.int64]
BLOCK_INPUTS = 16_384


def by_length(block: PairBlock, batch_size: int, rng: np.random.Generator, spread: float = 0.6) -> PairBlock:
    """Order a block so that each run of ``batch_size`` inputs has like lengths; runs come in random order.

    Short inputs, below 0.6 of the median length (``spread``), are spread over all runs: a step on short
    inputs alone would be a step on another task. Inputs beyond the last full run are dropped at random.
    """
    kept = rng.permutation(len(block))[: len(block) // batch_size * batch_size]
    long = block.lengths[kept] >= spread * np.median(block.lengths)
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
        self.corpus, self.count, self.group, self.seed, self.mix = corpus, count, group, seed, mix or Mix()
        self.groups = name_groups(self.mix.names)
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
            self._block = number, by_length(block, self.group, rng, self.mix.spread)
        return self._block[1]

    def __getitem__(self, index: int) -> dict[str, Any]:
        if not 0 <= index < self.count:
            raise IndexError(f"input {index}: there are {self.count:,}")
        number, row = divmod(index, self.block_size)
        block = self.block(number)
        first, second = parts(self.corpus, block, row, self.groups)
        joined = [self.cls, first, self.sep]
        if len(second):
            joined += [second, self.sep]
        item: dict[str, Any] = {
            "index": index,
            "input_ids": np.concatenate(joined),
            "first_length": len(first) + 2,
            "next_sentence_label": int(block.labels[row]),
        }
        if self.corpus.continues is not None:
            marks = [
                self.corpus.word_marks(block.a_first[row], block.a_last[row]),
                self.corpus.word_marks(block.b_first[row], block.b_last[row]),
            ]
            one = np.zeros(1, np.bool_)
            item["continues"] = np.concatenate([one, marks[0], one, marks[1], one])[: len(item["input_ids"])]
        return item

    def tokens(self, count: int) -> int:
        """Return the positions in the first ``count`` inputs: with special tokens, without padding."""
        total = 0
        for number in range(-(-count // self.block_size)):
            lengths = self.block(number).lengths
            total += int(lengths[: count - number * self.block_size].sum())
        return total
