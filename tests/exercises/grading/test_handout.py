"""Student notebooks: nothing that answers a question, everything that a grader needs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest

from bertviz_lite.basics.notebook_files import read, text_of
from bertviz_lite.exercises.grading.handout import HandoutError, add_to_course, make_handout, write_handout
from bertviz_lite.exercises.grading.handout.__main__ import chapters, main
from bertviz_lite.exercises.grading.handout.prose import for_students
from bertviz_lite.exercises.grading.notebooks.exercise_cells import exercises_of
from tests.helpers.class_work import CHAPTER
from tests.helpers.exercises import CHAPTERS, exercises_of as exercises_of_chapter

NOTEBOOKS = sorted((Path(__file__).resolve().parents[3] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_chapters_handout_has_every_exercise_and_no_answer(path: Path) -> None:
    chapter = read(path)
    handout = make_handout(chapter)
    nbformat.validate(nbformat.from_dict(handout))
    asked = set(re.findall(r"exercises\.(\w+)\.check\(", "\n".join(map(text_of, chapter["cells"]))))
    assert {exercise.name for exercise in exercises_of(handout)} == asked
    (name,) = (name for name in CHAPTERS if name == f"chapter_{path.stem[:2]}")
    assert asked == set(exercises_of_chapter(name))
    whole = json.dumps(handout, ensure_ascii=False)
    assert ".solution(" not in whole
    # Asides may be folded; there are no answers.
    assert not re.search("<details[^>]*>(?!<summary>If you )", whole)
    assert "solution folded" not in whole
    assert not re.search(r"solution is folded", whole)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in handout["cells"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_other_cells_of_a_chapter_keep_their_names_and_their_code(path: Path) -> None:
    chapter = {cell["id"]: cell for cell in read(path)["cells"]}
    handout = make_handout(read(path))
    new = [cell["id"] for cell in handout["cells"] if cell["id"] not in chapter]
    assert all(name == "handing-in" or name.startswith("check-") for name in new)
    assert set(chapter) <= {cell["id"] for cell in handout["cells"]}
    for cell in handout["cells"]:
        if cell["cell_type"] == "code" and "nbgrader" not in cell["metadata"]:
            assert text_of(cell) == text_of(chapter[cell["id"]])


def test_metadata_say_nothing_but_how_to_grade() -> None:
    handout = make_handout(CHAPTER)
    assert handout["metadata"] == {}
    assert "735" not in json.dumps(handout)
    marks = {cell["id"]: cell["metadata"].get("nbgrader") for cell in handout["cells"]}
    assert marks["setup"] is None
    assert marks["ex-split"] == {
        "schema_version": 3,
        "grade_id": "split_heads-answer",
        "grade": False,
        "solution": True,
        "locked": False,
        "task": False,
    }
    check = marks["check-split_heads"]
    assert check is not None
    assert (check["grade"], check["locked"], check["solution"], check["points"]) == (True, True, False, 1)
    names = [mark["grade_id"] for mark in marks.values() if mark]
    assert len(names) == len(set(names))


def test_a_cell_is_split_into_what_is_answered_and_what_checks() -> None:
    texts = {cell["id"]: text_of(cell) for cell in make_handout(CHAPTER)["cells"]}
    assert texts["ex-split"] == "def split_heads(hidden_states, num_heads):\n    return ..."
    assert texts["check-split_heads"] == "exercises.split_heads.check(split_heads)"
    assert texts["ex-count"] == "my_weights_in_all = ..."
    assert texts["check-weights_in_all"] == "exercises.weights_in_all.check(my_weights_in_all)"
    assert texts["exercises"].endswith("**Explain:** why?")


def test_a_handout_is_not_made_of_a_handout(tmp_path: Path) -> None:
    (tmp_path / "03_attention.ipynb").write_text(json.dumps(make_handout(CHAPTER)), encoding="utf-8")
    with pytest.raises(HandoutError, match="is a handout already"):
        write_handout(tmp_path / "03_attention.ipynb", tmp_path / "out")


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ("Run it. A solution is folded below each cell.", "Run it."),
        ("`.hint()` helps, and a solution folded below.", "`.hint()` helps."),
        ("There's a `.hint()` for each; the solution is folded away below.", "There's a `.hint()` for each."),
        (
            "The solution of this equation is folded into the next.",
            "The solution of this equation is folded into the next.",
        ),
    ],
)
def test_prose_does_not_speak_of_a_solution_that_is_gone(told: str, left: str) -> None:
    assert for_students(told) == left


def test_without_a_name_every_chapter_is_handed_out() -> None:
    assert chapters() == NOTEBOOKS


def test_a_notebook_without_exercises_or_none_at_all_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.ipynb"
    nbformat.write(nbformat.v4.new_notebook(), empty)
    with pytest.raises(HandoutError, match="has no exercise"):
        write_handout(empty, tmp_path / "out")
    (tmp_path / "broken.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(HandoutError, match="is not JSON"):
        write_handout(tmp_path / "broken.ipynb", tmp_path / "out")
    assert main([str(tmp_path / "none.ipynb"), "--to", str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists()


def test_the_source_for_nbgrader_differs_by_hidden_tests_alone(tmp_path: Path) -> None:
    chapter = tmp_path / "03_attention.ipynb"
    chapter.write_text(json.dumps(CHAPTER), encoding="utf-8")
    write_handout(chapter, tmp_path / "handout")
    source = read(add_to_course(tmp_path / "handout" / chapter.name, tmp_path / "course"))
    for given, hiding in zip(
        read(tmp_path / "handout" / chapter.name)["cells"], source["cells"], strict=True
    ):
        hidden = re.compile(r"\n\n### BEGIN HIDDEN TESTS\n.*\n### END HIDDEN TESTS", re.DOTALL)
        assert hidden.sub("", text_of(hiding)) == text_of(given)
        assert bool(hidden.search(text_of(hiding))) == given["id"].startswith("check-")
