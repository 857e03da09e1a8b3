"""Minimal pairs in Chinese: one word or two neighbours are wrong, and nothing else is changed."""

from __future__ import annotations

from collections import Counter

import pytest

from bertviz_lite.world.chinese import minimal_pairs, stories
from bertviz_lite.world.chinese.lexicon import entry
from bertviz_lite.world.chinese.minimal import KINDS, pairs_of

STORIES = stories(23, 300)


@pytest.mark.parametrize("kind", KINDS)
def test_a_pair_differs_in_the_marked_words_only(kind: str) -> None:
    found = 0
    for told in STORIES:
        starts, ends = {word.start for word in told.words}, {word.end for word in told.words}
        for pair in pairs_of(told, kind):
            found += 1
            assert pair.before + pair.right + pair.after == told.text
            assert pair.right != pair.wrong
            assert len(pair.before) in starts
            assert len(pair.before) + len(pair.right) in ends
            if kind.startswith("order"):
                assert sorted(pair.right) == sorted(pair.wrong)
    assert found >= 5


def test_a_wrong_classifier_fits_the_noun_in_no_table() -> None:
    for told in STORIES:
        at = {word.start: word for word in told.words}
        for pair in pairs_of(told, "classifier"):
            noun = at[len(pair.before)].noun
            assert noun is not None
            assert pair.wrong not in entry(noun).classifiers


def test_a_wrong_pronoun_could_mean_nobody_of_the_story() -> None:
    for told in STORIES:
        for pair in pairs_of(told, "pronoun"):
            assert pair.wrong not in {being.pronoun for being in told.beings}


def test_pairs_of_a_seed_are_of_all_kinds_and_the_same_again() -> None:
    pairs = minimal_pairs(seed=5, per_kind=3)
    assert Counter(pair.kind for pair in pairs) == dict.fromkeys(KINDS, 3)
    assert pairs == minimal_pairs(seed=5, per_kind=3)
