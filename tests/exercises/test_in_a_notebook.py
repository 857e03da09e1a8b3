"""What a notebook shows of an exercise."""

import textwrap
from pathlib import Path

import pytest


@pytest.mark.thorough
@pytest.mark.slow
def test_a_notebook_shows_verdicts_hints_and_a_folded_solution(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient").NotebookClient
    cells = [
        "from bertviz_lite import load\nfrom bertviz_lite.chapters.chapter_02 import exercises",
        "def lengths(table):\n    rows = table[:, 0, 0]\n    return rows",
        "exercises.lengths.check(lengths)",
        "exercises.lengths.check(...)",
        "assert exercises.lengths.check(lambda table: table.norm(dim=-1))\nexercises.lengths.passed",
        "exercises.lengths.hint()",
        "exercises.lengths.solution()",
        "load('no/such/folder')",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client(
        notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [cell.outputs for cell in notebook.cells]
    assert outputs[:2] == [[], []]
    (wrong,), (missing,), (right, passed), (hint,), (solution,), (error,) = outputs[2:]
    assert wrong.text == textwrap.dedent(
        """\
        lengths: not yet. Your code raised IndexError: too many indices for tensor of dimension 2
            in line 2: rows = table[:, 0, 0]
            input: table = [[3, 4, 0], [0, -2, 0]]
        """
    )
    assert missing.text.startswith("lengths: not answered yet.")
    assert right.text == "lengths: right, on 3 inputs.\n"
    assert passed.data["text/plain"] == "True"
    assert hint.text.startswith("lengths, hint 1 of 2: ")
    assert solution.data["text/html"].startswith("<details><summary>")
    assert solution.data["text/plain"].startswith("def lengths(table: Tensor) -> Tensor:\n")
    assert error.ename == "ModelError"
    assert error.traceback == [f"ModelError: {error.evalue}"]
