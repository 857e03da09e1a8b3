"""A slide's Markdown as HTML."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from bertviz_lite.views.pages.book.cells import code_html
from bertviz_lite.views.pages.book.markdown import Prose
from bertviz_lite.views.pages.slides.chapters import ADDRESS, Chapters
from bertviz_lite.views.pages.slides.deck import COLUMNS

if TYPE_CHECKING:
    from bertviz_lite.views.pages.slides.deck import Slide

__all__ = ["SlideProse"]

_LARGEST, _ROOM, _ROOM_OF_A_QUESTION = 2.0, 71.0, 61.0
"""Of quoted lines, in rem: the largest letters, and how wide they may be (slides.css)."""

_LETTER = 0.61
"""How wide a letter of them is, in em."""

_BLOCK = re.compile(r"\s*(?:<figure|$)")


class SlideProse(Prose):
    """Turns slides into HTML: quotations of cells into what they quote.

    Parameters
    ----------
    chapters
        Where figures are taken from.
    """

    def __init__(self, chapters: Chapters) -> None:
        super().__init__(())
        self.cells = chapters
        self.room = _ROOM

    def slide(self, slide: Slide) -> str:
        """Return what a slide shows: its heading, then one column or two."""
        self.room = _ROOM_OF_A_QUESTION if slide.asks else _ROOM
        heading, _, rest = slide.shown.partition("\n")
        columns = [self.html(column) for column in COLUMNS.split(rest)]
        if len(columns) > 1:
            columns = [f'<div class="bvs-column">\n{column}</div>\n' for column in columns]
            columns = ['<div class="bvs-columns">\n', *columns, "</div>\n"]
        return self.html(heading) + "".join(columns)

    # ------------------------------------------------------------------------- what mistune calls

    def heading(self, text: str, level: int, **_: Any) -> str:  # noqa: ANN401
        """Return a heading; nobody links to it."""
        return f"<h{level}>{text}</h{level}>\n"

    def paragraph(self, text: str) -> str:
        """Return a paragraph; a picture alone is none."""
        return text if _BLOCK.match(text) else f"<p>{text}</p>\n"

    def link(self, text: str, url: str, title: str | None = None) -> str:  # noqa: ARG002
        """Return words taken from a cell, or a link that doesn't lead away from the slides."""
        if ADDRESS.fullmatch(url):
            return f'<span class="bvs-quoted">{text}</span>'
        return f'<a href="{html.escape(url)}" target="_blank" rel="noopener">{text}</a>'

    def image(self, text: str, url: str, title: str | None = None) -> str:  # noqa: ARG002
        """Return a chapter's picture; a view lies over the slide."""
        if text != "figure":
            return ""
        figure = self.cells.cell(url).figure()
        return (
            f'<figure class="bvs-figure"><img alt="{html.escape(figure.alt)}" data-width="{figure.width}" '
            f'src="data:image/png;base64,{figure.png}"></figure>\n'
        )

    def block_code(self, code: str, info: str | None = None) -> str:
        """Return printed lines, or code in colours."""
        code = code.rstrip()
        is_python = (info or "").startswith("python")
        lines = code_html(code) if is_python else f'<pre class="bvs-output">{html.escape(code)}</pre>\n'
        widest = max(map(len, code.splitlines()), default=1)
        size = min(_LARGEST, self.room / (_LETTER * widest))
        return f'<div class="bvs-lines" style="font-size: {size:.2f}rem">\n{lines}</div>\n'
