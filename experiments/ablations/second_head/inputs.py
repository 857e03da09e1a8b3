"""Inputs for second heads that learn something else, or nothing: other labels, other second parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.pairs import PairBlock
from experiments.ablations.second_head.own_parts import in_wrong_order, own_parts


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


INPUTS: dict[str, type[TrainingInputs]] = {
    "other story": TrainingInputs,
    "order alone": OrderAloneInputs,
    "inputs alone": UnlabelledInputs,
    "own parts alone": OwnPartsInputs,
}
"""The inputs, by what the second head learns from them."""
