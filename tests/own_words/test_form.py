"""The exam in people's own words is well formed, and its halves have nothing in common."""

from collections import Counter
from pathlib import Path

import pytest

from bertviz_lite.evaluation.scores.own_words import read_exam, shared_sentences

FOLDER = Path(__file__).parent
HALVES = ("look", "unread")


def rows(half: str, name: str) -> list[list[str]]:
    lines = (FOLDER / half / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines]


def counts(half: str, name: str) -> Counter[str]:
    return Counter(row[0] for row in rows(half, name))


@pytest.mark.parametrize("half", HALVES)
def test_a_choice_has_one_mask_and_two_different_words(half: str) -> None:
    for kind, sentence, right, wrong in rows(half, "choices"):
        assert kind
        assert sentence.count("[MASK]") == 1, sentence
        assert right != wrong
        assert not {" ", ""} & {*right, *wrong}, "one word each"


@pytest.mark.parametrize("half", HALVES)
def test_a_pair_has_a_label_and_two_texts(half: str) -> None:
    labels = Counter(label for _, label, first, second in rows(half, "pairs") if first and second)
    assert labels == {"next": 60, "not": 60}


def test_the_halves_are_equal_in_kinds_and_share_no_text() -> None:
    for name in ("choices", "pairs"):
        assert counts("look", name) == counts("unread", name)
    texts = [
        " ".join(row[column].lower() for column in columns)
        for name, columns in (("choices", (1,)), ("pairs", (2, 3)))
        for half in HALVES
        for row in rows(half, name)
    ]
    assert len(texts) == len(set(texts))


@pytest.mark.thorough
@pytest.mark.parametrize("half", HALVES)
def test_no_sentence_is_one_of_the_first_training_stories(half: str) -> None:
    """How many there are is compared, not which: a failure prints nothing of the exam."""
    shared = shared_sentences(read_exam(FOLDER, half), count=1_000)
    number = len(shared.shared)
    assert shared.sentences > 600
    assert number == 0


def test_it_is_as_large_as_an_exam_has_to_be() -> None:
    assert sum(counts(half, "choices").total() for half in HALVES) >= 600
    assert sum(counts(half, "pairs").total() for half in HALVES) >= 240
    assert min(counts("unread", "choices").values()) >= 9
