"""Inputs for second heads that learn something else: the order of two parts, or nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.pretraining.inputs import TrainingInputs


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
        return super().__getitem__(index) | {"next_sentence_label": -100}


def exchange_parts(input_ids: NDArray[np.int64], first_length: int) -> dict[str, Any]:
    """Exchange the two parts of ``[CLS] A [SEP] B [SEP]``; ``first_length`` counts [CLS], A and [SEP]."""
    first, second = input_ids[1:first_length], input_ids[first_length:]
    return {
        "input_ids": np.concatenate([input_ids[:1], second, first]),
        "first_length": 1 + len(second),
    }
