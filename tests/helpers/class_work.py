"""A small chapter, its handout, and what students make of it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from bertviz_lite.exercises.grading.handout import make_handout
from bertviz_lite.exercises.grading.notebooks.exercise_cells import exercises_of
from bertviz_lite.exercises.grading.submissions import Handout, Submission

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CHAPTER", "ID_OF", "handed_in", "handout_at", "student"]

ID_OF = {
    "weights_in_all": "ex-count",
    "softmax_row": "ex-softmax",
    "split_heads": "ex-split",
    "causal_head": "ex-causal",
}
"""The cell in which each exercise is answered."""


_PROSE = """\
## Exercises

Replace each `...` and run the cell. `.hint()` says more each time; the solution is folded below.

**Explain:** why?

<details><summary>One answer</summary>

Because.

</details>"""


def _code(name: str, source: str) -> dict[str, Any]:
    """Make a cell that was run: its output gives an answer away, and its metadata do."""
    shown = {"text/html": "<details><summary>One solution</summary>return parts.transpose(1, 2)</details>"}
    return {
        "cell_type": "code",
        "id": name,
        "metadata": {"execution": {"answer": 735}},
        "execution_count": 1,
        "outputs": [{"output_type": "display_data", "data": shown, "metadata": {}}],
        "source": source,
    }


def _prose(name: str, source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def _chapter() -> dict[str, Any]:
    cells = [
        _prose("title", "# 03 · Attention: how do words look at each other?"),
        _code("setup", "import torch\n\nfrom bertviz_lite.chapters.chapter_03 import exercises, figures"),
        _code("chapter", "raise RuntimeError('what no answer needs is not run')"),
        _prose("exercises", _PROSE),
        _code("ex-count", "exercises.weights_in_all.check(...)\nexercises.weights_in_all.solution()"),
    ]
    stubs = {
        "softmax_row": "def softmax_row(scores):\n    return ...",
        "split_heads": "def split_heads(hidden_states, num_heads):\n    return ...",
        "causal_head": "def causal_head(query, key, value):\n    return ...",
    }
    for name, stub in stubs.items():
        source = f"{stub}\n\n\nexercises.{name}.check({name})\nexercises.{name}.solution()"
        cells.append(_code(ID_OF[name], source))
    metadata = {"bertviz_lite": {"second_model": False}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


CHAPTER = _chapter()


def handout_at(path: Path, chapter: dict[str, Any] = CHAPTER) -> Handout:
    """Make a chapter's handout, as if it were in this file."""
    notebook = make_handout(chapter)
    return Handout(path.stem, path, notebook, exercises_of(notebook))


def student(handout: Handout, answers: dict[str, str], *, extra: str = "") -> dict[str, Any]:
    """Fill in a handout: the answers by the names of the exercises, and a cell of one's own before them."""
    notebook = copy.deepcopy(handout.notebook)
    for cell in notebook["cells"]:
        for name, text in answers.items():
            if cell["id"] == ID_OF[name]:
                cell["source"] = text
    if extra:
        notebook["cells"].insert(3, _code("my-own", extra))
    return notebook


def handed_in(handout: Handout, notebook: dict[str, Any], name: str = "ana") -> Submission:
    """Return a notebook as a student's."""
    return Submission(name, handout.path, handout, notebook)
