"""An n-gram model with back-off: how likely a text is, given the counts of training text.

Source: Kneser and Ney, 1995, "Improved backing-off for m-gram language modeling", in the interpolated form of
Chen and Goodman, 1999, "An empirical study of smoothing techniques for language modeling", with one discount.
"""

from __future__ import annotations

import math
from collections import Counter

from bertviz_lite.data.typed_words import words_of
from bertviz_lite.evaluation.scores.own_words.ngrams.counts import BOUNDARY, ORDER, Counts, Words

DISCOUNT = 0.75


class BackOff:
    """Interpolated Kneser-Ney over words.

    The longest runs are used as they were counted. A shorter run counts once for each different word before
    it, so that *Francisco*, which follows *San* only, is not held to be likely anywhere. From every count the
    discount is taken, and what it frees goes to the model of the next shorter run; below the single words is
    the same probability for every known word and one unknown.
    """

    def __init__(self, counts: Counts, order: int = ORDER) -> None:
        self.order = order
        self._counts: Counter[Words] = Counter()
        for ngram, count in counts.ngrams.items():
            if len(ngram) == order:
                self._counts[ngram] += count
            if 1 < len(ngram) <= order:
                self._counts[ngram[1:]] += 1
        self._totals: Counter[Words] = Counter()
        self._different: Counter[Words] = Counter()
        for ngram, count in self._counts.items():
            self._totals[ngram[:-1]] += count
            self._different[ngram[:-1]] += 1
        self._unknown = 1 / (self._different[()] + 1)

    def probability(self, word: str, context: Words = ()) -> float:
        """Return the probability of a word after the words of ``context``, the last of them at its end."""
        context = context[max(0, len(context) - self.order + 1) :]
        result = self._unknown
        for start in range(len(context), -1, -1):
            seen = context[start:]
            total = self._totals[seen]
            if total:
                kept = max(self._counts[(*seen, word)] - DISCOUNT, 0.0)
                result = (kept + DISCOUNT * self._different[seen] * result) / total
        return result

    def log_probability(self, text: str) -> float:
        """Return the natural logarithm of the probability of a whole text."""
        words = (BOUNDARY, *words_of(text))
        return sum(
            math.log(self.probability(words[index], words[max(0, index - self.order + 1) : index]))
            for index in range(1, len(words))
        )
