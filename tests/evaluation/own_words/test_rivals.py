"""The simple rivals, worked out by hand on a few texts."""

from __future__ import annotations

import math

import pytest

from bertviz_lite.evaluation.scores.own_words import Choice, Pair
from bertviz_lite.evaluation.scores.own_words.ngrams import BackOff, Counts, training_stories
from bertviz_lite.evaluation.scores.own_words.overlap import Overlap
from bertviz_lite.evaluation.scores.own_words.rivals import BOTH, LEFT, NGRAMS, rivals_choose
from bertviz_lite.world import Story
from tests.helpers.made_stories import make_story

TEXTS = ["The dogs are tired.", "The dog is tired. The dog is old.", "The dogs is red."]


def test_runs_of_words_are_counted_over_sentences_but_not_over_texts() -> None:
    ngrams = Counts.of([make_story("The dog ran .", "The dog sat ."), make_story("A dog sat .")]).ngrams
    assert ngrams["dog",] == 3
    assert ngrams["dog", "sat"] == 2
    assert ngrams[".", "the"] == 2  # the second sentence's, and the boundary before the first
    assert ngrams["ran", ".", "the", "dog", "sat"] == 1
    assert ngrams["sat", ".", "a"] == 0
    assert ngrams[".",] == 3  # the boundary is no word
    assert max(map(len, ngrams)) == 5


def test_neighbours_prefer_what_was_counted_and_fall_back() -> None:
    choices = [
        Choice("", "The dogs ", "are", "is", " tired."),  # left: 1 to 1, then alone 1 to 3; both: 1 to 0
        Choice("", "The dogs ", "are", "is", " red."),  # both: 0 to 1
        Choice("", "A cat ", "is", "are", " old."),  # nothing like it: "is" is more frequent
        Choice("", "", "the", "dog", " cat ran."),  # a text begins with "the"
        Choice("", "A cat ", "sat", "ran", "."),  # neither word is known
    ]
    earned = rivals_choose(Counts(TEXTS), choices)
    assert earned[LEFT] == [0.0, 0.0, 1.0, 1.0, 0.5]
    assert earned[BOTH] == [1.0, 0.0, 1.0, 1.0, 0.5]
    assert earned[NGRAMS][4] == 0.5


def test_a_possessive_beside_the_gap_is_a_neighbour_of_its_own() -> None:
    counts = Counts(["Anna's dog can't swim."])
    assert counts.ngrams["anna", "'s", "dog", "can't"] == 1
    earned = rivals_choose(counts, [Choice("", "", "Anna", "Tom", "'s cat ran.")])
    assert earned[BOTH] == [1.0]


def test_the_n_gram_model_is_kneser_ney_as_worked_out_by_hand() -> None:
    """Of "a b" and "a c": each word has one word before it; after "a" two words, once each."""
    model = BackOff(Counts(["a b", "a c"]), order=2)
    alone = (1 - 0.75 + 0.75 * 3 * (1 / 4)) / 3
    assert model.probability("b") == pytest.approx(alone)
    assert model.probability("zebra") == pytest.approx(0.75 * 3 * (1 / 4) / 3)
    after_a = (1 - 0.75 + 0.75 * 2 * alone) / 2
    assert model.probability("b", ("a",)) == pytest.approx(after_a)
    assert model.probability("b", ("zebra", "a")) == pytest.approx(after_a)
    assert model.probability("b", ("zebra",)) == pytest.approx(alone)
    first = (2 - 0.75 + 0.75 * 1 * alone) / 2
    assert model.log_probability("a b") == pytest.approx(math.log(first) + math.log(after_a))


@pytest.mark.parametrize("context", [(), ("the",), ("the", "dog"), (".", "the", "dogs"), ("no", "such")])
def test_the_probabilities_of_all_words_and_one_unknown_add_up_to_one(context: tuple[str, ...]) -> None:
    model = BackOff(Counts(TEXTS))
    words = ["the", "dogs", "dog", "are", "is", "tired", "old", "red", ".", "unknown"]
    assert sum(model.probability(word, context) for word in words) == pytest.approx(1.0)


def test_the_n_gram_model_prefers_what_it_has_read() -> None:
    choice = Choice("", "The dog ", "is", "are", " old.")
    assert rivals_choose(Counts(TEXTS), [choice])[NGRAMS] == [1.0]


def test_shared_words_weigh_as_they_surprise() -> None:
    counts = Counts(["the dog the cat"])  # the 2, dog 1, cat 1
    pair = Pair("", True, "A dog slept.", "The dog barked.")
    overlap = Overlap(counts, [])
    the, dog, barked = math.log(5 / 3), math.log(5 / 2), math.log(5)
    assert overlap.share(pair) == pytest.approx(dog / (the + dog + barked))
    assert overlap.share(Pair("", True, "!", "?")) == 0.0


def test_enough_is_what_does_best_in_training() -> None:
    counts = Counts(["a b c d e f"])
    half = Pair("", True, "a b", "b c")
    none = Pair("", False, "a b", "c d")
    overlap = Overlap(counts, [half, none, Pair("", True, "a b", "a b")])
    assert overlap.enough == pytest.approx(0.5)
    judged = [Pair("", True, "e", "e f"), Pair("", True, "e", "f"), Pair("", False, "e", "e")]
    assert overlap.judge(judged) == [1.0, 0.0, 0.0]


def test_training_stories_are_those_of_the_shards_of_a_run() -> None:
    calls = []

    def source(seed: int, n: int) -> list[Story]:
        calls.append((seed, n))
        return [make_story(f"{seed} .")] * n

    assert len(list(training_stories(source, 4_500, seed=3))) == 4_500
    assert calls == [(300_000, 2_000), (300_001, 2_000), (300_002, 500)]
