"""The lines of a table of text."""

from __future__ import annotations

import re


def lines(text: str) -> list[str]:
    return text.split("\n")


def row(text: str, start: str) -> str:
    """Return the one line whose name is `start`."""
    (found,) = [line for line in lines(text) if re.match(rf"\s*{re.escape(start)}(  |$)", line)]
    return found
