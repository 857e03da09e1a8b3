"""A picture of how far vectors lie on the way from one kind of word to another: *daytime* to *swan*."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_way"]


def draw_way(
    pairs: Mapping[str, Sequence[float]],
    *,
    title: str,
    members: Sequence[str],
    ends: Sequence[str],
) -> Axes:
    """Draw a row for each pair of texts, joined by a line, from 0 on the left to 1 on the right.

    The difference, the first less the second, is written beside each.

    Parameters
    ----------
    pairs
        Pairs of texts: what is said of both, and how far on the way each of them is.
    title
        The finding, in a sentence.
    members
        What the first members of the pairs are called, and the second.
    ends
        What lies at 0, and at 1.
    """
    names, rows = [*pairs], range(len(pairs))
    with style():
        _, ax = plt.subplots(figsize=(8.4, 1.9 + 0.42 * len(names)))
        for place in (0, 1):
            ax.axvline(place, color="0.6", linewidth=1.5, linestyle="--", zorder=1)
        for row, both in zip(rows, pairs.values(), strict=True):
            ax.plot([*both], [row, row], color="0.6", linewidth=2, zorder=2)
            ax.text(max(both) + 0.04, row, f"{both[0] - both[1]:+.2f}", va="center", fontweight="bold")
        values = list(zip(*pairs.values(), strict=True))
        for k, (called, across) in enumerate(zip(members, values, strict=True)):
            look: dict[str, Any] = {"facecolors": CYCLE[k] if k == 0 else "white", "edgecolors": CYCLE[k]}
            ax.scatter(across, rows, s=50, linewidths=2, marker="os"[k], label=called, zorder=3, **look)
        lettering.write_ticks(ax.yaxis, rows, names)
        lettering.write_ticks(ax.xaxis, (0, 0.5, 1), (f"0: {ends[0]}", "0.5", f"1: {ends[1]}"))
        ax.set(xlim=(-0.15, 1.15), ylim=(len(names) - 0.5, -0.5))
        ax.tick_params(axis="y", length=0)
        lettering.take_literally(ax.figure.legend(loc="outside lower center", ncols=2))
        lettering.entitle(ax, title)
    return ax
