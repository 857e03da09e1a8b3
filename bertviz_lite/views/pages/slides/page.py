"""A deck as one HTML file: reveal.js, the figures, the views and their model are in it."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bertviz_lite.basics.files import written_whole
from bertviz_lite.views.base.saved.contents import head, utf8
from bertviz_lite.views.base.sources import read_source
from bertviz_lite.views.pages.shelf import Shelf, Shown
from bertviz_lite.views.pages.slides.slide_prose import SlideProse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bertviz_lite.views.pages.slides.chapters import Chapters
    from bertviz_lite.views.pages.slides.deck import Slide

__all__ = ["Written", "write_deck", "write_index"]

_LEVEL = 3
"""Of a view's headings: a slide's own is the second."""

_FRAMES = "'self' file:"
"""What a deck may show in frames: the speaker's window shows the same file."""


@dataclass(frozen=True)
class Written:
    """A deck that was written: for the list of all of them."""

    file: Path
    title: str
    about: str
    slides: int


def write_deck(slides: Sequence[Slide], file: Path, chapters: Chapters, reveal: Path) -> Written:
    """Write a deck.

    Parameters
    ----------
    slides
        What is in it.
    file
        The page to write.
    chapters
        Where its figures and views are taken from.
    reveal
        The folder with ``reveal.js``, ``reveal.css`` and ``notes.js``.

    Raises
    ------
    SlideError
        If a view cannot be made.
    """
    shown = _views(slides, chapters)
    prose = SlideProse(chapters)
    shelf = Shelf([view.contents for view in shown.values()])
    parts = [prose.slide(slide) for slide in slides]
    title = _text(parts[0].partition("</h1>")[0])
    about = _text(parts[0].partition("</h1>")[2])
    own = read_source("pages/slides/slides.css")
    style = "\n".join([(reveal / "reveal.css").read_text(encoding="utf-8"), shelf.style(), own])
    with written_whole(file) as page:
        page.write(head(html.escape(title), style, schemes="light", frames=_FRAMES))
        page.write(b'<main>\n<div class="reveal">\n<div class="slides">\n')
        for slide, part in zip(slides, parts, strict=True):
            page.write(utf8(_section(slide, part, prose.html(slide.note))))
        page.write(b"</div>\n</div>\n")
        for slide in slides:
            for piece in _stage(slide, shown):
                page.write(piece)
        page.write(b"</main>\n")
        for piece in shelf.parts():
            page.write(piece)
        for name in ("reveal.js", "notes.js"):
            page.write(utf8(f"<script>\n{_in_page((reveal / name).read_text(encoding='utf-8'))}</script>\n"))
        page.write(Shelf.runtime("slides_page.js"))
        page.write(b"</body>\n</html>\n")
    return Written(file, title, about, len(slides))


def _views(slides: Sequence[Slide], chapters: Chapters) -> dict[str, Shown]:
    """Return the views of a deck by their addresses; each chapter is run once."""
    wanted: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for slide in slides:
        for address, before in slide.views():
            wanted[address.partition("#")[0]].append((address, before))
    return {
        address: Shown(re.sub(r"\W+", "-", address), contents, "", _LEVEL)
        for of_chapter in wanted.values()
        for address, contents in chapters.views(of_chapter).items()
    }


def _section(slide: Slide, part: str, note: str) -> str:
    kinds = {"bvs-title": slide.number == 1, "bvs-question": slide.asks, "bvs-with-view": bool(slide.views())}
    kind = next((name for name, holds in kinds.items() if holds), "bvs-plain")
    return (
        f'<section id="slide-{slide.number}" class="{kind}">\n<div class="bvs-slide">\n{part}</div>\n'
        f'<aside class="notes">\n{note}</aside>\n</section>\n'
    )


def _stage(slide: Slide, shown: dict[str, Shown]) -> Iterator[bytes]:
    """Return the bytes of a slide's view, one part after the other.

    It lies over its slide, not in it: reveal.js would take the sections of a view for slides of its own.
    """
    for address, _ in slide.views():
        yield utf8(f'<div class="bvs-stage" data-bvs-slide="slide-{slide.number}" hidden>\n')
        yield from shown[address].parts()
        yield b"</div>\n"


def _in_page(script: str) -> str:
    """Return a script in which nothing ends or nests the element that it stands in."""
    return re.sub(r"<(?=!--|/?script)", r"\\x3c", script, flags=re.IGNORECASE)


def _text(part: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", part)).split())


_INDEX = """<main class="bvs-index">
<h1>Slides</h1>
<p>Each deck is one file: it opens from a disk or a mail and needs no network. What is typed into a view is
answered by the model in the page.</p>
<p><kbd>→</kbd> or <kbd>Page down</kbd>: on. <kbd>S</kbd>: your notes, in a window of their own.
<kbd>F</kbd>: full screen. <kbd>O</kbd>: all slides. <kbd>B</kbd>: black. In a view, <kbd>Esc</kbd> gives the
keys back to the slides; <kbd>Page down</kbd> always goes on.</p>
<ol>
{decks}</ol>
</main>
</body>
</html>
"""


def write_index(file: Path, decks: Sequence[Written]) -> None:
    """Write the page that lists the decks, and says which keys there are."""
    listed = "".join(
        f'<li><a href="{html.escape(deck.file.name)}">{html.escape(deck.title)}</a><br>'
        f"{html.escape(deck.about)} ({deck.slides} slides)</li>\n"
        for deck in decks
    )
    with written_whole(file) as page:
        page.write(head("Slides", read_source("pages/slides/slides.css"), schemes="light", frames=_FRAMES))
        page.write(utf8(_INDEX.format(decks=listed)))
