"""Make translations, and bring them in step: what a translator doesn't write is copied from the original."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from notebook_checks.notebook import (
    LANGUAGES,
    MADE_FROM,
    Cell,
    Notebook,
    NotebookError,
    cell_name,
    find_notebooks,
    normalised,
    originals,
    prose_cells,
    read,
    serialised,
    shown,
    write,
)
from notebook_checks.translation.texts import TO_TRANSLATE, mark_of, to_translate
from notebook_checks.translation.ways import BACK, readdressed


def in_step(original: Path, translation: Path) -> Notebook:
    """Return a translation with its original's cells: a text stays while the English one is the same.

    Parameters
    ----------
    original
        The notebook.
    translation
        Its translation, which need not be there yet.
    """
    english = read(original)
    before = {}
    if translation.is_file():
        before = {cell.get("id"): cell for _, cell in prose_cells(read(translation))}
    cells = [
        _prose(cell, before.get(cell["id"]), original, translation, is_first=number == 0)
        if cell["cell_type"] == "markdown"
        else cell
        for number, cell in enumerate(english["cells"])
    ]
    return normalised({**english, "cells": cells})


def _prose(cell: Cell, before: Cell | None, original: Path, translation: Path, *, is_first: bool) -> Cell:
    english, mark = cell["source"], mark_of(cell["source"])
    if before and before["metadata"].get(MADE_FROM) == mark:
        source = before["source"]
    else:
        more = f"\n\n[English]({BACK}{original.name})" if is_first else ""
        source = to_translate(english + more, before["source"] if before else "")
    source = readdressed(source, english, original, translation)
    return {**cell, "metadata": {**cell["metadata"], MADE_FROM: mark}, "source": source}


def bring_in_step(original: Path, translation: Path) -> list[str]:
    """Write a translation where it is behind its original; return the names of the cells to translate."""
    made = in_step(original, translation)
    text = serialised(made)
    if not translation.is_file() or translation.read_text(encoding="utf-8") != text:
        translation.parent.mkdir(exist_ok=True)
        write(translation, text)
    return [cell_name(i, cell) for i, cell in prose_cells(made) if cell["source"].startswith(TO_TRANSLATE)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make translations or bring them in step; 2 for a wrong call."""
    parser = argparse.ArgumentParser(
        prog="translate_notebook.py",
        description="Make a chapter's translation, or bring it in step with a chapter that has changed: code "
        f"and outputs are copied, and what is to be translated is put in, marked by {TO_TRANSLATE}.",
    )
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        help="chapters to translate, or folders (default: all that are translated)",
    )
    parser.add_argument("--lang", choices=LANGUAGES, default=LANGUAGES[0], help="default: %(default)s")
    options = parser.parse_args(arguments)
    named = {path.resolve() for path in options.paths}
    try:
        for chapter in originals(find_notebooks(options.paths)):
            translation = chapter.parent / options.lang / chapter.name
            if chapter in named or translation.is_file():
                left = bring_in_step(chapter, translation)
                print(f"{shown(translation)}: {'to translate: ' + ', '.join(left) if left else 'in step'}")
    except NotebookError as error:
        print(error, file=sys.stderr)
        return 2
    return 0
