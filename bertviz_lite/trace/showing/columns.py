"""Lines of text in columns, none longer than a page."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bertviz_lite.basics.text import clip

__all__ = ["WIDTH", "Line", "columns"]

WIDTH = 110
"""No line is longer."""

_GAP = "  "
_SHAPE, _LAST = 50, 20  # columns at the most; the name has what is left


@dataclass(frozen=True)
class Line:
    """A line of the table: a name, shapes beside it, and a text at its end."""

    name: str
    shapes: Sequence[str] = ()
    last: str = ""
    note: bool = False
    """A sentence over all columns, in the place of shapes."""


def columns(lines: Sequence[Line]) -> list[str]:
    """Put lines into columns as wide as they need, up to a limit each."""
    head = Line("module or operation", ["output"], "parameters or line")
    plain = [head, *(line for line in lines if not line.note)]
    last = min(_LAST, max(_width(line.last) for line in plain))
    shape = min(_SHAPE, max(_width(text) for line in plain for text in line.shapes))
    room = WIDTH - shape - last - 2 * len(_GAP)
    name = min(room, max(_width(line.name) for line in [head, *lines]))
    rows = list(_row(head, name, shape, last))
    rows.append("─" * min(WIDTH, name + shape + last + 2 * len(_GAP)))
    for line in lines:
        rows += _note(line, name) if line.note else _row(line, name, shape, last)
    return rows


def _note(line: Line, name: int) -> list[str]:
    start = _padded(line.name, name)
    texts = textwrap.wrap(line.shapes[0], WIDTH - name - len(_GAP))
    return [(start if k == 0 else " " * name) + _GAP + text for k, text in enumerate(texts)]


def _row(line: Line, name: int, shape: int, last: int) -> Iterator[str]:
    """Yield a line, and under it what does not fit: other outputs, or the second half of a long shape."""
    shapes = [part for text in line.shapes for part in _folded(text, shape)]
    for number, text in enumerate(shapes):
        start = _padded(line.name, name) if number == 0 else " " * name
        end = _end(line.last, last) if number == 0 else ""
        yield f"{start}{_GAP}{_padded(text, shape)}{_GAP}{end}"


def _end(text: str, width: int) -> str:
    """Return `text` in at most `width` columns; of "file.py:123" the number is kept, whatever is cut off."""
    file, colon, number = text.rpartition(":")
    if len(text) <= width or not colon:
        return clip(text, width)
    return clip(file, width - len(number) - 1) + colon + number


def _folded(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=" ", break_long_words=True) or [""]


def _width(text: str) -> int:
    """Return how many columns a terminal gives `text`: two for a Chinese character, none for an accent."""
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


def _padded(text: str, width: int) -> str:
    """Return `text` in exactly `width` columns, its end cut off if it is longer."""
    if _width(text) > width:
        while _width(text) > width - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (width - _width(text))
