"""Texts as whole words with numbers, as before word pieces.

>>> vocabulary = Vocabulary.of(["Anna lost her key.", "Anna found it."], fewest=2)
>>> vocabulary.words
('[PAD]', '[UNK]', 'anna', '.')
>>> vocabulary.ids("Anna sang.")
[2, 1, 3]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["PADDING", "UNKNOWN", "Vocabulary", "words_of"]

PADDING, UNKNOWN = 0, 1


def words_of(text: str) -> list[str]:
    """Cut a text into words and punctuation marks, in small letters, as BERT does before its word pieces.

    >>> words_of("Anna's key!")
    ['anna', "'", 's', 'key', '!']
    """
    return re.findall(r"\w+|[^\w\s]", text.lower())


@dataclass(frozen=True)
class Vocabulary:
    """Whole words with their numbers: 0 is padding, 1 any word that is not in it.

    Attributes
    ----------
    words
        The word of every number.
    counts
        How often each occurred in the texts; 1 for the two special ones.
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]
    number_of: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "number_of", {word: number for number, word in enumerate(self.words)})

    @classmethod
    def of(cls, texts: Iterable[str], fewest: int = 3) -> Vocabulary:
        """Take the words that occur at least `fewest` times in the texts, the most frequent first.

        Raises
        ------
        ValueError
            If no word occurs so often.
        """
        counts = Counter(word for text in texts for word in words_of(text))
        kept = sorted((word for word in counts if counts[word] >= fewest), key=lambda word: -counts[word])
        if not kept:
            raise ValueError(
                f"no word occurs {fewest} times in the texts: give more texts, or a lower fewest."
            )
        return cls(("[PAD]", "[UNK]", *kept), (1, 1, *(counts[word] for word in kept)))

    def ids(self, text: str) -> list[int]:
        """Turn a text into the numbers of its words."""
        return [self.number_of.get(word, UNKNOWN) for word in words_of(text)]
