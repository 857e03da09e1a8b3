"""A notebook as its file has it: read, without outputs, written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bertviz_lite.basics.files import write_text
from bertviz_lite.basics.one_line_error import OneLineError

__all__ = [
    "FIRST_CHAPTER",
    "Cell",
    "Notebook",
    "NotebookError",
    "course_files",
    "find_chapters",
    "in_its_file",
    "read",
    "read_checked",
    "sources",
    "text_of",
    "without_outputs",
    "write",
]

Cell = dict[str, Any]
Notebook = dict[str, Any]

FIRST_CHAPTER = "00_start_here.ipynb"
_IN_CHINESE = "zh"
_MOST_BYTES = 50_000_000


class NotebookError(OneLineError, ValueError):
    """A file that is no notebook."""


def find_chapters() -> Path | None:
    """Return where the chapters are, if anywhere: with the installed package, or in this clone."""
    package = Path(__file__).resolve().parents[1]
    places = (package / "chapters" / "notebooks", package.parent / "notebooks")
    return next((folder for folder in places if (folder / FIRST_CHAPTER).is_file()), None)


def course_files(chapters: Path) -> list[Path]:
    """Return the chapters of a folder, and then those of them that are translated, in a folder below it."""
    return [*sorted(chapters.glob("*.ipynb")), *sorted((chapters / _IN_CHINESE).glob("*.ipynb"))]


def read(path: Path) -> Notebook:
    """Return a notebook as its file has it."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def read_checked(path: Path) -> Notebook:
    """Return a notebook that somebody has sent: what is no notebook is refused in one line."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise NotebookError(f"is larger than {_MOST_BYTES // 1_000_000} MB")
        given: Any = read(path)
    except OSError as error:
        raise NotebookError(f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise NotebookError("is not JSON") from None
    cells = given.get("cells") if isinstance(given, dict) else None
    if not isinstance(cells, list) or not all(map(_is_cell, cells)):
        raise NotebookError("is no notebook of format 4")
    notebook: Notebook = given
    return notebook


def _is_cell(cell: object) -> bool:
    if not isinstance(cell, dict) or not isinstance(cell.get("metadata", {}), dict):
        return False
    source = cell.get("source")
    lines = isinstance(source, list) and all(isinstance(line, str) for line in source)
    return isinstance(cell.get("cell_type"), str) and (lines or isinstance(source, str))


def in_its_file(notebook: Notebook) -> str:
    """Return the text of a notebook's file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def write(notebook: Notebook, path: Path) -> None:
    """Write a notebook, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, in_its_file(notebook))


def without_outputs(notebook: Notebook) -> Notebook:
    """Return a notebook as if no cell had been run."""
    cells = [
        {**cell, "outputs": [], "execution_count": None} if cell["cell_type"] == "code" else cell
        for cell in notebook["cells"]
    ]
    return {**notebook, "cells": cells}


def sources(notebook: Notebook) -> list[tuple[str, str]]:
    """Return each cell's type and text."""
    return [(cell["cell_type"], text_of(cell)) for cell in notebook["cells"]]


def text_of(cell: Cell) -> str:
    """Return a cell's text, which may be stored as one string or as its lines."""
    return "".join(cell["source"])
