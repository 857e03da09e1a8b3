"""Accidents with tokens, drawn: what was given, what the model reads, and whether anything says so."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib.pyplot as plt

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import drawable, entitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = ["Accident", "draw_accidents"]

_COLUMNS = (0.0, 2.4, 4.95, 7.35)  # inches
_HEADS = ("accident", "you give", "the model reads, or says", "error?")
_WIDE = 8.7
_GREY = "#767d86"


class Accident(NamedTuple):
    """One row of the figure."""

    name: str
    given: str
    read: str
    error: str = ""
    """What stops the program; "" if nothing does."""
    only: str = ""
    """When it stops the program, if not always; written instead of the error."""
    odd: str = ""
    """Letters of what is given that look like others: each is written in orange."""


def draw_accidents(accidents: Sequence[Accident], *, title: str) -> Axes:
    """Draw a row for each accident; what stops the program is blue, what nothing stops orange, else dark.

    Parameters
    ----------
    accidents
        Top to bottom.
    title
        The finding, in a sentence.
    """
    with style():
        figure, ax = plt.subplots(figsize=(9.0, 0.5 * (len(accidents) + 1) + 0.5))
        ax.set(xlim=(-0.1, _WIDE), ylim=(len(accidents) + 0.4, -0.5))
        ax.axis("off")
        for x, head in zip(_COLUMNS, _HEADS, strict=True):
            ax.text(x, 0, head, va="center", color=_GREY, fontsize=12)
        for row, accident in enumerate(accidents, start=1):
            ax.axhline(row - 0.5, color="#d9dce0", linewidth=1)
            colour = INK if accident.only else CYCLE[0] if accident.error else CYCLE[1]
            says = accident.only or accident.error or "no error"
            name, given, read, error = _COLUMNS
            _write(ax, name, row, accident.name)
            _write_given(ax, given, row, accident)
            _write(ax, read, row, accident.read)
            _write(ax, error, row, says, color=colour, weight="bold")
        entitle(ax, title)
        figure.canvas.draw_idle()
    return ax


def _write(ax: Axes, x: float, row: float, text: str, **look: Any) -> None:  # noqa: ANN401 - passed on
    """Write a cell as it is, in as many lines as it has."""
    lines = "\n".join(map(drawable, text.split("\n")))
    options: dict[str, Any] = {"va": "center", "color": INK, "fontsize": 12, "parse_math": False, **look}
    ax.text(x, row, lines, **options)


def _write_given(ax: Axes, x: float, row: float, accident: Accident) -> None:
    """Write what is given, part by part: what is odd in it is orange and bold."""
    before: Text | None = None
    for odd, letters in groupby(accident.given, key=accident.odd.__contains__):
        look: dict[str, Any] = {"color": CYCLE[1] if odd else INK, "weight": "bold" if odd else "normal"}
        part = drawable("".join(letters))
        if before is None:
            before = ax.text(x, row, part, va="center", fontsize=12, parse_math=False, **look)
        else:  # it goes on where the part before it ends
            place: dict[str, Any] = {"xycoords": before, "va": "bottom", "fontsize": 12, "parse_math": False}
            before = ax.annotate(part, (1.0, 0.0), **place, **look)
