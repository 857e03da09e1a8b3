"""How often the commoner of a word's meanings is right: what a guess without the sentence reaches."""

from __future__ import annotations

from collections import Counter
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
    learned, found = Counter(fit), Counter(score)
    right, balanced = 0, []
    kept = {sense: n for sense, n in found.items() if sense.partition(".")[0] in set(words)}
    for word in sorted({sense.partition(".")[0] for sense in kept}):
        senses = sorted(sense for sense in kept if sense.partition(".")[0] == word)
        commonest = max(senses, key=lambda sense: learned[sense])
        right += kept[commonest]
        balanced.append(1 / len(senses))  # right for each place of one meaning, wrong for all of the others
    return Commoner(right / sum(kept.values()), float(np.mean(balanced)))
