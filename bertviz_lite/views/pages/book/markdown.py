"""The prose of a notebook as HTML: headings with addresses, formulas, links from chapter to chapter."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

import mistune
from mistune.plugins.math import math
from mistune.plugins.table import table

from bertviz_lite.views.pages.book.formulas import FormulaError, mathml

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Prose"]

_TAG = re.compile(r"<[^>]*>")


class Prose(mistune.HTMLRenderer):
    """Turns the Markdown of one notebook into HTML, and remembers its headings.

    Parameters
    ----------
    chapters
        Names of the notebooks that have a page beside this one: ``03_attention``.

    Attributes
    ----------
    headings
        (level, id, text as HTML) of every heading so far.
    """

    def __init__(self, chapters: Collection[str]) -> None:
        super().__init__(escape=False)
        self.chapters = set(chapters)
        self.headings: list[tuple[int, str, str]] = []
        self._markdown = mistune.Markdown(renderer=self, plugins=[math, table])

    def html(self, markdown: str) -> str:
        """Return a cell as HTML."""
        return str(self._markdown(markdown))

    @property
    def level(self) -> int:
        """The level of the last heading; 1 before the first."""
        return self.headings[-1][0] if self.headings else 1

    # ------------------------------------------------------------------------- what mistune calls

    def heading(self, text: str, level: int, **_: Any) -> str:  # noqa: ANN401
        """Return a heading with the id that a notebook gives it."""
        name = html.unescape(_TAG.sub("", text)).replace(" ", "-")
        self.headings.append((level, name, text))
        return f'<h{level} id="{html.escape(name)}">{text}</h{level}>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Return a link: to a notebook, that to its page; to a file that is not here, only the text."""
        target, mark, place = url.partition("#")
        if target.endswith(".ipynb") and target.removesuffix(".ipynb") in self.chapters:
            url = f"{target.removesuffix('.ipynb')}.html{mark}{place}"
        elif target and not re.match(r"\w+:", target):
            return text
        return str(super().link(text, url, title))

    def table_cell(self, text: str, align: str | None = None, head: bool = False) -> str:
        """Return a cell of a table; one without a word is the heading of nothing."""
        tag = "th" if head and text else "td"
        style = f' style="text-align:{align}"' if align else ""
        return f"<{tag}{style}>{text}</{tag}>\n"

    def inline_math(self, text: str) -> str:
        """Return a formula in a line."""
        return _formula(text, block=False)

    def block_math(self, text: str) -> str:
        """Return a formula in a line of its own."""
        return f"<p>{_formula(text, block=True)}</p>\n"


def _formula(source: str, *, block: bool) -> str:
    try:
        return mathml(source, block=block)
    except FormulaError:
        return f"<code>{html.escape(source)}</code>"
