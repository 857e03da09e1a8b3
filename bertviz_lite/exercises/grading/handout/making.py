"""A chapter as a handout: each exercise is a cell to fill in, and below it a locked one that checks it."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.notebook_files import NotebookError, read_checked, text_of, without_outputs, write
from bertviz_lite.basics.one_line_error import OneLineError
from bertviz_lite.exercises.grading.handout.prose import NOTE, for_students
from bertviz_lite.exercises.grading.notebooks.code import checks_in, imported_modules, parse
from bertviz_lite.exercises.grading.notebooks.exercise_cells import exercises_of

if TYPE_CHECKING:
    from bertviz_lite.basics.notebook_files import Cell, Notebook
    from bertviz_lite.exercises.grading.notebooks.code import Check

__all__ = ["HandoutError", "make_handout", "write_handout"]

_KEPT = ("kernelspec", "language_info")  # of a notebook's metadata: a stranger's may say more than is wanted
_KEPT_OF_CELLS = ("slideshow",)


class HandoutError(OneLineError, ValueError):
    """A notebook of which no handout can be made."""


def write_handout(chapter: Path, folder: Path) -> int:
    """Write a chapter's handout, beside it the modules with exercises that lie beside the chapter.

    Returns
    -------
    int
        The number of exercises.

    Raises
    ------
    HandoutError
        If there is no such notebook, or no exercise in it, or it is a handout.
    """
    try:
        notebook = read_checked(chapter)
    except NotebookError as error:
        raise HandoutError(f"{chapter} {error}.") from None
    if exercises_of(notebook):
        raise HandoutError(f"{chapter} is a handout already.")
    handout = make_handout(notebook)
    exercises = exercises_of(handout)
    if not exercises:
        raise HandoutError(f"{chapter} has no exercise: no cell calls exercises.NAME.check(…).")
    write(handout, folder / chapter.name)
    for module in {exercise.check.module for exercise in exercises}:
        beside = chapter.parent / f"{module}.py"
        if beside.is_file() and beside.parent.resolve() != folder.resolve():
            shutil.copy(beside, folder)
    return len(exercises)


def make_handout(chapter: Notebook) -> Notebook:
    """Return a chapter without outputs and answers, its exercises split into cells for nbgrader."""
    modules, cells, noted = imported_modules(chapter), [], False
    for cell in without_outputs(chapter)["cells"]:
        if cell["cell_type"] != "code":
            cells.append(_plain(cell, for_students(text_of(cell))))
            continue
        parts = _split(cell, modules)
        if parts and not noted:
            cells.append(_note())
            noted = True
        cells += parts or [_plain(cell, _without_solutions(text_of(cell), modules))]
    metadata = {key: value for key, value in chapter.get("metadata", {}).items() if key in _KEPT}
    return {**chapter, "metadata": metadata, "cells": [cell for cell in cells if text_of(cell)]}


def _plain(cell: Cell, text: str) -> Cell:
    metadata = {key: value for key, value in cell.get("metadata", {}).items() if key in _KEPT_OF_CELLS}
    return {**cell, "metadata": metadata, "source": text.splitlines(keepends=True)}


def _note() -> Cell:
    marks = _marks("handing-in", grade=False, solution=False, locked=True)
    cell = {"cell_type": "markdown", "id": "handing-in", "metadata": {}, "source": NOTE}
    return _marked(cell, NOTE, marks)


def _split(cell: Cell, modules: dict[str, str]) -> list[Cell]:
    """Return the cell for the answer and a locked one for each exercise; none if the cell checks nothing."""
    source = text_of(cell)
    values, answer, imports, checked = [], [], [], []
    for node in _statements(source):
        checks = checks_in(node, modules)
        if checks:
            checked += checks
            if checks[0].answer is None:
                values.append(f"my_{checks[0].exercise} = {_argument(node)}")
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(_lines(source, node))
        elif not _shows_solution(node, modules):
            answer.append(_lines(source, node))
    if not checked:
        return []
    marks = _marks(f"{checked[0].exercise}-answer", grade=False, solution=True, locked=False)
    cells = [_marked(cell, _joined([*values, *answer]), marks)]
    for number, check in enumerate(checked):
        marks = _marks(check.exercise, grade=True, solution=False, locked=True)
        text = _joined([*(imports if number == 0 else []), _call(check)])
        cells.append(_marked({**cell, "id": f"check-{check.exercise}"[:64]}, text, marks))
    return cells


def _argument(node: ast.stmt) -> str:
    """Return what a check is called with: ``...`` in a chapter, a student's value in a copy of it."""
    return next(ast.unparse(part.args[0]) for part in ast.walk(node) if isinstance(part, ast.Call))


def _call(check: Check) -> str:
    return f"{check.alias}.{check.exercise}.check({check.answer or f'my_{check.exercise}'})"


def _without_solutions(source: str, modules: dict[str, str]) -> str:
    """Return a cell that checks nothing without calls of ``.solution()``."""
    lines = source.splitlines(keepends=True)
    for node in reversed(_statements(source)):
        if _shows_solution(node, modules):
            del lines[node.lineno - 1 : node.end_lineno]
    return "".join(lines).rstrip("\n")


def _shows_solution(node: ast.stmt, modules: dict[str, str]) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="display"), args=[shown])):
            return _shows_solution(ast.Expr(value=shown), modules)
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id=alias)), attr="solution"))
        ):
            return alias in modules
    return False


def _statements(source: str) -> list[ast.stmt]:
    try:
        return parse(source)
    except SyntaxError:
        return []


def _lines(source: str, node: ast.stmt) -> str:
    """Return the lines of a statement, with its decorators."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    return "\n".join(source.splitlines()[first - 1 : node.end_lineno])


def _joined(parts: list[str]) -> str:
    """Put statements together, with two blank lines around what has lines of its own."""
    text = ""
    for part in parts:
        gap = "\n\n\n" if "\n" in part or "\n" in text.rpartition("\n\n\n")[2] else "\n"
        text += (gap if text else "") + part
    return text


def _marks(name: str, *, grade: bool, solution: bool, locked: bool) -> dict[str, Any]:
    """Return nbgrader's metadata (schema 3) of a cell."""
    marks = {"schema_version": 3, "grade_id": name, "grade": grade, "solution": solution, "locked": locked}
    return {**marks, "task": False, **({"points": 1} if grade else {})}


def _marked(cell: Cell, text: str, marks: dict[str, Any]) -> Cell:
    marked = _plain(cell, text)
    if marks["locked"]:
        marked["metadata"] |= {"editable": False, "deletable": False}
    marked["metadata"]["nbgrader"] = marks
    return marked
