"""Patterns: a sentence with its content words replaced by their parts of speech.

Words of grammar stay as they are: ``the NOUN of the NOUN was ADJ``. Punctuation is left out, so that a comma
makes no new pattern.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

from bertviz_lite.world.events.text import Sentence

CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"))


def pattern(sentence: Sentence) -> str:
    """Return the pattern of a sentence.

    >>> from bertviz_lite.world import story
    >>> sentence = story(seed=1, index=15).sentences[0]
    >>> print(sentence)
    The road beside the two barns is open again.
    >>> pattern(sentence)
    'the NOUN beside the NUM NOUN is ADJ ADV'
    """
    return " ".join(
        word.pos if word.pos in CONTENT else word.text.lower()
        for word in sentence.words
        if word.pos != "PUNCT"
    )


def covered(patterns: Counter[str], sizes: Iterable[int]) -> dict[int, float]:
    """Return the share of sentences that the commonest 50, 100 … patterns cover.

    >>> covered(Counter(a=6, b=3, c=1), (1, 2, 5))
    {1: 0.6, 2: 0.9, 5: 1.0}
    """
    sums = list(accumulate(count for _, count in patterns.most_common()))
    total = sums[-1] if sums else 1
    return {size: sums[min(size, len(sums)) - 1] / total if sums else 0.0 for size in sizes}
