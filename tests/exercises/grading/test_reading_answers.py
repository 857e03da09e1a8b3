"""What is read in a student's notebook before anything is run: what an answer needs, and whose it is."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import nbformat
import pytest

from bertviz_lite.chapters.chapter_03 import exercises
from bertviz_lite.exercises.grading.copying import is_copied, is_same_code
from bertviz_lite.exercises.grading.notebooks.code import imported_modules
from bertviz_lite.exercises.grading.slicing import needed, pieces, statements_of
from bertviz_lite.exercises.grading.submissions import find_submissions
from bertviz_lite.exercises.grading.tampering import changed_check, replaced_check, taken_solution
from tests.helpers.class_work import handout_at, student


def notebook(*cells: str) -> dict[str, Any]:
    return dict(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells]))


def lines_for(name: str, *cells: str) -> list[str]:
    """Return the statements that a name needs."""
    book = notebook(*cells)
    statements, _ = statements_of(book)
    return [
        ast.unparse(ast.parse(piece.source).body[number]) if names is None else f"import {' '.join(names)}"
        for piece in pieces(needed(name, statements, len(cells)), book)
        for number, names in piece.take
    ]


def test_an_answer_needs_its_helpers_its_imports_and_no_chapter() -> None:
    found = lines_for(
        "answer",
        "import math\nimport numpy as np, torch\nprint('long')",
        "weights = train_for_hours()",
        "def half(x):\n    return x / factor",
        "factor = 2",
        "def answer(x):\n    weights = half(x)\n    return math.sqrt(weights)",
    )
    assert found == [
        "import math",
        "def half(x):\n    return x / factor",
        "factor = 2",
        "def answer(x):\n    weights = half(x)\n    return math.sqrt(weights)",
    ]


def test_what_changes_a_value_is_needed_too() -> None:
    found = lines_for(
        "answer",
        "table = {}\ntable['a'] = 1\nother = {}",
        "words = []\nwords.append('a')",
        "answer = table, words",
    )
    assert found == [
        "table = {}",
        "table['a'] = 1",
        "words = []",
        "words.append('a')",
        "answer = (table, words)",
    ]


def test_magics_and_shell_commands_are_no_errors() -> None:
    assert lines_for("answer", "%matplotlib inline\n!ls\nanswer = 1") == ["answer = 1"]
    assert lines_for("answer", "%%time\nanswer = 1") == ["answer = 1"]


@pytest.mark.parametrize("before", ["", "\n\n", "%%time\n", "  \n%matplotlib inline\n"])
def test_lines_are_counted_as_in_the_cell(before: str) -> None:
    (*_, statement), _ = statements_of(notebook(f"{before}answer = 1"))
    assert statement.node.lineno == before.count("\n") + 1


def test_a_cell_that_is_no_python_is_named_and_the_others_are_read() -> None:
    statements, broken = statements_of(notebook("def answer(:", "other = 1", "(" * 300))
    assert sorted(broken) == [0, 2]
    assert [sorted(statement.binds) for statement in statements] == [["other"]]


SPLIT = """
def split_heads(x, n):
    batch, seq_len, hidden_size = x.shape
    parts = x.reshape(batch, seq_len, n, hidden_size // n)
    return parts.transpose(1, 2)
"""


def definition(source: str) -> ast.stmt:
    return ast.parse(source).body[0]


def test_the_solution_is_recognised_with_other_parameters() -> None:
    assert is_copied(definition(SPLIT), exercises.split_heads)
    assert is_copied(definition(repr(exercises.split_heads.solution())), exercises.split_heads)
    assert is_copied(definition(repr(exercises.weight_at_distance.solution())), exercises.weight_at_distance)


def test_an_answer_of_ones_own_is_no_copy() -> None:
    own = (
        SPLIT.replace("batch, seq_len, hidden_size", "b, t, h")
        .replace("batch, seq_len", "b, t")
        .replace("hidden_size", "h")
    )
    assert not is_copied(definition(own), exercises.split_heads)
    assert not is_same_code(definition(own), exercises.split_heads)


def test_a_line_that_anybody_may_write_is_no_copy_but_is_told() -> None:
    line = definition("def mine(a, d):\n    return a.diagonal(d, dim1=-2, dim2=-1).mean(dim=-1)")
    assert not is_copied(line, exercises.weight_at_distance)
    assert is_same_code(line, exercises.weight_at_distance)


@pytest.mark.parametrize(
    "line",
    [
        "exercises.split_heads.check = print",
        "setattr(exercises.split_heads, 'check', print)",
        "exercises.split_heads = None",
        "from bertviz_lite.exercises import Exercise\nExercise.check = print",
        "import bertviz_lite\nbertviz_lite.exercises.checking.difference = print",
        "del exercises.split_heads.reference",
    ],
)
def test_putting_something_in_the_checkers_place_is_seen(line: str) -> None:
    book = notebook("from bertviz_lite.chapters.chapter_03 import exercises", line)
    statements, _ = statements_of(book)
    assert replaced_check(statements, imported_modules(book), "split_heads")


def test_other_assignments_and_another_exercises_check_are_no_tampering() -> None:
    book = notebook(
        "from bertviz_lite.chapters.chapter_03 import exercises\nimport torch",
        "exercises.softmax_row.check = print\nmodel.config.x = 1\ntorch.my_name = 2\nsetattr(model, 'a', 1)",
    )
    statements, _ = statements_of(book)
    assert replaced_check(statements, imported_modules(book), "split_heads") is None
    assert replaced_check(statements, imported_modules(book), "softmax_row")


def test_an_answer_that_takes_the_solution_is_seen() -> None:
    statements, _ = statements_of(notebook("f = lambda x: exercises.split_heads.reference(x, 2)", "g = 1"))
    assert taken_solution(statements) == "its code takes exercises.split_heads.reference"
    assert taken_solution(statements[1:]) is None


def test_a_check_may_move_and_lose_its_name_but_not_change_or_go(tmp_path: Path) -> None:
    handout = handout_at(tmp_path / "03_attention.ipynb")
    exercised = handout.exercises[-1]
    book = student(handout, {})
    cell = next(cell for cell in book["cells"] if cell["id"] == exercised.locked["id"])
    assert changed_check(exercised, book) is None
    cell["source"] = "exercises.causal_head.check(causal_head)  \n"
    cell["id"], cell["metadata"] = "other", {}
    book["cells"].reverse()
    assert changed_check(exercised, book) is None
    cell["source"] = "exercises.causal_head.check(exercises.causal_head.reference)"
    assert changed_check(exercised, book) == "the cell that checks it is missing"
    cell["id"] = exercised.locked["id"]
    assert changed_check(exercised, book) == "the cell that checks it was changed"


def test_students_are_found_in_folders_and_in_names_of_files(tmp_path: Path) -> None:
    handout = handout_at(tmp_path / "03_attention.ipynb")
    folder = tmp_path / "class"
    names = {
        "ana/03_attention.ipynb": "ana",
        "Ben Li_4711_assignsubmission_file/03_attention.ipynb": "Ben Li_4711_assignsubmission_file",
        "carla_03_attention.ipynb": "carla",
        "03_attention (dan).ipynb": "dan",
        "erik.ipynb": "erik",
        "finn/03/03_attention.ipynb": "finn",
        "finn/03/03_attention-1.ipynb": "finn",
        ".ipynb_checkpoints/03_attention.ipynb": "",
    }
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(nbformat.from_dict(handout.notebook), folder / name)
    found = {one.path.relative_to(folder).as_posix(): one for one in find_submissions(folder, [handout])}
    assert len(found) == len(names) - 1
    assert all(one.student.partition(" (")[0] == names[name] for name, one in found.items())
    assert all(one.handout is handout for one in found.values())
    assert found["finn/03/03_attention.ipynb"].student == "finn (finn/03/03_attention.ipynb)"


def test_a_file_that_is_no_notebook_has_a_problem_and_still_a_student(tmp_path: Path) -> None:
    handout = handout_at(tmp_path / "03_attention.ipynb")
    (tmp_path / "class").mkdir()
    for number, text in enumerate(("{", "[]", '{"cells": [1]}', "[" * 100_000)):
        (tmp_path / "class" / f"{number}_03_attention.ipynb").write_text(text, encoding="utf-8")
    found = find_submissions(tmp_path / "class", [handout])
    assert [one.student for one in found] == ["0", "1", "2", "3"]
    assert all(one.problem and one.notebook is None and one.handout is handout for one in found)
