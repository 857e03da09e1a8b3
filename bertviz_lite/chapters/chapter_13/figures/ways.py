"""The way of one word's vector through the layers, between two senses."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import draw_lines
from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle, write, write_ticks
from bertviz_lite.plots.point_names import apart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw"]

_LETTERS = 27
"""How many letters of a sentence stand in a line at the end of its way."""
_ROOM = 0.27
"""How far apart two sentences are written, at least; 1 is the way from one sense to the other."""


def draw(
    ways: Mapping[str, npt.ArrayLike], senses: tuple[str, str], meant: Sequence[str], *, title: str = ""
) -> Axes:
    """Draw a dot for each height, joined, between the means of two senses; at the end, whether it is right.

    Parameters
    ----------
    ways
        By sentence its places at the input and after each layer, as `between` gives them: 0 to 1, or beyond.
    senses
        The names of the senses at 0 and at 1.
    meant
        For each sentence the sense that it has.
    title
        The finding, in a sentence.
    """
    rows = {name: np.asarray(way, float) for name, way in ways.items()}
    heights = range(len(next(iter(rows.values()))))
    with style():
        _, ax = plt.subplots(figsize=(8.6, 4.8))
        ends = -0.3, heights[-1]
        reached = np.concatenate([*rows.values()])
        low, high = min(-0.15, reached.min()), max(1.15, reached.max())
        halves = ((low, 0.5, "#e9e9e9", low + 0.07), (0.5, high, "#f7f7f7", high - 0.07))
        for sense, (start, end, tint, height) in zip(senses, halves, strict=True):
            ax.fill_between(ends, start, end, color=tint, linewidth=0, zorder=0)
            write(ax, -0.2, height, f"read as {sense}", ha="left", size=12, style="italic")
        for place, look in {0.0: "-", 0.5: ":", 1.0: "-"}.items():
            ax.plot(ends, [place] * 2, color="#9a9a9a", linewidth=1.5, linestyle=look, zorder=1)
        draw_lines(ax, heights, [*rows.values()], [*rows])
        spread = apart([way[-1] for way in rows.values()], _ROOM)
        for k, ((name, way), sense) in enumerate(zip(rows.items(), meant, strict=True)):
            ax.plot(heights, way, "osD^"[k % 4], color=CYCLE[k], markersize=8, zorder=4)
            right = (way[-1] > 0.5) == (sense == senses[1])
            words = f"{_begun(name)}\nmeant: {sense} {'✓' if right else '✗'}"
            at = {"textcoords": "offset points", "va": "center", "fontsize": 12, "path_effects": HALO}
            ax.annotate(words, (heights[-1], spread[k]), (12, 0), color=CYCLE[k], **at)  # type: ignore[arg-type]
        river, money = (f"mean of the {sense} banks" for sense in senses)
        write_ticks(ax.yaxis, (0, 0.5, 1), [river, "as near to both", money])
        write_ticks(ax.xaxis, heights, ["input", *map(str, heights[:-1])])
        ax.set(xlim=(-0.3, 1.7 * heights[-1]), ylim=(low, high))
        ax.spines["bottom"].set_bounds(*ends)
        describe_axes(ax, "after layer (counted from 0)")
        ax.xaxis.set_label_coords(0.31, -0.1)
        entitle(ax, title)
    return ax


def _begun(sentence: str) -> str:
    """Write a sentence, or its beginning, in two lines."""
    return "\n".join(textwrap.wrap(sentence, _LETTERS, max_lines=2, placeholder=" …"))
