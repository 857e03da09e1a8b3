"""Pairs in another order: the two parts exchanged, or the sentences of the second part shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bertviz_lite.data.story_pairs.cutting import Sentences, StoryPair, check_generator, check_pairs


def swapped(pairs: Sequence[StoryPair]) -> list[StoryPair]:
    """Put B before A: the same sentences, the two parts exchanged."""
    return [replace(pair, first=pair.second, second=pair.first) for pair in check_pairs(pairs)]


def shuffled(pairs: Sequence[StoryPair], rng: np.random.Generator) -> list[StoryPair]:
    """Put the sentences of B into another order than the one they had."""
    check_generator(rng)
    return [replace(pair, second=_another_order(pair.second, rng)) for pair in check_pairs(pairs)]


def _another_order(sentences: Sentences, rng: np.random.Generator) -> Sentences:
    if len(sentences) < 2:
        raise ValueError("one sentence has no other order: cut with fewest=2 or more.")
    order = list(range(len(sentences)))
    while order == sorted(order):
        order = rng.permutation(len(sentences)).tolist()
    return tuple(sentences[index] for index in order)
