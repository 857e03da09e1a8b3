"""A chapter made ready for Sphinx: prose and code as they are, below the code what a page of the book shows.

The book (``bertviz_lite/views/pages/book``) runs a chapter for its views and writes what is seen of its
outputs; here the same outputs are put back into the notebook. What views have in common (modules, engine,
models) lies in files that all chapters share.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.notebook_files import read, text_of
from bertviz_lite.views.pages.book.chapter import Chapter, read_chapter
from bertviz_lite.views.pages.shelf import Shelf, Shown
from course_site.links import cell_place
from course_site.pages import IN_CHINESE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["VIEWS", "digest", "prepared", "shown_by", "still", "up"]

VIEWS = "views"
"""The folder of the site in which the shared files lie."""

_STARTING = {
    "cell_type": "code",
    "id": "views",
    "execution_count": None,
    "metadata": {"tags": ["remove-input"]},
    "source": "# an empty cell would be left out",
}
"""The cell at the end that starts the views, without its output."""


def digest(package: Path, *notebooks: Path) -> str:
    """Return of what something is made, in short: another notebook or another package give another."""
    files = [path for path in sorted(package.rglob("*")) if "__pycache__" not in path.parts]
    found = sha256()
    for path in [*notebooks, *filter(Path.is_file, files)]:
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()


def up(notebook: Path) -> str:
    """Return the way from a chapter's page to the folder of the site: longer for one in Chinese."""
    return "../../" if notebook.parent.name == IN_CHINESE else "../"


def shown_by(chapter: Chapter, folder: Path, to_site: str = "../") -> dict[str, Any]:
    """Return what the book's page of a chapter shows; what its views have in common is written.

    Parameters
    ----------
    chapter
        The page.
    folder
        Gets the files that chapters share, in ``views/``.
    to_site
        The way from the chapter's page to the folder of the site.

    Returns
    -------
    dict
        "below": the outputs as HTML, by the number of their cell; "shared": what leads to the files, empty
        if no view is alive.
    """
    shared = ""
    if chapter.views:
        (folder / VIEWS).mkdir(parents=True, exist_ok=True)
        shared = b"".join(chapter.shelf().parts_beside(folder / VIEWS, f"{to_site}{VIEWS}/")).decode()
    return {"below": {str(number): _html(parts) for number, parts in chapter.below.items()}, "shared": shared}


def still(notebook: Path) -> dict[str, Any]:
    """Return what a chapter shows with pictures in place of its views; it is not run."""
    chapter = Chapter(notebook.stem, read(notebook)["cells"], chapters_beside(notebook), {})
    return shown_by(chapter, notebook.parent, up(notebook))


def chapters_beside(notebook: Path) -> list[str]:
    """Return the names of the chapters."""
    return sorted(path.stem for path in notebook.parent.glob("*.ipynb"))


def prepared(
    stored: dict[str, Any], shown: dict[str, Any], relink: Callable[[str], str], note: str
) -> dict[str, Any]:
    """Return a notebook with the outputs of the book's page in place of its own.

    Parameters
    ----------
    stored
        The notebook.
    shown
        What :func:`shown_by` returns.
    relink
        Makes the links in Markdown those of the site.
    note
        What is said below the title, in Markdown.
    """
    cells = []
    for number, cell in enumerate(stored["cells"]):
        source = text_of(cell)
        if source.strip() and number:  # the title stays the first word
            cells.append(_place(cell["id"]))
        if cell["cell_type"] == "markdown":
            said = f"{relink(source)}\n\n{note}" if number == 0 else relink(source)
            cells.append({**cell, "metadata": {}, "source": said})
        elif source.strip():
            below = _outputs(shown["below"].get(str(number), ""))
            cells.append({**cell, "metadata": {}, "outputs": below})
    if shown["shared"]:
        start = _outputs(shown["shared"] + Shelf.runtime("book_page.js").decode())
        cells.append({**_STARTING, "outputs": start})
    return {**stored, "cells": cells}


def _place(name: str) -> dict[str, Any]:
    """Return a cell without words by which an address finds the next one."""
    source = f'<span id="{cell_place(name)}"></span>'
    return {"cell_type": "markdown", "id": f"to-{name}"[:64], "metadata": {}, "source": source}


def _html(parts: Iterable[str | Shown]) -> str:
    """Return outputs of a page, views among them, as one text."""
    return "".join(b"".join(part.parts()).decode() if isinstance(part, Shown) else part for part in parts)


def _outputs(below: str) -> list[dict[str, Any]]:
    return [{"output_type": "display_data", "data": {"text/html": below}, "metadata": {}}] if below else []


if __name__ == "__main__":  # a Python of its own for each chapter: none meets what another has changed
    _notebook, _target = map(Path, sys.argv[1:])
    _chapter = read_chapter(_notebook, chapters_beside(_notebook), lambda *_: None)
    _target.write_text(json.dumps(shown_by(_chapter, _target.parent, up(_notebook))), encoding="utf-8")
