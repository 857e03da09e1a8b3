"""The town's own exam in the same two forms: its minimal pairs as choices, and its stories cut into pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from bertviz_lite.data.pretraining.forbidden import TrainingTown
from bertviz_lite.evaluation.scores.evaluation_set import EVALUATION_SEED
from bertviz_lite.evaluation.scores.own_words.exam import Choice, Exam, Pair
from bertviz_lite.evaluation.scores.own_words.ngrams.counts import Source
from bertviz_lite.world.minimal import minimal_pairs_of

if TYPE_CHECKING:
    from bertviz_lite.world import Sentence, Story

_KINDS = (
    "true-short", "other-story-short", "true-long", "other-order",
    "true-short", "other-story-long", "true-long", "other-order",
    "true-short", "other-story-short", "true-long", "other-story-long",
)  # fmt: skip
"""The kinds of pairs by turns: half of them true, the others in people's proportions, nearly."""

MOST_STORIES = 16_000


def town_exam(town: TrainingTown, per_kind: int = 100, pairs: int = 480) -> Exam:
    """Write the town's exam from stories that training does not use.

    Parameters
    ----------
    town
        The town.
    per_kind
        Minimal pairs of each kind, at most; those of the scores on the card. Of a kind that is rare, fewer:
        the scores read on.
    pairs
        Pairs of texts; each is of stories of its own.
    """
    minimal = minimal_pairs_of(_endless(town.stories, EVALUATION_SEED + 2), per_kind, town.name)
    choices = [Choice(pair.kind, pair.before, pair.right, pair.wrong, pair.after) for pair in minimal]
    return Exam(tuple(choices), tuple(_enough_pairs(town.stories, pairs)))


def _enough_pairs(source: Source, wanted: int) -> list[Pair]:
    """Return so many pairs of texts; where many stories are too short for one, of ever more stories."""
    pairs: list[Pair] = []
    count = wanted + 1
    while len(pairs) < wanted and count <= max(MOST_STORIES, wanted + 1):
        pairs, count = part_pairs(source(EVALUATION_SEED + 3, count)), 2 * count
    return pairs[:wanted]


def _endless(source: Source, seed: int) -> Iterator[Story]:
    """Yield the stories of a seed, made in ever larger numbers, up to ``MOST_STORIES``."""
    done, count = 0, 1_000
    while done < MOST_STORIES:
        yield from source(seed, count)[done:]
        done, count = count, 2 * count


def part_pairs(stories: Sequence[Story]) -> list[Pair]:
    """Cut each story but the last into a pair, by turns of all kinds; the next story is the other story.

    A short text is a sentence, a long one two. Texts of another order are true ones, exchanged. Stories that
    are too short are left out.
    """
    pairs: list[Pair] = []
    for number, (story, other) in enumerate(pairwise(stories)):
        kind = _KINDS[len(pairs) % len(_KINDS)]
        size = 2 if kind.endswith("long") else 1
        if len(story.sentences) < 2 * size or len(other.sentences) < size:
            continue
        cut = size + number % (len(story.sentences) - 2 * size + 1)
        first, second = story.sentences[cut - size : cut], story.sentences[cut : cut + size]
        if kind.startswith("other-story"):
            cut = min(cut, len(other.sentences) - size)
            second = other.sentences[cut : cut + size]
        elif kind == "other-order":
            first, second = second, first
        pairs.append(Pair(kind, kind.startswith("true"), _text(first), _text(second)))
    return pairs


def _text(sentences: Sequence[Sentence]) -> str:
    return " ".join(map(str, sentences))
