"""What a slide takes from a chapter: a figure, printed lines, lines of code, a view.

A cell is named by notebook and id, ``03_attention#swap-text``: ids stay when cells move. Whatever a slide
quotes must still stand in that cell, so a slide cannot say what its chapter no longer shows.
"""

from __future__ import annotations

import base64
import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.notebook_files import read, text_of
from bertviz_lite.basics.one_line_error import OneLineError
from bertviz_lite.basics.png import unsealed
from bertviz_lite.views.pages.book.recording import BookError, is_view, record_views

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bertviz_lite.views.base.saved.contents import Contents

__all__ = ["ADDRESS", "LEFT_OUT", "Cell", "Chapters", "Figure", "SlideError"]

ADDRESS = re.compile(r"(\d\d_\w+)#([\w-]+)")
"""A cell's address."""

LEFT_OUT = "…"
"""A line of a quotation that stands for lines of the cell that are left out."""

_IMAGE = re.compile(r'<img alt="([^"]*)" width="(\d+)" src="data:image/png;base64,([^"]+)"')
_TAG = re.compile(r"<[^>]*>")


class SlideError(OneLineError):
    """A deck that cannot be made: which slide, what is wrong, what to do."""


@dataclass(frozen=True)
class Figure:
    """A picture that a chapter shows: its PNG, its alt text, the width at which the chapter shows it."""

    png: str
    """In base64."""
    alt: str
    width: int


@dataclass(frozen=True)
class Cell:
    """A cell of a stored chapter."""

    address: str
    content: dict[str, Any]

    @property
    def source(self) -> str:
        """What is written in it."""
        return text_of(self.content)

    def text(self) -> str:
        """Return all that a reader finds in it: prose, or what the code has printed, drawn and shown."""
        if self.content["cell_type"] == "markdown":
            return self.source
        return "\n".join(text for output in self.content["outputs"] for text in _texts(output))

    def figure(self) -> Figure:
        """Return its picture, or raise :class:`SlideError`."""
        for output in self.content.get("outputs", ()):
            match = _IMAGE.search("".join(output.get("data", {}).get("text/html", "")))
            if match and not is_view(output):
                alt, width, png = match.groups()
                return Figure(png, html.unescape(alt), int(width))
        raise SlideError(f"{self.address} shows no figure.")

    def check_view(self) -> None:
        """Raise :class:`SlideError` unless the cell shows exactly one view."""
        count = sum(map(is_view, self.content.get("outputs", ())))
        if count != 1:
            raise SlideError(f"{self.address} shows {count} views, and not one.")

    def check_words(self, words: str) -> None:
        """Raise :class:`SlideError` unless `words` stand in what a reader finds in the cell."""
        if _even(words) not in _even(self.text()):
            raise SlideError(f"“{words}” no longer stands in {self.address}: take the new words from there.")

    def check_lines(self, lines: str, *, of_source: bool) -> None:
        """Raise :class:`SlideError` unless the lines stand in the cell, in their order.

        A line that is only :data:`LEFT_OUT` may stand for any lines.
        """
        there = [_even(line) for line in (self.source if of_source else self.text()).splitlines()]
        at = 0
        for line in map(_even, lines.splitlines()):
            if line in ("", LEFT_OUT):
                continue
            places = [place for place in range(at, len(there)) if line in there[place]]
            if not places:
                where = "the code" if of_source else "what is shown"
                raise SlideError(f"the line “{line}” no longer stands (here) in {where} of {self.address}.")
            at = places[0] + 1


class Chapters:
    """The stored notebooks of a folder.

    Parameters
    ----------
    folder
        Where the notebooks lie.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._cells: dict[str, list[dict[str, Any]]] = {}

    def cell(self, address: str) -> Cell:
        """Return the cell of an address, or raise :class:`SlideError`."""
        match = ADDRESS.fullmatch(address)
        if not match:
            raise SlideError(f"{address!r} is no cell's address: write 03_attention#swap-text.")
        notebook, name = match.groups()
        for cell in self._read(notebook):
            if cell["id"] == name:
                return Cell(address, cell)
        raise SlideError(f"{notebook} has no cell with the id {name}.")

    def views(self, wanted: Sequence[tuple[str, Sequence[str]]]) -> dict[str, Contents]:
        """Run a chapter's first code cell and those that show views; return what a page holds of each.

        Parameters
        ----------
        wanted
            Addresses in one chapter; with each the ids of cells that have to be run before it.

        Raises
        ------
        SlideError
            If a cell cannot be run so, or shows another view than the chapter.
        """
        notebook = wanted[0][0].partition("#")[0]
        cells = self._read(notebook)
        names = {name for address, before in wanted for name in (address.partition("#")[2], *before)}
        first = next(cell for cell in cells if cell["cell_type"] == "code")
        run = [cell for cell in cells if cell is first or cell["id"] in names]
        try:
            found = record_views(run, self.folder, lambda *_: None)
        except BookError as error:
            ids = ", ".join(cell["id"] for cell in run)
            raise SlideError(f"{notebook}, run only {ids}: {error}") from None
        at = {cell["id"]: number for number, cell in enumerate(run)}
        views = {}
        for address, _ in wanted:
            number = at[self.cell(address).content["id"]]
            (views[address],) = (view for (cell, _), view in found.items() if cell == number)
        return views

    def _read(self, notebook: str) -> list[dict[str, Any]]:
        if notebook not in self._cells:
            file = self.folder / f"{notebook}.ipynb"
            try:
                self._cells[notebook] = read(file)["cells"]
            except OSError:
                raise SlideError(f"there is no chapter {notebook} in {self.folder}.") from None
        return self._cells[notebook]


def _texts(output: dict[str, Any]) -> Iterator[str]:
    """Yield what an output says; of a figure also what stands in it."""
    yield "".join(output.get("text", ""))
    data = output.get("data", {})
    yield "".join(data.get("text/plain", ""))
    page = "".join(data.get("text/html", ""))
    for match in _IMAGE.finditer(page):
        _, record = unsealed(base64.b64decode(match[3]))
        yield from (record or {}).get("texts", ())
    yield html.unescape(_TAG.sub(" ", page))


def _even(text: str) -> str:
    """Return the text with single spaces: where lines break is the slide's affair."""
    return " ".join(text.split())
