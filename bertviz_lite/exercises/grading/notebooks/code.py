"""The code of a notebook: its cells as Python, and the exercises that they check."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from IPython.core.inputtransformer2 import TransformerManager

from bertviz_lite.basics.notebook_files import Notebook, sources

__all__ = ["Check", "bound_by", "checks_in", "imported_modules", "parse", "python_of"]

_TIMED = re.compile(r"%%(?:time|timeit|capture|prun)\b.*")


@dataclass(frozen=True)
class Check:
    """A call ``exercises.NAME.check(ANSWER)``.

    Attributes
    ----------
    module
        Where the exercise is: ``bertviz_lite.chapters.chapter_03.exercises``.
    alias
        What the notebook calls this module: ``exercises``.
    exercise
        The exercise's name in it.
    answer
        The name that is checked; None where ``...`` or anything else stands.
    """

    module: str
    alias: str
    exercise: str
    answer: str | None


def python_of(source: str) -> str:
    """Return a cell as Python, with as many lines: magics and shell commands become calls."""
    lines = source.split("\n")
    if _TIMED.fullmatch(lines[0].strip()):
        lines[0] = ""
    empty = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    try:
        manager = TransformerManager()  # type: ignore[no-untyped-call]
        # IPython takes empty lines away at the beginning, and lines are counted here.
        return "\n" * empty + str(manager.transform_cell("\n".join(lines[empty:])))
    except SyntaxError:  # half a bracket: `parse` says so
        return source


def parse(source: str) -> list[ast.stmt]:
    """Return the statements of a cell.

    Raises
    ------
    SyntaxError
        Where it is no Python, or more deeply nested than Python reads.
    """
    try:
        return ast.parse(python_of(source)).body
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error) or "too many nested parentheses") from None


def bound_by(name: ast.alias) -> str:
    """Return what a part of an import binds: ``np`` of ``numpy as np``, ``torch`` of ``torch.nn``."""
    return name.asname or name.name.partition(".")[0]


def imported_modules(notebook: Notebook) -> dict[str, str]:
    """Return what a notebook's imports may bind modules to: ``exercises`` to the module's dotted name."""
    found: dict[str, str] = {}
    for kind, source in sources(notebook):
        if kind != "code":
            continue
        try:
            statements = parse(source)
        except SyntaxError:
            continue
        for node in statements:
            if isinstance(node, ast.Import):
                found |= {name.asname: name.name for name in node.names if name.asname}
                found |= {
                    name.name: name.name for name in node.names if not name.asname and "." not in name.name
                }
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
    return found


def checks_in(node: ast.stmt, modules: dict[str, str]) -> list[Check]:
    """Return the checks that a statement makes: none, or the one that it is."""
    match node:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id=alias), attr=exercise), attr="check"
                ),
                args=[argument],
            )
        ) if alias in modules:
            answer = argument.id if isinstance(argument, ast.Name) else None
            return [Check(modules[alias], alias, exercise, answer)]
    return []
