"""Source code shown in a notebook as it stands in its file: with the numbers of its lines, never pasted.

>>> from bertviz_lite.chapters.chapter_11 import whole_bert
>>> print(source(whole_bert.Pooler))  # doctest: +ELLIPSIS
whole_bert.py, lines ...
... class Pooler(nn.Module):
...
"""

from __future__ import annotations

import ast
import inspect
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

from bertviz_lite.exercises.checking import _highlighted

__all__ = ["Listing", "count_lines", "source"]


class Listing:
    """Some lines of a file; in a notebook with numbers and colours, elsewhere as plain text.

    Parameters
    ----------
    file
        The name to show.
    first
        The number of the first line in its file.
    code
        The lines.
    note
        What to say beside the file's name, such as the chapter in which the reader has built it.
    """

    def __init__(self, file: str, first: int, code: str, note: str = "") -> None:
        self.file, self.first, self.code, self.note = file, first, code.rstrip("\n"), note

    @property
    def caption(self) -> str:
        """The file and the numbers of the lines."""
        last = self.first + len(self.code.splitlines()) - 1
        said = f"{self.file}, lines {self.first} to {last}"
        return f"{said} · {self.note}" if self.note else said

    @property
    def _numbers(self) -> list[str]:
        return [f"{self.first + i:3}" for i in range(len(self.code.splitlines()))]

    def __repr__(self) -> str:
        lines = (
            f"{number}  {line}".rstrip()
            for number, line in zip(self._numbers, self.code.splitlines(), strict=True)
        )
        return "\n".join((self.caption, *lines))

    def _repr_html_(self) -> str:
        numbers = "\n".join(self._numbers)
        code, pre = (
            _highlighted(f"{self.code}\n"),
            "margin: 0; padding: 8px; line-height: 1.35; background-color: #f7f7f7",
        )
        return (
            f'<div style="color: #1f1f1f"><div style="padding: 4px 0"><b>{escape(self.caption)}</b></div>'
            '<div style="display: flex; overflow-x: auto">'
            f'<pre style="{pre}; color: #6b6b6b; user-select: none" aria-hidden="true">{numbers}</pre>'
            f'<pre style="{pre}; color: #1f1f1f; flex: 1">{code}</pre></div></div>'
        )


def source(thing: Any, note: str = "") -> Listing:  # noqa: ANN401 - a class, a function or a method
    """Read the source of a class or function from its file.

    Parameters
    ----------
    thing
        A class or function that stands in a file.
    note
        A few words to show beside the file's name.

    Raises
    ------
    TypeError, OSError
        As `inspect.getsourcelines`, for what has no source.
    """
    lines, first = inspect.getsourcelines(thing)
    file = Path(inspect.getsourcefile(thing) or "").name
    return Listing(file, first, inspect.cleandoc("\n" + "".join(lines)) + "\n", note)


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
