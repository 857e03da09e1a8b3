"""How far a vector lies on the way from one kind of word to another: from *daytime* to *swan*."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, INK, style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from torch import Tensor

__all__ = ["draw_way", "way"]


def way(vectors: Tensor, start: Tensor, goal: Tensor) -> Tensor:
    """Return how far each vector is on the way: 0 as the mean of `start`, 1 as that of `goal`.

    Parameters
    ----------
    vectors
        Shape (n, hidden_size).
    start, goal
        Examples of both kinds, (their number, hidden_size).

    Returns
    -------
    Tensor
        Shape (n,). What a vector has across the way doesn't count.
    """
    begin = start.mean(dim=0)
    step = goal.mean(dim=0) - begin
    found: Tensor = (vectors - begin) @ step / (step @ step)
    return found


def draw_way(
    alone: Mapping[str, float],
    pairs: Mapping[str, Sequence[float]],
    *,
    title: str,
    members: Sequence[str],
    ends: Sequence[str],
) -> Axes:
    """Draw a row for each text, or pair of texts joined by a line, from 0 on the left to 1 on the right.

    Parameters
    ----------
    alone
        Texts on their own, drawn first: a name, and how far on the way.
    pairs
        Pairs of texts: what is said of both, and how far on the way each of them is.
    title
        The finding, in a sentence.
    members
        What the first members of the pairs are called, and the second.
    ends
        What lies at 0, and at 1.
    """
    names = [*alone, *pairs]
    with style():
        _, ax = plt.subplots(figsize=(8.4, 1.9 + 0.42 * len(names)))
        for place in (0, 1):
            ax.axvline(place, color="0.6", linewidth=1.5, linestyle="--", zorder=1)
        ax.scatter([*alone.values()], range(len(alone)), s=90, color=INK, marker="D", zorder=3)
        rows = range(len(alone), len(names))
        for row, both in zip(rows, pairs.values(), strict=True):
            ax.plot([*both], [row, row], color="0.6", linewidth=2, zorder=2)
        values = list(zip(*pairs.values(), strict=True))
        for k, (called, across) in enumerate(zip(members, values, strict=True)):
            look: dict[str, Any] = {"facecolors": CYCLE[k] if k == 0 else "white", "edgecolors": CYCLE[k]}
            ax.scatter(across, rows, s=80, linewidths=2, marker="os"[k], label=called, zorder=3, **look)
        lettering.write_ticks(ax.yaxis, range(len(names)), names)
        lettering.write_ticks(ax.xaxis, (0, 0.5, 1), (f"0: {ends[0]}", "0.5", f"1: {ends[1]}"))
        ax.set(xlim=(-0.15, 1.15), ylim=(len(names) - 0.5, -0.5))
        ax.tick_params(axis="y", length=0)
        lettering.take_literally(ax.figure.legend(loc="outside lower center", ncols=2))
        lettering.entitle(ax, title)
    return ax
