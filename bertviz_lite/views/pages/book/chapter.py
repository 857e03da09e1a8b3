"""One notebook as one HTML file, offline, every view alive in its place."""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.files import written_whole
from bertviz_lite.basics.notebook_files import read, text_of
from bertviz_lite.views.base.saved.contents import PAGE_STYLE, Contents, head, utf8
from bertviz_lite.views.base.sources import read_source
from bertviz_lite.views.pages.book.cells import code_html, output_html
from bertviz_lite.views.pages.book.markdown import Prose
from bertviz_lite.views.pages.book.recording import BookError, record_views
from bertviz_lite.views.pages.shelf import Shelf, Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

__all__ = ["MOST_MEGABYTES", "PREDICT", "Chapter", "read_chapter", "with_room", "write_chapter"]

MOST_MEGABYTES = 12.0
"""How large a chapter may become: a model that would make it larger stays outside."""

PREDICT = "**Predict:**"
"""After a cell with these words a reader is to think before the next outputs are read: they are folded."""

_ROOM_FOR_THE_REST = 0.4
"""Megabytes that modules, style sheets and the engine take, at most."""


def write_chapter(
    notebook: Path, page: Path, chapters: Collection[str], tell: Callable[[int, int], None]
) -> int:
    """Run a notebook and write it as a page.

    Parameters
    ----------
    notebook
        Which; its stored outputs are those of the page.
    page
        The file to write.
    chapters
        Names of the notebooks that have a page beside this one: links lead there.
    tell
        Called before each cell that is run: its number, and how many there are.

    Returns
    -------
    int
        How many views are in it.

    Raises
    ------
    BookError
        If the notebook cannot be read or run.
    """
    chapter = read_chapter(notebook, chapters, tell)
    with written_whole(page) as file:
        for part in chapter.parts():
            file.write(part)
    return len(chapter.views)


