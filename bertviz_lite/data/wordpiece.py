"""WordPiece by hand: normalise, split into words, cut a word into pieces, and learn a vocabulary.

What the Rust code of ``tokenizers`` does for BERT, in Python that can be read and stepped through:

>>> vocabulary = {"un", "##wrap", "##ped", "##p"}
>>> [tried.piece for tried in search("unwrapped", vocabulary).tries][-3:]
['##wrapp', '##wrap', '##ped']
>>> search("unwrapped", vocabulary).pieces
('un', '##wrap', '##ped')

Left out: offsets, speed, and special tokens written into a text (``[MASK]``): a tokenizer takes these out
first.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

__all__ = ["Learned", "Merge", "Search", "Try", "learn", "normalise", "search", "split_words"]

PREFIX = "##"
UNKNOWN = "[UNK]"
LONGEST = 100
"""A longer word becomes [UNK] at once: ``max_input_chars_per_word``."""

# The blocks of Chinese characters in Google's code of 2018; Japanese and Korean use them too. (The block at
# 2B820 begins at 2B920 in `tokenizers` 0.23.)
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def is_chinese(character: str) -> bool:
    """Say whether BERT sets a character apart as a word of its own."""
    return any(first <= ord(character) <= last for first, last in _CHINESE)


def is_punctuation(character: str) -> bool:
    """Say whether BERT cuts around a character: Unicode's punctuation, and signs of ASCII such as $ and +."""
    in_ascii = (
        character.isascii() and character.isprintable() and not character.isalnum() and character != " "
    )
    return in_ascii or unicodedata.category(character).startswith("P")


def normalise(text: str, *, lower_case: bool = True, strip_accents: bool | None = None) -> str:
    r"""Clean a text as BERT does: character by character, no character knows its neighbours.

    >>> normalise("Zoë's\tcafe\u0301")
    "zoe's cafe"

    Parameters
    ----------
    text
        Any text.
    lower_case
        Write every letter small.
    strip_accents
        Take letters apart (Unicode's form NFD) and drop what is set above and below them; if None, as
        `lower_case`, which is how the released models were made.

    Returns
    -------
    str
        With a space for each white character, no control characters, Chinese characters between spaces.
    """
    without = lower_case if strip_accents is None else strip_accents
    cleaned = "".join(map(_cleaned, text))
    if without:
        apart = unicodedata.normalize("NFD", cleaned)
        cleaned = "".join(letter for letter in apart if unicodedata.category(letter) != "Mn")
    return "".join(letter.lower() for letter in cleaned) if lower_case else cleaned


def _cleaned(character: str) -> str:
    if character in "\t\n\r" or unicodedata.category(character).startswith("Z"):
        return " "
    # Not yet assigned characters (Cn) stay: which they are depends on the version of Unicode.
    if character == "\ufffd" or unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"}:
        return ""
    return f" {character} " if is_chinese(character) else character


