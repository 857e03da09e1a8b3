"""A whole file of the course, or a printed text, folded: a notebook has it at hand and stays short.

>>> from bertviz_lite.chapters.chapter_12 import whole_bert
>>> folded(whole_bert)  # doctest: +ELLIPSIS
whole_bert.py, all its ... lines, folded
>>> Printed("What it prints", "a long text")
What it prints, folded
"""

from __future__ import annotations

import inspect
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from bertviz_lite.exercises.listing import Listing

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Folded", "Printed", "folded"]


class Folded:
    """A listing behind its own name, which a click opens; elsewhere a line that says how long it is."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing

    def __repr__(self) -> str:
        return f"{self.listing.file}, all its {len(self.listing.code.splitlines())} lines, folded"

    def _repr_html_(self) -> str:
        lines = len(self.listing.code.splitlines())
        summary = f"The whole file: <code>{escape(self.listing.file)}</code>, {lines} lines"
        return f"<details><summary>{summary}</summary>{self.listing._repr_html_()}</details>"


class Printed:
    """A text behind a summary, which a click opens; elsewhere the summary alone, which gives nothing away."""

    def __init__(self, summary: str, text: str) -> None:
        self.summary, self.text = summary, text

    def __repr__(self) -> str:
        return f"{self.summary}, folded"

    def _repr_html_(self) -> str:
        return f"<details><summary>{escape(self.summary)}</summary><pre>{escape(self.text)}</pre></details>"


def folded(module: ModuleType) -> Folded:
    """Read the file of a module, its lines numbered as in the file."""
    file = Path(inspect.getsourcefile(module) or "").name
    return Folded(Listing(file, "from top to bottom", inspect.getsource(module)))
