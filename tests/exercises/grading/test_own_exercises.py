"""What docs/own_exercises.md tells a teacher to write, written and run as it stands there."""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest

from bertviz_lite.exercises.grading.__main__ import main as grade
from bertviz_lite.exercises.grading.handout.__main__ import main as write_handouts

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parents[3] / "docs" / "own_exercises.md"


def blocks() -> tuple[str, str]:
    """Return the teacher's file and the cell of the notebook."""
    file, cell = re.findall(
        r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    return file, cell


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with the teacher's file and notebook; forget the file's module afterwards."""
    file, cell = blocks()
    (tmp_path / "class_exercises.py").write_text(file, encoding="utf-8")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell, id="words")])
    nbformat.write(notebook, tmp_path / "my_notebook.ipynb")
    before = list(sys.path)
    yield tmp_path
    sys.path[:] = before
    sys.modules.pop("class_exercises", None)


def test_an_exercise_takes_ten_lines() -> None:
    file, _ = blocks()
    assert len([line for line in file.splitlines() if line.strip()]) <= 10


@pytest.mark.thorough
def test_the_documented_exercise_is_handed_out_and_graded(folder: Path) -> None:
    handout = folder / "handout"
    assert write_handouts([str(folder / "my_notebook.ipynb"), "--to", str(handout)]) == 0
    assert (handout / "class_exercises.py").read_text(encoding="utf-8") == blocks()[0]
    given = json.loads((handout / "my_notebook.ipynb").read_text(encoding="utf-8"))
    assert "solution()" not in json.dumps(given)
    answers = {
        "ana": "def count_words(text):\n    return sum(1 for word in text.split(' ') if word)",
        "ben": "def count_words(text):\n    return len(text)",
        "carl": "def count_words(text):\n    return exercises.count_words.reference(text)",
        "dora": "def count_words(text):\n    return ...",
        "emil": "import class_exercises\ncount_words = eval(open(class_exercises.__file__).read())",
    }
    for name, source in answers.items():
        cells = [{**cell, "source": source} if cell["id"] == "words" else cell for cell in given["cells"]]
        (folder / "class" / name).mkdir(parents=True)
        text = json.dumps({**given, "cells": cells})
        (folder / "class" / name / "my_notebook.ipynb").write_text(text, encoding="utf-8")
    # A student's own version of the teacher's file changes nothing.
    (folder / "class" / "ben" / "class_exercises.py").write_text("count_words = None", encoding="utf-8")
    assert grade([str(folder / "class"), "--handout", str(handout)]) == 0
    with (folder / "class" / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: (row["result"], row["message"]) for row in csv.DictReader(file)}
    assert rows["ana"] == ("passed", "")
    assert rows["ben"] == ("failed", "These are the letters.")
    assert rows["carl"][0] == "tampered"
    assert rows["dora"] == ("not answered", "")
    assert rows["emil"][0] in ("failed", "tampered")
