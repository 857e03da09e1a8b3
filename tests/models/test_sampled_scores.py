"""A sample of a worse model's scores is not taken for the recorded ones."""

from __future__ import annotations

from bertviz_lite.evaluation.scores import Score, Scores
from tests.helpers.sampled_scores import far_from_recorded

NAMES = ("agreement", "pronoun", "mention", "masked_words", "next_part", "minimal_pairs", "senses")


def scores(value: float, n: int, *, senses: float | None = None) -> Scores:
    return Scores({name: Score(value if name != "senses" or senses is None else senses, n) for name in NAMES})


def test_what_chance_explains_is_not_far() -> None:
    assert far_from_recorded(scores(0.86, 100), scores(0.90, 1000)) == []


def test_a_model_that_knows_less_is_far_in_every_score() -> None:
    assert len(far_from_recorded(scores(0.60, 100), scores(0.90, 1000))) == len(NAMES)


def test_so_is_one_that_knows_more_than_was_recorded() -> None:
    assert far_from_recorded(scores(0.90, 100, senses=0.6), scores(0.60, 1000)) != []


def test_few_items_say_nothing() -> None:
    few = scores(0.9, 1000) | {"agreement": Score(0.0, 7)}
    everything = Scores(scores(0.9, 1000) | {"more": Score(0.9, 100), "agreement": Score(0.9, 1000)})
    assert far_from_recorded(Scores(few | {"more": Score(0.9, 100)}), everything) == []
