"""The simple rival of the next-sentence head: how many words do the two texts share."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bertviz_lite.data.typed_words import is_word, words_of
from bertviz_lite.evaluation.scores.own_words.exam import Pair
from bertviz_lite.evaluation.scores.own_words.ngrams.counts import Counts

OVERLAP = "shared words"


class Overlap:
    """Says that a text continues another where enough of its words occur in the other.

    Shared words weigh as much as they surprise, -log of their frequency in training text, so that a name
    counts for more than *the*. What is enough is the least share that does best on pairs of training text.

    Attributes
    ----------
    enough
        The least share with which a text is taken for the next one.
    """

    def __init__(self, counts: Counts, training: Sequence[Pair]) -> None:
        self._frequencies = {ngram[0]: count for ngram, count in counts.ngrams.items() if len(ngram) == 1}
        self._total = sum(self._frequencies.values())
        shares = [(self.share(pair), pair.follows) for pair in training]

        def hits(enough: float) -> int:
            return sum((share >= enough) == follows for share, follows in shares)

        self.enough = max(sorted({share for share, _ in shares} | {math.inf}), key=hits)

    def share(self, pair: Pair) -> float:
        """Return the share of the second text's different words that occur in the first, weighed."""
        first, second = (set(filter(is_word, words_of(text))) for text in (pair.first, pair.second))
        weights = {word: self._surprise(word) for word in second}
        return sum(weights[word] for word in sorted(first & second)) / (sum(weights.values()) or 1.0)

    def _surprise(self, word: str) -> float:
        return math.log((self._total + 1) / (self._frequencies.get(word, 0) + 1))

    def judge(self, pairs: Sequence[Pair]) -> list[float]:
        """Return 1 for each pair of which it says what is true, else 0."""
        return [float((self.share(pair) >= self.enough) == pair.follows) for pair in pairs]
