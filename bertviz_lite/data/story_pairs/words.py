"""Pairs with other words: other people's names in the second part, or [MASK] in the place of chosen words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, shown
from bertviz_lite.data.story_pairs.cutting import (
    Sentences,
    StoryPair,
    check_generator,
    check_pairs,
    people_of,
)
from bertviz_lite.world import Word
from bertviz_lite.world.events.town import PEOPLE, PERSON


def other_people(pairs: Sequence[StoryPair], rng: np.random.Generator) -> list[StoryPair]:
    """Put the names of other people into B, of the same gender and age.

    Everything else stays: the pronouns still fit, things and places are the story's own. Pairs without a
    name in B are left out.
    """
    check_generator(rng)
    made = []
    for pair in check_pairs(pairs):
        taken, change = set(pair.people), {}
        for name in people_of(pair.second):
            old = PERSON[name]
            free = [
                person.name
                for person in PEOPLE
                if (person.gender, person.age) == (old.gender, old.age) and person.name not in taken
            ]
            change[name] = free[int(rng.integers(len(free)))]
            taken.add(change[name])
        if change:
            made.append(replace(pair, second=renamed(pair.second, change)))
    return made


def renamed(sentences: Sentences, names: dict[str, str]) -> Sentences:
    """Put other names in the place of people's names."""
    return _changed(
        sentences, lambda word: replace(word, text=names[word.text]) if word.name == "person" else word
    )


def mask_words(pairs: Sequence[StoryPair], wanted: Callable[[Word], bool]) -> list[StoryPair]:
    """Put one [MASK] in the place of every wanted word, in A and in B, however many tokens it has."""
    if not callable(wanted):
        raise ArgumentError(
            f"wanted={shown(wanted)}: a function of a word that returns True or False is needed, "
            f"not {a_or_an(wanted)}."
        )

    def change(word: Word) -> Word:
        return replace(word, text="[MASK]") if wanted(word) else word

    return [
        replace(pair, first=_changed(pair.first, change), second=_changed(pair.second, change))
        for pair in check_pairs(pairs)
    ]


def _changed(sentences: Sentences, change: Callable[[Word], Word]) -> Sentences:
    return tuple(replace(sentence, words=tuple(map(change, sentence.words))) for sentence in sentences)