def split_words(text: str) -> list[str]:
    """Cut a normalised text at white space, and before and after each punctuation mark.

    >>> split_words("anna's key!")
    ['anna', "'", 's', 'key', '!']
    """
    spaced = "".join(f" {character} " if is_punctuation(character) else character for character in text)
    return spaced.split()


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
        Start and stop of each piece that was found, in characters of the word.
    failed_at
        From where on no piece fitted; None if the whole word was cut.
    too_long
        True if the word has more characters than are searched.
    pieces
        The tokens: the pieces, or one ``[UNK]``.
    """

    word: str
    spans: tuple[tuple[int, int], ...]
    failed_at: int | None = None
    too_long: bool = False
    unknown: str = UNKNOWN
    prefix: str = PREFIX

    @property
    def pieces(self) -> tuple[str, ...]:
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
        for start, found in self.spans:
            for stop in range(len(self.word), found - 1, -1):
                yield Try(start, stop, self.piece(start, stop), stop == found)
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
    """Cut a word into pieces of a vocabulary: the longest that fits, then the same again for the rest.

    Parameters
    ----------
    word
        A word, normalised, without spaces.
    vocabulary
        The pieces; those that go on with a word carry the prefix.
    unknown, prefix
        How the vocabulary writes the unknown word and the continuation.
    longest
        A word with more characters is not searched.

    References
    ----------
    The greedy search is that of Google's BERT code of 2018 (``tokenization.py``); the pieces are older: Wu et
    al., 2016, "Google's Neural Machine Translation System", section 4.1.
    """
    if len(word) > longest:
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


@dataclass(frozen=True)
class Merge:
    """One step of learning: the pair that was joined, the new piece, the count of the pair, its score."""

    left: str
    right: str
    piece: str
    count: int
    score: float


@dataclass
class Learned:
    """What :func:`learn` has learned.

    Attributes
    ----------
    vocabulary
        The letters, then the pieces in the order in which they were joined.
    merges
        The steps.
    words
        Each word as it is cut after the last step.
    """

    vocabulary: list[str]
    words: dict[str, list[str]]
    merges: list[Merge] = field(default_factory=list)


def learn(
    counts: Mapping[str, int],
    merges: int,
    *,
    by: Literal["count", "score"] = "count",
    alphabet: Sequence[str] = (),
    prefix: str = PREFIX,
) -> Learned:
    """Learn pieces from words: start from letters, and join one pair of neighbours at a time.

    Parameters
    ----------
    counts
        Each word, and how often it comes.
    merges
        How many pairs to join; fewer if every word is one piece before that.
    by
        Which pair is joined: "count", the one that comes most often (byte-pair encoding, Sennrich et al.,
        2016; the trainer of ``tokenizers`` does the same under the name WordPiece); or "score", the one with
        the largest count(pair) / (count(left) · count(right)), in the spirit of Schuster and Nakajima, 2012,
        who join what makes the text most likely. Among equals, the pair whose pieces are older.
    alphabet
        The letters that are older than the others, the oldest first; letters not in it follow, sorted.

    Raises
    ------
    ValueError
        If there is no word, or `by` is something else.
    """
    if by not in ("count", "score"):
        raise ValueError(f"by={by!r}: 'count' or 'score' is needed.")
    if not any(counts):
        raise ValueError("counts holds no word: give each word and how often it comes, as {'low': 5}.")
    words = {word: [word[0], *(prefix + letter for letter in word[1:])] for word in counts if word}
    letters = {piece for pieces in words.values() for piece in pieces}
    learned = Learned([*alphabet, *sorted(letters.difference(alphabet))], words)
    for _ in range(merges):
        pairs, single = _counted(learned.words, counts)
        if not pairs:
            break
        age = {piece: index for index, piece in enumerate(learned.vocabulary)}
        scores = {pair: _score(pair, pairs, single, by) for pair in pairs}
        left, right = min(pairs, key=lambda pair: (-scores[pair], age[pair[0]], age[pair[1]]))
        piece = left + right.removeprefix(prefix)
        learned.merges.append(Merge(left, right, piece, pairs[left, right], scores[left, right]))
        if piece not in age:  # the same letters can meet again, joined in another order
            learned.vocabulary.append(piece)
        for word, pieces in learned.words.items():
            learned.words[word] = _joined(pieces, left, right, piece)
    return learned


def _counted(
    words: Mapping[str, list[str]], counts: Mapping[str, int]
) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """Count the pairs of neighbours, and the pieces."""
    pairs: Counter[tuple[str, str]] = Counter()
    single: Counter[str] = Counter()
    for word, pieces in words.items():
        for piece in pieces:
            single[piece] += counts[word]
        for pair in pairwise(pieces):
            pairs[pair] += counts[word]
    return pairs, single


def _score(
    pair: tuple[str, str], pairs: Mapping[tuple[str, str], int], single: Mapping[str, int], by: str
) -> float:
    return pairs[pair] / (1 if by == "count" else single[pair[0]] * single[pair[1]])


def _joined(pieces: list[str], left: str, right: str, piece: str) -> list[str]:
    """Join a pair wherever it stands, from left to right."""
    joined: list[str] = []
    for one in pieces:
        if joined and joined[-1] == left and one == right:
            joined[-1] = piece
        else:
            joined.append(one)
    return joined
