"""What a handout says of its exercises: which cell holds an answer, and which one checks it."""

from __future__ import annotations

from dataclasses import dataclass

from bertviz_lite.basics.notebook_files import Cell, Notebook, text_of
from bertviz_lite.exercises.grading.notebooks.code import Check, checks_in, imported_modules, parse

__all__ = ["Exercised", "exercises_of", "grade_id", "is_cell"]


@dataclass(frozen=True)
class Exercised:
    """An exercise of a handout.

    Attributes
    ----------
    check
        What is checked.
    locked
        The cell that checks it.
    answer
        The cell above it that the student fills in.
    """

    check: Check
    locked: Cell
    answer: Cell

    @property
    def name(self) -> str:
        """The name of the exercise."""
        return self.check.exercise


def grade_id(cell: Cell) -> str:
    """Return the name that nbgrader's metadata give a cell, or nothing."""
    marks = cell.get("metadata", {}).get("nbgrader")
    return str(marks.get("grade_id", "")) if isinstance(marks, dict) else ""


def is_cell(cell: Cell, given: Cell) -> bool:
    """Whether a cell that was handed in has a name of this one of the handout; editors may drop either."""
    return grade_id(cell) == grade_id(given) != "" or cell.get("id") == given["id"]


def exercises_of(handout: Notebook) -> list[Exercised]:
    """Return the exercises of a handout, in its order."""
    modules, answer, found = imported_modules(handout), None, []
    for cell in handout["cells"]:
        marks = cell.get("metadata", {}).get("nbgrader", {})
        if marks.get("solution"):
            answer = cell
        elif marks.get("grade") and answer is not None:
            checks = [check for node in parse(text_of(cell)) for check in checks_in(node, modules)]
            found += [Exercised(check, cell, answer) for check in checks]
    return found
