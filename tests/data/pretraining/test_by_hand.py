"""Texts by hand: what a line stands for, what share of the texts they are, and which words they have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from transformers import AutoTokenizer

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.pretraining.by_hand import ByHand
from bertviz_lite.data.pretraining.forbidden import Forbidden, TrainingTown
from bertviz_lite.models import POCKET
from bertviz_lite.world.events.town import PEOPLE

FOLDER = Path("experiments/packed_pretraining/written_by_hand")
WOMEN, MEN = ({person.name for person in PEOPLE if person.gender == sex} for sex in "fm")


def folder_of(tmp_path: Path, **files: str) -> Path:
    """Write files and return their folder."""
    for name, text in files.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_line_is_many_texts_with_other_names_of_the_same_sex(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, letters='# a comment\n"I\'m [glad/sad]," said Anna to Tom. | Anna smiled.\n')
    texts = ByHand.read(folder, 0.5)
    written = [texts.text(3, index) for index in range(200)]
    found = [
        re.fullmatch(r'"I\'m (glad|sad)," said (\w+) to (\w+)\. (\w+) smiled\.', str(text))
        for text in written
    ]
    assert all(found)
    rows = [match.groups() for match in found if match]
    assert {row[0] for row in rows} == {"glad", "sad"}
    assert all(anna == again and anna in WOMEN and tom in MEN for _, anna, tom, again in rows)
    assert len({row[1] for row in rows}) > 12
    assert [str(sentence) for sentence in written[0].sentences][1].endswith("smiled.")
    assert str(texts.text(3, 7)) == str(written[7])


def test_a_share_of_the_towns_texts_gives_way_and_the_others_stay_as_they_are(tmp_path: Path) -> None:
    texts = ByHand.read(folder_of(tmp_path, lines="Nothing else is written here today.\n"), 0.25)
    plain, mixed = TrainingTown("first").stories(5, 80), TrainingTown("first", by_hand=texts).stories(5, 80)
    changed = [one != other for one, other in zip(map(str, plain), map(str, mixed), strict=True)]
    assert 10 <= sum(changed) <= 30
    assert {str(story) for story, other in zip(mixed, changed, strict=True) if other} == {
        "Nothing else is written here today."
    }


def test_a_forbidden_text_by_hand_is_left_out(tmp_path: Path) -> None:
    texts = ByHand.read(folder_of(tmp_path, lines="A cat sat here.\nA dog sat here.\n"), 0.9)
    town = TrainingTown("first", Forbidden.of(["a cat sat here"]), by_hand=texts)
    written = set(map(str, town.stories(5, 60)))
    assert "A dog sat here." in written
    assert "A cat sat here." not in written


def test_stories_are_drawn_twice_as_often_as_other_lines(tmp_path: Path) -> None:
    texts = ByHand.read(folder_of(tmp_path, small_stories="A story.\n", lines="A line.\n"), 0.5)
    stories = sum(str(texts.text(1, index)) == "A story." for index in range(3_000))
    assert 1_900 < stories < 2_100


def test_an_empty_folder_and_an_impossible_share_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="holds no texts by hand"):
        ByHand.read(tmp_path, 0.5)
    with pytest.raises(ArgumentError, match="above 0 and below 1"):
        ByHand.read(folder_of(tmp_path, lines="A cat.\n"), 1.0)


def test_the_texts_of_the_project_are_words_that_the_pocket_model_knows() -> None:
    tokenizer = AutoTokenizer.from_pretrained(POCKET)
    every = ByHand.read(FOLDER, 0.5)
    lines = sorted({line for lines in every.files for line in lines})
    assert len(lines) > 60_000
    assert all(line.count("[") == line.count("]") for line in lines)
    words = sorted({word for line in lines for word in re.findall(r"[^\W\d_]+", line)})
    assert [word for word in words if len(tokenizer.tokenize(word)) > 1] == []
