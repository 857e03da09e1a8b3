"""Signs that somebody has worked on the checker instead of the exercise, in the text of a notebook."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from bertviz_lite.basics.notebook_files import text_of
from bertviz_lite.exercises.grading.notebooks.exercise_cells import is_cell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bertviz_lite.basics.notebook_files import Notebook
    from bertviz_lite.exercises.grading.notebooks.exercise_cells import Exercised
    from bertviz_lite.exercises.grading.slicing import Statement

__all__ = ["changed_check", "replaced_check", "taken_solution"]

_SOLUTION = {"reference", "solution", "mistakes"}
_CHECKER = {"Exercise", "Verdict", "Answer"}


def changed_check(exercised: Exercised, handed_in: Notebook) -> str | None:
    """Say that the cell which checks an exercise is not what it was, or is gone.

    It may have another place, and spaces at the ends of lines; editors may drop the names of cells.
    """
    wanted = _lines(text_of(exercised.locked))
    cells = [cell for cell in handed_in["cells"] if cell["cell_type"] == "code"]
    named = [_lines(text_of(cell)) for cell in cells if is_cell(cell, exercised.locked)]
    if any(lines != wanted for lines in named):
        return "the cell that checks it was changed"
    is_there = bool(named) or any(_lines(text_of(cell)) == wanted for cell in cells)
    return None if is_there else "the cell that checks it is missing"


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def taken_solution(statements: Iterable[Statement]) -> str | None:
    """Say that an answer's own statements take the course's solution: ``exercises.x.reference``."""
    for statement in statements:
        for node in ast.walk(statement.node):
            if isinstance(node, ast.Attribute) and node.attr in _SOLUTION and _path(node):
                return f"its code takes {_path(node)}"
    return None


def replaced_check(statements: Iterable[Statement], modules: dict[str, str], exercise: str) -> str | None:
    """Say that statements put something in the place of a part of the checker.

    Parameters
    ----------
    statements : iterable of Statement
        All that a student has written.
    modules : dict
        What the notebook's imports bind: ``exercises`` to its module.
    exercise : str
        What was put in the place of another exercise's check is that exercise's.
    """
    for statement in statements:
        for node in ast.walk(statement.node):
            for target in _targets(node):
                path = _path(target)
                parts = path.split(".")
                if len(parts) > 1 and _is_checker(parts, modules) and _concerns(parts, modules, exercise):
                    return f"a cell replaces {path}"
    return None


def _targets(node: ast.AST) -> list[ast.expr]:
    """Return what is given a new value: ``a.b`` in ``a.b = 1`` and in ``setattr(a, "b", 1)``."""
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return targets
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return [target]
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[owner, name, *_]):
            return [ast.Attribute(owner, str(name.value) if isinstance(name, ast.Constant) else "…")]
    return []


def _path(node: ast.expr) -> str:
    """Return ``a.b.c`` of an attribute, or nothing where it begins with no name."""
    match node:
        case ast.Attribute(value=value, attr=attr):
            before = _path(value)
            return f"{before}.{attr}" if before else ""
        case ast.Name(id=name):
            return name
    return ""


def _is_checker(parts: list[str], modules: dict[str, str]) -> bool:
    whole = ".".join([modules.get(parts[0], ""), *parts[1:]])
    inside = whole.startswith("bertviz_lite.") and ".exercises" in f".{whole}"
    return (
        inside or parts[0] in _CHECKER or modules.get(parts[0], "").rpartition(".")[2].endswith("exercises")
    )


def _concerns(parts: list[str], modules: dict[str, str], exercise: str) -> bool:
    """Whether it is this exercise's check, or everybody's."""
    of_one = len(parts) > 2 and modules.get(parts[0], "").endswith("exercises") and parts[1] != "Exercise"
    return parts[1] == exercise if of_one else True
