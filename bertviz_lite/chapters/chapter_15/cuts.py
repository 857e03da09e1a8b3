"""One row of characters, cut into words in several ways, drawn one above the other."""

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
    """Draw each way to cut the same text as a row of boxes; boxes that the first row lacks are orange.

    Parameters
    ----------
    ways
        By the name of a way, its parts; put together they are the same text in each.
    title
        The finding, in a sentence.
    meanings
        What is written below a part, for those that have something: a line or two.

    Raises
    ------
    ValueError
        Where two ways cut different texts.
    """
    (text, *others) = {"".join(parts) for parts in ways.values()}
    if others:
        raise ValueError(f"{text} and {others[0]} are different texts.")
    usual = _spans(next(iter(ways.values())))
    with style():
        figure, ax = plt.subplots(figsize=(9.6, 1.2 * len(ways) + 0.7))
        ax.set(xlim=(-0.1, len(text) + 0.1), ylim=(len(ways) - 0.35, -0.5))
        ax.set_yticks(range(len(ways)), [f"{name}:\n{len(parts)} parts" for name, parts in ways.items()])
        ax.tick_params(left=False, bottom=False, labelbottom=False)
        ax.spines[:].set_visible(False)
        for row, parts in enumerate(ways.values()):
            for start, stop in _spans(parts):
                other = (start, stop) not in usual and row > 0 and stop - start > 1
                colour = CYCLE[1] if other else INK
                corner, width = (start + 0.05, row - _HIGH / 2), stop - start - 0.1
                face = _TINT if other else "white"
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
