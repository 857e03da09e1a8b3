"""Accidents with tokens, drawn: what was given, what the model reads, and whether anything says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import drawable, entitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

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
            cells = (accident.name, accident.given, accident.read, says)
            for x, text, last in zip(_COLUMNS, cells, (False, False, False, True), strict=True):
                ax.text(
                    x,
                    row,
                    "\n".join(map(drawable, text.split("\n"))),
                    va="center",
                    color=colour if last else INK,
                    weight="bold" if last else "normal",
                    fontsize=12,
                    parse_math=False,
                )
        entitle(ax, title)
        figure.canvas.draw_idle()
    return ax