def read_chapter(notebook: Path, chapters: Collection[str], tell: Callable[[int, int], None]) -> Chapter:
    """Run a notebook for its views, and return what a page of it holds; as :func:`write_chapter` does."""
    try:
        cells = read(notebook)["cells"]
    except FileNotFoundError:
        example = "notebooks/03_attention.ipynb"
        raise BookError(f"there is no such file; give a path, as {example}.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BookError(f"{notebook} is no notebook: {error}") from None
    return Chapter(notebook.stem, cells, chapters, record_views(cells, notebook.parent, tell))


_NOTE = (
    '<p class="bvp-soft">This notebook as a page: its code was run before; what is typed into its views is '
    "answered here, by the model in this page.</p>\n"
)
_NOTE_WITHOUT_MODEL = '<p class="bvp-soft">This notebook as a page: its code was run before.</p>\n'


class Chapter:
    """The page, part after part.

    Parameters
    ----------
    name
        Its title where no heading says one.
    cells
        Of the notebook, with their outputs.
    chapters
        Names of the notebooks that have a page beside this one.
    views
        What the page holds of each view, by (cell, output); of one that is not there, its picture.
    """

    def __init__(
        self,
        name: str,
        cells: list[dict[str, Any]],
        chapters: Collection[str],
        views: dict[tuple[int, int], Contents],
    ) -> None:
        self.prose = Prose(chapters)
        self.views = views
        self.counts: Counter[str] = Counter()
        self.is_predicting = False
        found = [(number, part) for number, cell in enumerate(cells) for part in self._cell(number, cell)]
        self._cells = [number for number, _ in found]
        self._code = [number for number in dict.fromkeys(self._cells) if cells[number]["cell_type"] == "code"]
        self.body = [part for _, part in found]
        titles = [text for level, _, text in self.prose.headings if level == 1]
        self.title = titles[0] if titles else html.escape(name)
        room = MOST_MEGABYTES - _ROOM_FOR_THE_REST - sum(map(_megabytes, self.body))
        self.body = with_room(self.body, room)

    def _cell(self, number: int, cell: dict[str, Any]) -> Iterator[str | Shown]:
        source = text_of(cell)
        if cell["cell_type"] == "markdown":
            self.is_predicting = PREDICT in source
            yield f'<div class="bvp-prose">\n{self.prose.html(source)}</div>\n'
        elif cell["cell_type"] == "code" and source.strip():
            yield code_html(source)
            parts = self._outputs(number, cell["outputs"])
            yield from (_folded(parts) if self.is_predicting else parts)

    def _outputs(self, number: int, outputs: list[dict[str, Any]]) -> Iterator[str | Shown]:
        for at, output in enumerate(outputs):
            contents = self.views.get((number, at))
            if contents is None:
                yield output_html(output, self.prose)
            else:
                yield self._shown(contents, "".join(output["data"]["text/html"]))

    def _shown(self, contents: Contents, picture: str) -> Shown:
        kind = contents.kind.lower()
        self.counts[kind] += 1
        name = kind if self.counts[kind] == 1 else f"{kind}-{self.counts[kind]}"
        return Shown(name, contents, f'<div class="bvp-html">{picture}</div>', self.prose.level + 1)

    @property
    def below(self) -> dict[int, list[str | Shown]]:
        """What is below the code of each cell, by its number; folded where a reader is to think before."""
        parts: dict[int, list[str | Shown]] = {number: [] for number in self._code}
        for number, part in zip(self._cells, self.body, strict=True):
            if number in parts:
                parts[number].append(part)
        return {number: below for number, (_, *below) in parts.items()}

    def shelf(self) -> Shelf:
        """Return what the views have in common."""
        return Shelf([part.contents for part in self.body if isinstance(part, Shown)])

    def parts(self) -> Iterator[bytes]:
        """Return the page's bytes, one part after the other."""
        shelf = self.shelf()
        style = PAGE_STYLE + shelf.style() + read_source("pages/book/book.css")
        yield head(html.escape(html.unescape(self.title)), style)
        yield utf8(f"<main>\n{self._note()}{self._contents()}")
        for part in self.body:
            if isinstance(part, Shown):
                yield from part.parts()
            else:
                yield utf8(part)
        yield b"</main>\n"
        yield from shelf.parts()
        yield Shelf.runtime("book_page.js")
        yield b"</body>\n</html>\n"

    def _note(self) -> str:
        has_model = any(isinstance(part, Shown) and part.contents.model for part in self.body)
        return _NOTE if has_model else _NOTE_WITHOUT_MODEL

    def _contents(self) -> str:
        items = "".join(
            f'<li><a href="#{html.escape(name)}">{text}</a></li>\n'
            for level, name, text in self.prose.headings
            if level == 2
        )
        if not items:
            return ""
        return (
            '<nav class="bvp-contents" aria-label="Sections">\n<details><summary>Sections</summary>\n'
            f"<ol>\n{items}</ol>\n</details>\n</nav>\n"
        )


def _folded(parts: Iterator[str | Shown]) -> Iterator[str | Shown]:
    """Fold what the outputs of a cell tell; a view is there to be tried."""
    for is_text, together in groupby(parts, key=lambda part: isinstance(part, str)):
        if not is_text:
            yield from together
        elif text := "".join(map(str, together)):
            yield '<details class="bvp-answer">\n<summary>You have predicted? See what happens</summary>\n'
            yield f"{text}</details>\n"


def _megabytes(part: str | Shown) -> float:
    """Return how many megabytes a part takes, without a model."""
    return sum(map(len, part.parts())) / 1e6 if isinstance(part, Shown) else len(part.encode()) / 1e6


def with_room(body: list[str | Shown], room: float) -> list[str | Shown]:
    """Return the parts; views whose model would need more than `room` megabytes become recordings."""
    taken: dict[str, float] = {}
    fitting: list[str | Shown] = []
    for part in body:
        model = part.contents.model if isinstance(part, Shown) else None
        if isinstance(part, Shown) and model and model.name not in taken:
            needed = sum(map(len, model.held().parts())) / 1e6
            if sum(taken.values()) + needed > room:
                whole = MOST_MEGABYTES - room + sum(taken.values()) + needed
                reason = (
                    f"With its model this page would have {whole:.0f} MB, and may have {MOST_MEGABYTES:.0f}."
                )
                state = {**part.contents.state, "_engine": "", "_not_live": reason}
                part = replace(part, contents=replace(part.contents, state=state, model=None))
            else:
                taken[model.name] = needed
        fitting.append(part)
    return fitting
