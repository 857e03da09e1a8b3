"""How often the commoner of a word's meanings is right: what a guess without the sentence reaches."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Commoner", "commoner_meaning"]


class Commoner(NamedTuple):
    """The shares that the commoner meaning gets right: of the places, and as the mean over all meanings."""

    places: float
    balanced: float


def commoner_meaning(fit: Iterable[str], score: Iterable[str], words: Iterable[str]) -> Commoner:
    """Name for every place of a word the meaning that it has most often in `fit`; score that on `score`.

    Parameters
    ----------
    fit, score
        The meaning at each place, such as ``"bank.river"``.
    words
        The words that count.
    """
    learned, found, wanted = Counter(fit), Counter(score), set(words)
    senses: dict[str, list[str]] = defaultdict(list)
    for sense in sorted(found):
        word = sense.partition(".")[0]
        if word in wanted:
            senses[word].append(sense)
    right = sum(found[max(each, key=lambda sense: learned[sense])] for each in senses.values())
    places = sum(found[sense] for each in senses.values() for sense in each)
    # Right for each place of one meaning, wrong for all of the others.
    return Commoner(right / places, float(np.mean([1 / len(each) for each in senses.values()])))
