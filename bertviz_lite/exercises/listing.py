"""Source code shown in a notebook as it stands in its file, never pasted.

>>> from bertviz_lite.chapters.chapter_12 import whole_bert
>>> print(source(whole_bert.Pooler))  # doctest: +ELLIPSIS
whole_bert.py, Pooler
  1  class Pooler(nn.Module):
...
"""

from __future__ import annotations

import ast
import inspect
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

from bertviz_lite.basics.one_line_error import OneLineError
from bertviz_lite.exercises.highlighting import highlighted

__all__ = ["Listing", "SourceError", "count_lines", "source"]


class SourceError(OneLineError, TypeError):
    """What is given has no source to show."""


class Listing:
    """The source of a class or a function; in a notebook with numbers and colours, elsewhere as plain text.

    Its lines are numbered from 1, so that it stays as it is where the file above it grows.

    Parameters
    ----------
    file
        The name of the file.
    name
        The name of the class or function.
    code
        The lines.
    note
        What to say beside the names, such as the chapter in which the reader has built it.
    is_python
        Whether to colour it as Python; code in another language stays black.
    """

    def __init__(self, file: str, name: str, code: str, note: str = "", *, is_python: bool = True) -> None:
        self.file, self.name, self.code, self.note = file, name, code.rstrip("\n"), note
        self.is_python = is_python

    @property
    def caption(self) -> str:
        """The file and the name in it."""
        place = f"{self.file}, {self.name}"
        return f"{place} · {self.note}" if self.note else place

    @property
    def _numbers(self) -> list[str]:
        return [f"{number:3}" for number in range(1, len(self.code.splitlines()) + 1)]

    def __repr__(self) -> str:
        lines = (
            f"{number}  {line}".rstrip()
            for number, line in zip(self._numbers, self.code.splitlines(), strict=True)
        )
        return "\n".join((self.caption, *lines))

    def _repr_html_(self) -> str:
        numbers = "\n".join(self._numbers)
        code, pre = (
            highlighted(f"{self.code}\n") if self.is_python else f"{escape(self.code, quote=False)}\n",
            "margin: 0; padding: 8px; line-height: 1.35; font-family: monospace; background-color: #f7f7f7",
        )
        return (
            f'<div style="color: #1f1f1f"><div style="padding: 4px 0"><b>{escape(self.caption)}</b></div>'
            '<div style="display: flex; overflow-x: auto">'
            f'<pre style="{pre}; color: #6b6b6b; user-select: none" aria-hidden="true">{numbers}</pre>'
            f'<pre style="{pre}; color: #1f1f1f; flex: 1">{code}</pre></div></div>'
        )


def source(target: Any, note: str = "") -> Listing:  # noqa: ANN401 - a class, a function or a method
    """Read the source of a class or function from its file.

    Parameters
    ----------
    target
        A class, a function or a method that is written in a file.
    note
        A few words to show beside the file's name.

    Raises
    ------
    SourceError
        For what has no source: a value, or what is not written in Python.
    """
    name = getattr(target, "__qualname__", None)
    if name is None:
        raise SourceError(f"source shows a class, a function or a method, not {target!r:.60}.")
    try:
        lines, _ = inspect.getsourcelines(target)
        file = Path(inspect.getsourcefile(target) or "").name
    except (OSError, TypeError):
        raise SourceError(f"{name} has no source in a Python file.") from None
    return Listing(file, name, inspect.cleandoc("\n" + "".join(lines)) + "\n", note)


def count_lines(module: ModuleType) -> tuple[int, int]:
    """Count the lines of a module: all, and those with code on them (no blanks, comments, docstrings)."""
    text = inspect.getsource(module)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    prose: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            prose |= {*range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}
    lines = text.splitlines()
    code = [
        number
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#") and number not in prose
    ]
    return len(lines), len(code)
