"""A deck in Markdown, and the rules that every slide keeps.

- ``---`` on a line of its own ends a slide; ``Note:`` at the start of a line begins what the speaker says.
- ``![figure](03_attention#cell)`` shows a cell's picture, ``![view](03_attention#cell)`` its view, alive;
  where that view needs more than the chapter's first cell, ``![view after map](02_input_embeddings#view)``.
- A fence ```` ```output 03_attention#cell ```` quotes printed lines, ```` ```python 03_attention#cell ````
  code; a line ``…`` stands for what is left out.
- ``[19 of 20](03_attention#cell)`` quotes a number or a few words. A number without such a link, or a link to
  a source on the web, is refused: nobody would notice when it goes stale.
- ``||`` on a line of its own begins a second column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bertviz_lite.views.pages.slides.chapters import Cell, SlideError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bertviz_lite.views.pages.slides.chapters import Chapters

__all__ = ["COLUMNS", "PREDICT", "VIEW", "Slide", "problems", "read_deck"]

PREDICT = "**Predict:**"
"""What a question slide asks the room, in the words of the chapters."""

COLUMNS = re.compile(r"^\|\|$", re.MULTILINE)
VIEW = re.compile(r"!\[view(?: after ([\w, -]+))?\]\(([^)]+)\)")

_SLIDES = re.compile(r"^---$", re.MULTILINE)
_NOTE = re.compile(r"^Note:\s*", re.MULTILINE)
_FENCE = re.compile(r"^```(\w+)(?: +(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)]+)\)")
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
# What may hold digits: code, formulas, the names of chapters, the numbers of a list.
_EXEMPT = re.compile(
    r"`[^`]*`|\$[^$]*\$|\b[Cc]hapters? \d\d(?:(?:,| to| and|, and) \d\d)*|^\d\. ", re.MULTILINE
)
_SHOWS = re.compile(r"!\[(?:figure|view)|^```output", re.MULTILINE)

_VIEW_ALONE = re.compile(r"## [^\n]+\n+" + VIEW.pattern)

MOST_WORDS = 60
"""That a slide may show, outputs and code apart."""

FEWEST, MOST = 8, 14
"""How many slides a deck has."""


@dataclass(frozen=True)
class Slide:
    """One slide: what is shown, what is said, and where it stands in the deck."""

    number: int
    shown: str
    note: str

    @property
    def asks(self) -> bool:
        """Whether it asks the room for a prediction."""
        return PREDICT in self.shown

    def views(self) -> list[tuple[str, list[str]]]:
        """Return the addresses of its views, with the cells that each needs before it."""
        return [
            (address, re.findall(r"[\w-]+", before or "")) for before, address in VIEW.findall(self.shown)
        ]


def read_deck(file: Path) -> list[Slide]:
    """Return the slides of a deck."""
    slides = []
    for number, part in enumerate(_SLIDES.split(file.read_text(encoding="utf-8")), start=1):
        shown, *notes = _NOTE.split(part, maxsplit=1)
        slides.append(Slide(number, shown.strip(), "".join(notes).strip()))
    return slides


def problems(slides: list[Slide], chapters: Chapters) -> Iterator[str]:
    """Yield what is wrong with a deck, a line each: the slide's number, and what to do."""
    if not FEWEST <= len(slides) <= MOST:
        yield f"has {len(slides)} slides: {FEWEST} to {MOST} are wanted"
    asked = False
    for slide in slides:
        for problem in (*_form(slide), *_quotations(slide, chapters)):
            yield f"slide {slide.number}: {problem}"
        if slide.asks:
            asked = True
        elif _SHOWS.search(slide.shown) and not asked:
            early = "shows something before the room was asked: put a question slide before it"
            yield f"slide {slide.number}: {early}"


def _form(slide: Slide) -> Iterator[str]:
    if not re.match(r"# " if slide.number == 1 else r"## ", slide.shown):
        yield "begins without a heading (# for the deck's title, ## for the others)"
    if not slide.note:
        yield "has no notes: say what the speaker says (Note: …)"
    if slide.asks and _SHOWS.search(slide.shown):
        yield "asks, and shows the answer: give it a slide of its own"
    if VIEW.search(slide.shown) and not _VIEW_ALONE.fullmatch(slide.shown):
        yield "has a view: beside it, it may have a heading only, of one line"
    if VIEW.search(slide.shown) and not re.search(r"\*\*(Type|Click|Press):\*\*", slide.note):
        yield "has a view, and its notes don't say what to do with it (**Type:** …, **Click:** …)"
    words = len(_plain(slide.shown).split())
    if words > MOST_WORDS:
        yield f"has {words} words, at most {MOST_WORDS}: one idea a slide"
    for text in (slide.shown, slide.note):
        bare = re.search(r"\S*\d\S*", _EXEMPT.sub("", _LINK.sub("", _plain(text))))
        if bare:
            number = bare[0].strip(".,;:()")
            yield f"“{number}” has no source: link it to the cell or the page that it is from"


def _quotations(slide: Slide, chapters: Chapters) -> Iterator[str]:
    for address, check in (*_quoted(slide.shown), *_quoted(slide.note)):
        try:
            check(chapters.cell(address))
        except SlideError as error:
            yield str(error)


def _quoted(text: str) -> Iterator[tuple[str, Callable[[Cell], object]]]:
    """Yield the address of each cell that is quoted, and what checks that it still shows what is quoted."""
    for kind, address, lines in _FENCE.findall(text):
        if address or kind in ("output", "python"):
            yield address, partial(Cell.check_lines, lines=lines, of_source=kind == "python")
    for words, address in _LINK.findall(_FENCE.sub("", text)):
        if not address.startswith("https://"):
            yield address, partial(Cell.check_words, words=re.sub(r"[*`]", "", words))
    for what, address in _IMAGE.findall(text):
        yield address, partial(_check_picture, what=what)


def _check_picture(cell: Cell, what: str) -> None:
    if what == "figure":
        cell.figure()
    elif VIEW.fullmatch(f"![{what}]({cell.address})"):
        cell.check_view()
    else:
        raise SlideError(f"![{what}]: write figure, view, or view after some cells.")


def _plain(text: str) -> str:
    return _IMAGE.sub("", _FENCE.sub("", text))
