"""Cut a word into the word pieces of a vocabulary: greedily, the longest first."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, instance, shown, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "##"
UNKNOWN = "[UNK]"
LONGEST = 100
"""A longer word becomes [UNK] at once: ``max_input_chars_per_word``."""


@dataclass(frozen=True)
class Try:
    """One look into the vocabulary: the piece of ``word[start:stop]``, and whether it is there."""

    start: int
    stop: int
    piece: str
    found: bool


@dataclass(frozen=True)
class Search:
    """How a word was cut.

    Attributes
    ----------
    word
        The word.
    spans
        Start and stop of each word piece, in characters of the word.
    failed_at
        From where on no word piece fitted; None if the whole word was cut.
    too_long
        True if the word has more characters than are searched.
    tokens
        The word pieces, or one ``[UNK]``.
    """

    word: str
    spans: tuple[tuple[int, int], ...]
    failed_at: int | None = None
    too_long: bool = False
    unknown: str = UNKNOWN
    prefix: str = PREFIX

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens that the word becomes."""
        if self.too_long or self.failed_at is not None:
            return (self.unknown,)
        return tuple(self.piece(*span) for span in self.spans)

    def piece(self, start: int, stop: int) -> str:
        """Return ``word[start:stop]`` as the vocabulary writes it: with the prefix, unless at the start."""
        return (self.prefix if start else "") + self.word[start:stop]

    @property
    def tries(self) -> Iterator[Try]:
        """Every look into the vocabulary, in order: the longest candidate first, then one letter less."""
        for start, end in self.spans:
            for stop in range(len(self.word), end - 1, -1):
                yield Try(start, stop, self.piece(start, stop), stop == end)
        if self.failed_at is not None:
            for stop in range(len(self.word), self.failed_at, -1):
                yield Try(self.failed_at, stop, self.piece(self.failed_at, stop), False)


def search(
    word: str,
    vocabulary: Container[str],
    *,
    unknown: str = UNKNOWN,
    prefix: str = PREFIX,
    longest: int = LONGEST,
) -> Search:
    """Cut a word into word pieces: the longest that fits, then the same again for what is left of the word.

    Parameters
    ----------
    word
        A word, normalised, without spaces.
    vocabulary
        The word pieces; those inside a word have the prefix.
    unknown, prefix
        How the vocabulary writes the unknown word and the continuation.
    longest
        A word with more characters is not searched.

    References
    ----------
    The greedy search is that of Google's BERT code of 2018 (``tokenization.py``); the pieces are older: Wu et
    al., 2016, "Google's Neural Machine Translation System", section 4.1.
    """
    instance("word", word, str, "a word")
    if isinstance(vocabulary, str | bytes) or not isinstance(vocabulary, Container):
        raise ArgumentError(
            f"vocabulary={shown(vocabulary)}: word pieces in a set, list or dict are needed, "
            f"not {a_or_an(vocabulary)}."
        )
    if len(word) > whole_number("longest", longest, least=0):
        return Search(word, (), too_long=True, unknown=unknown, prefix=prefix)
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(word):
        begin = prefix if start else ""
        stops = range(len(word), start, -1)
        stop = next((stop for stop in stops if begin + word[start:stop] in vocabulary), None)
        if stop is None:
            return Search(word, tuple(spans), start, unknown=unknown, prefix=prefix)
        spans.append((start, stop))
        start = stop
    return Search(word, tuple(spans), unknown=unknown, prefix=prefix)
