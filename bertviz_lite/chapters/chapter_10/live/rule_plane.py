"""Which rule a model follows, as a place on a plane: corners are rules, a training is a path between them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.chapters.chapter_10.live.ten_seeds import EACH
from bertviz_lite.plots import CYCLE, UNSIGNED, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from bertviz_lite.chapters.chapter_10.live.training import Moment

__all__ = ["CORNERS", "draw"]

CORNERS = {
    (0, 0): "nearest noun",
    (EACH, 0): "any toy plural? say plural\n(or: always plural)",
    (0, EACH): "any toy singular? say singular\n(or: always singular)",
    (EACH, EACH): "all right: the subject,\nor the first sentence",
}
"""How many of 50 are right across a singular toy, and across a plural one; and the rule that answers so."""

_SHADES = UNSIGNED(np.linspace(0.25, 1.0, 256))


def draw(scores: Sequence[Moment], *, marks: Collection[int], title: str = "") -> Axes:
    """Draw the path of a training between the rules, pale where it begins and dark later.

    Small numbers are steps. After the last mark but one the path winds closely: there it's a thin grey line.

    Parameters
    ----------
    scores
        Those of a `LiveTraining`.
    marks
        Steps whose places are marked.
    title
        The finding, in a sentence.
    """
    path = np.array([moment.counts[2:] for moment in scores], np.float64)
    with style():
        _, ax = plt.subplots(figsize=(7.6, 6.0))
        ax.plot([0, EACH, EACH, 0, 0], [0, 0, EACH, EACH, 0], color="0.8", linewidth=1, zorder=1)
        ax.plot([0, EACH], [EACH, 0], color="0.6", linewidth=1, linestyle="--", zorder=1)
        ax.text(13, 39, "half of all right", rotation=-45, ha="center", va="center", color="0.35")
        until = sorted(marks)[-2] if len(marks) > 1 else scores[-1].step
        first = path[[moment.step <= until for moment in scores]]
        ax.plot(*path[len(first) - 1 :].T, color="0.7", linewidth=1.2, zorder=1.5)
        for k, (before, after) in enumerate(pairwise(first)):
            shade = _SHADES[255 * k // max(1, len(first) - 2)]
            look = {"arrowstyle": "-|>", "color": shade, "shrinkA": 0, "shrinkB": 2}
            ax.annotate("", after, before, arrowprops={**look, "linewidth": 1.8, "mutation_scale": 14})
        for place, moment in zip(path, scores, strict=True):
            if moment.step in marks:
                ax.plot(*place, "o", color=CYCLE[1], markersize=11, zorder=3)
                left = place[0] < EACH / 4
                ax.annotate(
                    f"step {moment.step}", place, (-10 if left else 10, 0), textcoords="offset points",
                    ha="right" if left else "left", va="center", path_effects=HALO, fontweight="bold",
                )  # fmt: skip
        _number_bends(ax, first, scores, marks)
        for (across, up), rule in CORNERS.items():
            ax.plot(across, up, "s", color="#1a1a1a", markersize=17, markerfacecolor="none")
            where = (0, 14 if up else -14)
            ax.annotate(
                rule, (across, up), where, textcoords="offset points", ha="center",
                va="bottom" if up else "top",
            )  # fmt: skip
        ax.set(xlim=(-21, 68), ylim=(-10, 60), aspect="equal", xticks=(0, 25, 50), yticks=(0, 25, 50))
        describe_axes(ax, f"right of {EACH} across a singular toy", f"right of {EACH} across a plural toy")
        entitle(ax, title)
    return ax


def _number_bends(
    ax: Axes, path: NDArray[np.float64], scores: Sequence[Moment], marks: Collection[int]
) -> None:
    """Write small steps at a path's unmarked bends, on their outer side."""
    for k in range(1, len(path) - 1):
        step = scores[k].step
        if step in marks:
            continue
        out = path[k] - (path[k - 1] + path[k + 1]) / 2
        ax.annotate(
            f"{step}", path[k], 11 * out / max(1e-9, float(np.hypot(*out))), textcoords="offset points",
            ha="center", va="center", fontsize=10, color="0.3", path_effects=HALO,
        )  # fmt: skip
