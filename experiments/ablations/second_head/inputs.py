"""Inputs for second heads that learn something else, or nothing: other labels, other second parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.pairs import Mix, PairBlock
from experiments.ablations.second_head.own_parts import in_wrong_order, own_parts


class OrderInputs(TrainingInputs):
    """Pairs whose second part is the story's own; in half of them the parts change places (label 1)."""

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return input ``index``; the random draw depends on the seed and the index alone."""
        item = super().__getitem__(index)
        if item["next_sentence_label"] == 0 and np.random.default_rng([self.seed, index, 2]).random() < 0.5:
            item |= exchange_parts(item["input_ids"], item["first_length"])
            item["next_sentence_label"] = 1
        return item


class TrueInputs(TrainingInputs):
    """Pairs whose second part is the story's own, with no label: nothing but masked words is learned."""

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return input ``index``."""
        return super().__getitem__(index) | {"next_sentence_label": IGNORED}


def exchange_parts(input_ids: NDArray[np.int64], first_length: int) -> dict[str, Any]:
    """Exchange the two parts of ``[CLS] A [SEP] B [SEP]``; ``first_length`` counts [CLS], A and [SEP]."""
    first, second = input_ids[1:first_length], input_ids[first_length:]
    return {
        "input_ids": np.concatenate([input_ids[:1], second, first]),
        "first_length": 1 + len(second),
    }


class ChangedInputs(TrainingInputs):
    """The inputs of a recipe, in their order, each block of them changed; ``change`` says how."""

    _changed: tuple[int, PairBlock] | None = None

    def block(self, number: int) -> PairBlock:
        """Return block ``number`` of inputs, changed."""
        if self._changed is None or self._changed[0] != number:
            self._changed = number, self.change(super().block(number))
        return self._changed[1]

    def change(self, block: PairBlock) -> PairBlock:
        """Return what a block becomes."""
        raise NotImplementedError


class UnlabelledInputs(ChangedInputs):
    """The same pairs with no label: nothing but masked words is learned."""

    def change(self, block: PairBlock) -> PairBlock:
        """Take the labels away."""
        return replace(block, labels=np.full_like(block.labels, IGNORED))


class OrderAloneInputs(ChangedInputs):
    """The same pairs with the same labels; those that are false are a text's own parts in the wrong order."""

    def change(self, block: PairBlock) -> PairBlock:
        """Put a false pair's own second part before its first."""
        return in_wrong_order(own_parts(block, self.corpus), block.labels == 1)


class OwnPartsInputs(ChangedInputs):
    """The same first parts, followed by the text's own second parts, with no label."""

    def change(self, block: PairBlock) -> PairBlock:
        """Put every text together again."""
        own = own_parts(block, self.corpus)
        return replace(own, labels=np.full_like(own.labels, IGNORED))


def _as_it_is(mix: Mix) -> Mix:
    return mix


def _no_other_stories(mix: Mix) -> Mix:
    return replace(mix, other=0.0)


INPUTS: dict[str, tuple[type[TrainingInputs], Callable[[Mix], Mix]]] = {
    # by what the second head learns: the inputs, and what becomes of the recipe's shares
    "other story": (TrainingInputs, _as_it_is),
    "swapped order": (OrderInputs, _no_other_stories),
    "nothing": (TrueInputs, _no_other_stories),
    "order alone": (OrderAloneInputs, _as_it_is),
    "inputs alone": (UnlabelledInputs, _as_it_is),
    "own parts alone": (OwnPartsInputs, _as_it_is),
}
