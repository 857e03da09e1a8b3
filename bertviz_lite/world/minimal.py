"""Minimal pairs: a story, and the same story with one word that the town would never have written there.

Nine kinds, eight where a town does not talk. In each, the right and the wrong word are forms that a reader of
the story could confuse, so that a model that merely knows which words are frequent gets half of them right.
Left out: pairs that differ in more than one word.

>>> pair = minimal_pairs(seed=3, per_kind=1)[0]
>>> pair.kind, pair.right, pair.wrong
('agreement of be', 'was', 'were')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bertviz_lite.basics.arguments import whole_number
from bertviz_lite.world.english.wrong_words import KINDS, TALKING_KINDS, Foil
from bertviz_lite.world.events.minimal_pair import MinimalPair
from bertviz_lite.world.events.text import Story
from bertviz_lite.world.towns import FIRST, TOWN, story_of

__all__ = ["KINDS", "kinds_of", "minimal_pairs", "minimal_pairs_of"]


def _candidates(source: Story, foil: Foil) -> list[tuple[int, int, str]]:
    """Return sentence, index and wrong form of all words that have a wrong form."""
    return [
        (number, index, wrong)
        for number, sentence in enumerate(source.sentences)
        for index in range(len(sentence.words))
        if (wrong := foil(sentence, index))
    ]


def _pair(kind: str, source: Story, number: int, index: int, wrong: str) -> MinimalPair:
    text, sentence = str(source), source.sentences[number]
    before = sum(len(str(earlier)) + 1 for earlier in source.sentences[:number])
    start, end = (before + edge for edge in sentence.spans[index])
    right = text[start:end]
    wrong = wrong[0].upper() + wrong[1:] if right[0].isupper() else wrong
    return MinimalPair(kind, text[:start], right, wrong, text[end:])


_MOST_STORIES = 500  # read for each pair of a kind


def kinds_of(town: str) -> Mapping[str, Foil]:
    """Return the kinds of a town's minimal pairs, each with the function that returns a wrong word."""
    return KINDS if town == FIRST else TALKING_KINDS


def minimal_pairs(seed: int, per_kind: int = 100, *, town: str = TOWN) -> list[MinimalPair]:
    """Return ``per_kind`` pairs of each kind, at most one of a kind from one story.

    A kind that is rare in a town gets fewer: what the first 500 stories for each wanted pair hold, at
    least the first thousand.

    Parameters
    ----------
    seed
        Of the stories that the pairs are taken from.
    per_kind
        How many of each kind, 0 or more.
    town
        Whose stories they are taken from: see ``world.towns``.

    Raises
    ------
    ArgumentError
        Where a number is not whole, or ``per_kind`` is negative.

    Examples
    --------
    >>> pairs = minimal_pairs(seed=3, per_kind=2)
    >>> len(pairs), pairs[-1].kind
    (18, 'need and consequence')
    """
    seed, per_kind = whole_number("seed", seed), whole_number("per_kind", per_kind, least=0)
    story, most = story_of(town), max(1_000, _MOST_STORIES * per_kind)
    return minimal_pairs_of((story(seed, index) for index in range(most)), per_kind, town)


def minimal_pairs_of(stories: Iterable[Story], per_kind: int, town: str = TOWN) -> list[MinimalPair]:
    """Return at most ``per_kind`` pairs of each kind from stories of a town, read until there are enough."""
    kinds = kinds_of(town)
    by_kind: dict[str, list[MinimalPair]] = {kind: [] for kind in kinds}
    if per_kind == 0:
        return []
    for number, source in enumerate(stories, start=1):
        for kind, pairs in by_kind.items():
            if len(pairs) < per_kind and (candidates := _candidates(source, kinds[kind])):
                pairs.append(_pair(kind, source, *candidates[number % len(candidates)]))
        if all(len(pairs) >= per_kind for pairs in by_kind.values()):
            break
    return [pair for pairs in by_kind.values() for pair in pairs]
