"""Rows of characters, cut into words in several ways, drawn one above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import drawable, entitle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_cuts"]

_HIGH = 0.58
_TINT = "#fdf0e9"


def draw_cuts(
    ways: Mapping[str, Sequence[str]], *, title: str, meanings: Mapping[str, str] | None = None
) -> Axes:
    """Draw each way to cut a text as a row of boxes; boxes of several characters are orange.

    Parameters
    ----------
    ways
        By the name of a way, its parts; put together they have equally many characters in each.
    title
        The finding, in a sentence.
    meanings
        What is written below a part, for those that have something: a line or two.

    Raises
    ------
    ValueError
        Where two ways cut texts that aren't equally long.
    """
    texts = ["".join(parts) for parts in ways.values()]
    if len({len(text) for text in texts}) > 1:
        raise ValueError(f"{' and '.join(texts)} aren't equally long.")
    with style():
        figure, ax = plt.subplots(figsize=(9.6, 1.2 * len(ways) + 0.7))
        ax.set(xlim=(-0.1, len(texts[0]) + 0.1), ylim=(len(ways) - 0.35, -0.5))
        ax.set_yticks(range(len(ways)), [f"{name}:\n{len(parts)} parts" for name, parts in ways.items()])
        ax.tick_params(left=False, bottom=False, labelbottom=False)
        ax.spines[:].set_visible(False)
        for row, (text, parts) in enumerate(zip(texts, ways.values(), strict=True)):
            for start, stop in _spans(parts):
                several = stop - start > 1
                colour = CYCLE[1] if several else INK
                corner, width = (start + 0.05, row - _HIGH / 2), stop - start - 0.1
                face = _TINT if several else "white"
                box = Rectangle(corner, width, _HIGH, facecolor=face, edgecolor=colour, linewidth=2.0)
                ax.add_patch(box)
                part, middle = text[start:stop], (start + stop) / 2
                look: dict[str, Any] = {"ha": "center", "parse_math": False}
                ax.text(middle, row, drawable(part), va="center", fontsize=22, **look)
                if part in (meanings or {}):
                    below = row + _HIGH / 2 + 0.06
                    lines = "\n".join(map(drawable, (meanings or {})[part].split("\n")))
                    ax.text(middle, below, lines, va="top", fontsize=11, **look)
        entitle(ax, title)
        figure.canvas.draw_idle()
    return ax


def _spans(parts: Sequence[str]) -> list[tuple[int, int]]:
    spans, start = [], 0
    for part in parts:
        spans.append((start, start + len(part)))
        start += len(part)
    return spans
