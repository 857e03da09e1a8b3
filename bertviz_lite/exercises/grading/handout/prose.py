"""The prose of a chapter, for students: no folded answer, and no word of a folded solution."""

from __future__ import annotations

import re

__all__ = ["NOTE", "for_students"]

NOTE = """\
**Handing in.** Write your answers where `...` stands. The cell below each checks it: run both, and leave
the lower one as it is, for one that was changed or is missing is marked as tampered with. Add cells of your
own wherever you like. Hand in this file, with your name before or after its own."""

_FOLDED = re.compile(
    r"<details>\s*<summary>[^<]*\b(?:answers?|cases|prediction)\b[^<]*</summary>.*?</details>\n*",
    re.DOTALL | re.IGNORECASE,
)
_TOLD = re.compile(
    r"[,;]?\s*(?:and )?\b(?:the|a|one) solution (?:is )?folded(?: away)?(?: below)?(?: each cell)?",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"(?<=[.!?])\s*\.(?=\s|$)")


def for_students(text: str) -> str:
    """Return a cell's prose without answers.

    >>> for_students("Run the cell. `.hint()` helps; the solution is folded below.")
    'Run the cell. `.hint()` helps.'
    >>> for_students("`.hint()` helps. A solution is folded below each cell.")
    '`.hint()` helps.'
    """
    return _EMPTY.sub("", _TOLD.sub("", _FOLDED.sub("", text))).rstrip()
