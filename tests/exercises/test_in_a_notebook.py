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
        "def read_word(total, table, tokens):\n    rows = table[:, 0, 0]\n    return rows",
        "exercises.read_word.check(read_word)",
        "exercises.read_word.check(...)",
        (
            "def right(total, table, tokens):\n"
            "    cosines = table @ total / table.norm(dim=-1) / total.norm()\n"
            "    return tokens[cosines.nan_to_num(-2).argmax()]\n\n\n"
            "assert exercises.read_word.check(right)\nexercises.read_word.passed"
        ),
        "exercises.read_word.hint()",
        "exercises.read_word.solution()",
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
        read_word: not yet. Your code raised IndexError: too many indices for tensor of dimension 2
            in line 2: rows = table[:, 0, 0]
            input: total = [3, 1],
                   table = [[0, 0], [1, 0], [0, 1], [4, 4]],
                   tokens = ['[PAD]', 'cat', 'dog', 'whale']
        """
    )
    assert missing.text.startswith("read_word: not answered yet.")
    assert right.text.startswith("read_word: right, on 3 inputs.")
    assert passed.data["text/plain"] == "True"
    assert hint.text.startswith("read_word, hint 1 of 3: ")
    assert solution.data["text/html"].startswith("<details><summary>")
    assert solution.data["text/plain"].startswith(
        "def read_word(total: Tensor, table: Tensor, tokens: list[str]) -> str:\n"
    )
    assert error.ename == "ModelError"
    assert error.traceback == [f"ModelError: {error.evalue}"]
