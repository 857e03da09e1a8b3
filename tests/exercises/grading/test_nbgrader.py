"""nbgrader itself, on a handout: it releases what `make handout` wrote, and grades what students hand in."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bertviz_lite.basics.notebook_files import read, sources
from bertviz_lite.exercises.grading.handout.__main__ import main as write_handouts
from bertviz_lite.exercises.grading.notebooks.exercise_cells import exercises_of
from bertviz_lite.exercises.grading.submissions import Handout
from tests.helpers.class_work import CHAPTER, student

ROOT = Path(__file__).resolve().parents[3]
LOCK = ROOT / "requirements-nbgrader.lock"
SITE = ROOT / "build" / "nbgrader" / hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
INSTALL = (
    sys.executable,
    "-m",
    "pip",
    "install",
    "--quiet",
    "--no-deps",
    "--target",
    str(SITE),
    "--requirement",
    str(LOCK),
)


@pytest.fixture(scope="module", autouse=True)
def _nbgrader() -> None:
    """Install nbgrader where it has to be there (in CI); elsewhere say what is missing."""
    if (SITE / "nbgrader").is_dir():
        return
    if "BERTVIZ_LITE_REQUIRE_NBGRADER" not in os.environ:
        pytest.skip(f"nbgrader is not installed: {' '.join(INSTALL[1:])}")
    subprocess.run(INSTALL, check=True, timeout=600)


def nbgrader(course: Path, *arguments: str) -> str:
    """Run nbgrader in a course; return what it says."""
    environment = {
        **os.environ,
        "HOME": str(course),
        "PATH": os.pathsep.join([str(SITE / "bin"), os.environ["PATH"]]),  # alembic, which nbgrader calls
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(SITE)]),
    }
    answer = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course, env=environment, capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    return answer.stderr


RIGHT = {
    "weights_in_all": "my_weights_in_all = 7 * 7 * 5 * 3",
    "split_heads": """
def split_heads(hidden_states, num_heads):
    b, n, h = hidden_states.shape
    return hidden_states.view(b, n, num_heads, -1).permute(0, 2, 1, 3)
""",
}
WRONG = {"split_heads": "def split_heads(hidden_states, num_heads):\n    return hidden_states"}


@pytest.mark.thorough
def test_nbgrader_releases_the_handout_and_gives_a_point_for_each_right_answer(tmp_path: Path) -> None:
    cells = [cell for cell in CHAPTER["cells"] if cell["id"] != "chapter"]
    chapter, course = tmp_path / "03_attention.ipynb", tmp_path / "course"
    chapter.write_text(json.dumps({**CHAPTER, "cells": cells}), encoding="utf-8")
    assert write_handouts([str(chapter), "--to", str(tmp_path / "handout"), "--nbgrader", str(course)]) == 0
    notebook = read(tmp_path / "handout" / chapter.name)
    handout = Handout(chapter.stem, chapter, notebook, exercises_of(notebook))

    nbgrader(course, "generate_assignment", "03_attention")
    released = read(course / "release" / "03_attention" / chapter.name)
    texts = [[(kind, text.strip()) for kind, text in sources(one)] for one in (released, notebook)]
    assert texts[0] == texts[1]
    assert [cell["id"] for cell in released["cells"]] == [cell["id"] for cell in notebook["cells"]]

    by_id = {cell["id"]: cell for cell in released["cells"]}
    for name, answers in {"ana": RIGHT, "ben": WRONG}.items():
        filled = {cell["id"]: cell["source"] for cell in student(handout, answers)["cells"]}
        mine = {**released, "cells": [{**cell, "source": filled[key]} for key, cell in by_id.items()]}
        folder = course / "submitted" / name / "03_attention"
        folder.mkdir(parents=True)
        (folder / chapter.name).write_text(json.dumps(mine), encoding="utf-8")
    nbgrader(course, "autograde", "03_attention")
    nbgrader(course, "export", "--to", "grades.csv")
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: (row["raw_score"], row["max_score"]) for row in csv.DictReader(file)}
    assert scores == {"ana": ("2.0", "4.0"), "ben": ("0.0", "4.0")}
