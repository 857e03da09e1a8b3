"""Both exams as they are read, written by the town, and searched for in training text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.pretraining.forbidden import TrainingTown
from bertviz_lite.evaluation.scores.own_words import (
    Choice,
    Exam,
    Pair,
    forbidden_sentences,
    read_exam,
    shared_sentences,
)
from bertviz_lite.evaluation.scores.own_words.town import part_pairs, town_exam
from bertviz_lite.world import Story, life, minimal_pairs
from bertviz_lite.world.minimal import kinds_of
from bertviz_lite.world.towns import TOWN
from tests.helpers.made_stories import make_story


def write(folder: Path, choices: str, pairs: str) -> Path:
    for half in ("look", "unread"):
        (folder / half).mkdir(parents=True)
        (folder / half / "choices.tsv").write_text(choices, encoding="utf-8")
        (folder / half / "pairs.tsv").write_text(pairs, encoding="utf-8")
    return folder


def test_an_exam_is_read_as_it_is_written(tmp_path: Path) -> None:
    write(tmp_path, "near\tThe cat [MASK] old.\tis\tare\n", "short\tnot\tIt rained.\tHe ate.\n")
    exam = read_exam(tmp_path, "look")
    assert exam == Exam(
        (Choice("near", "The cat ", "is", "are", " old."),), (Pair("short", False, "It rained.", "He ate."),)
    )


def test_a_wrong_line_is_named_by_its_number_and_not_shown(tmp_path: Path) -> None:
    write(tmp_path, "near\tThe [MASK] cat.\tis\tare\nnear\tSecret\tis\tare\n", "")
    with pytest.raises(ArgumentError, match=r"choices.tsv, line 2: kind, text") as error:
        read_exam(tmp_path, "unread")
    assert "Secret" not in str(error.value)
    (tmp_path / "look" / "choices.tsv").write_text("", encoding="utf-8")
    (tmp_path / "look" / "pairs.tsv").write_text("short\tmaybe\tSecret\tSecret\n", encoding="utf-8")
    with pytest.raises(ArgumentError, match=r"pairs.tsv, line 1: kind, next or not") as error:
        read_exam(tmp_path, "look")
    assert "Secret" not in str(error.value)


def test_a_missing_exam_and_an_unknown_half_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"is missing: .* give that folder"):
        read_exam(tmp_path, "look")
    with pytest.raises(ArgumentError, match="half='all': 'look' or 'unread' is needed"):
        read_exam(tmp_path, "all")


@pytest.mark.thorough
def test_the_towns_choices_are_the_minimal_pairs_of_the_scores() -> None:
    exam = town_exam(TrainingTown(), per_kind=2, pairs=24)
    chosen = [
        (choice.kind, choice.before, choice.right, choice.wrong, choice.after) for choice in exam.choices
    ]
    paired = [
        (pair.kind, pair.before, pair.right, pair.wrong, pair.after) for pair in minimal_pairs(900_000_002, 2)
    ]
    assert Counter(kind for kind, *_ in chosen) == dict.fromkeys(kinds_of(TOWN), 2)
    # The exam reads on where two pairs of a rare kind are not in the first thousand texts.
    assert [choice for choice in chosen if choice in paired] == paired
    assert {kind for kind, *_ in set(chosen) - set(paired)} <= {"need and consequence"}
    kinds = Counter(pair.kind for pair in exam.pairs)
    assert kinds == {
        "true-short": 6, "true-long": 6, "other-order": 4, "other-story-short": 4, "other-story-long": 4,
    }  # fmt: skip


def test_a_towns_pair_is_what_its_kind_says() -> None:
    written = [life.story(11, index) for index in range(37)]
    for number, pair in enumerate(part_pairs(written)):
        text, other = str(written[number]), str(written[number + 1])
        joined = {True: f"{pair.first} {pair.second}", False: f"{pair.second} {pair.first}"}
        if pair.kind.startswith("other-story"):
            assert pair.first in text
            assert pair.second in other
        else:
            assert joined[pair.kind != "other-order"] in text
        assert pair.follows == pair.kind.startswith("true")


def test_stories_that_are_too_short_are_left_out() -> None:
    short, long = make_story("A b ."), make_story("C d .", "E f .", "G h .", "I j .")
    pairs = part_pairs([short, long, short, long, long])
    assert [(pair.kind, pair.first, pair.second) for pair in pairs] == [
        ("true-short", "E f.", "G h."), ("other-story-short", "C d.", "E f."),
    ]  # fmt: skip


def test_shared_sentences_are_found_whatever_their_case_and_marks() -> None:
    exam = Exam(
        (
            Choice("", "Anna ran. ", "the", "a", " cat sat on a mat."),
            Choice("", "The cat ", "is", "are", " very old today."),
        ),
        (Pair("", True, "“The old dog barked!” It was cold.", "The bird sang all day."),),
    )

    def source(_: int, n: int) -> list[Story]:
        text = "The cat sat on a mat .", "The old dog barked .", "It was cold .", "Anna ran ."
        return [make_story(*text)] * n

    shared = shared_sentences(exam, 3, source)
    assert shared.shared == ("the cat sat on a mat", "the old dog barked")
    assert shared.places == ("choices.tsv, line 1", "pairs.tsv, line 1")
    assert (shared.sentences, shared.stories) == (4, 3), "shorter ones are everybody's"


def test_every_sentence_of_an_exam_is_forbidden_with_either_word(tmp_path: Path) -> None:
    choices = "near\tHe is here today. The old cat [MASK] here.\tis\tare\n"
    write(tmp_path, choices, "short\tnot\tIt rained all day. He ran.\tShe stayed at home.\n")
    (tmp_path / "unread" / "pairs.tsv").write_text("short\tnext\tShe ran to him.\tHe ran too.\n", "utf-8")
    forbidden = forbidden_sentences(tmp_path)
    said = ["He is here today.", "The old cat is here.", "The old cat are here.", "It rained all day."]
    said += ["She stayed at home.", "She ran to him."]
    assert all(forbidden.is_in([sentence]) for sentence in said)
    assert len(forbidden.hashes) == len(said), "shorter ones are everybody's"


@pytest.mark.thorough
def test_a_town_of_short_texts_has_as_many_pairs_as_another() -> None:
    exam = town_exam(TrainingTown(TOWN), per_kind=1, pairs=48)
    kinds = Counter(pair.kind for pair in exam.pairs)
    assert kinds == {
        "true-short": 12, "true-long": 12, "other-order": 8, "other-story-short": 8, "other-story-long": 8,
    }  # fmt: skip
    assert exam.pairs[:24] == town_exam(TrainingTown(TOWN), per_kind=1, pairs=24).pairs
