"""Learn a vocabulary of word pieces from counted words, by joining one pair of neighbours at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from bertviz_lite.basics.arguments import ArgumentError, instance, members, whole_number
from bertviz_lite.data.wordpiece.searching import PREFIX

if TYPE_CHECKING:
    from collections.abc import Sequence


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
        Each word, and how often it occurs.
    merges
        How many pairs to join; fewer if every word is one piece before that.
    by
        Which pair is joined: "count", the one that occurs most often (byte-pair encoding, Sennrich et al.,
        2016; the trainer of ``tokenizers`` does the same under the name WordPiece); or "score", the one with
        the largest count(pair) / (count(left) · count(right)), in the spirit of Schuster and Nakajima, 2012,
        who join what makes the text most likely. Among equals, the pair whose pieces are older.
    alphabet
        The letters that are older than the others, the oldest first; letters not in it follow, sorted.

    Raises
    ------
    ArgumentError
        If there is no word, or `by` is something else.
    """
    if by not in ("count", "score"):
        raise ArgumentError(f"by={by!r}: 'count' or 'score' is needed.")
    merges = whole_number("merges", merges, least=0)
    instance("counts", counts, Mapping, "a dict of words and counts, as {'low': 5},")  # type: ignore[type-abstract]
    members("counts", list(counts), str, "a dict of words and counts")
    if not any(counts):
        raise ArgumentError("counts holds no word: give each word and how often it occurs, as {'low': 5}.")
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
    """Join a pair wherever it occurs, from left to right."""
    joined: list[str] = []
    for next_piece in pieces:
        if joined and joined[-1] == left and next_piece == right:
            joined[-1] = piece
        else:
            joined.append(next_piece)
    return joined
