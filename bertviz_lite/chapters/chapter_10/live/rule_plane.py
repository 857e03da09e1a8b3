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
    (EACH, EACH): "all right: grammar,\nor the first sentence",
}
"""How many of 50 are right across a singular toy, and across a plural one; and the rule that answers so."""

_SHADES = UNSIGNED(np.linspace(0.25, 1.0, 256))


def draw(scores: Sequence[Moment], *, marks: Collection[int], title: str = "") -> Axes:
    """Draw the path of a training between the rules, pale where it begins and dark where it ends.

    Small numbers are steps, up to the last but one that is marked; later ones lie too close together.

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
        for k, (before, after) in enumerate(pairwise(path)):
            shade = _SHADES[255 * k // max(1, len(path) - 2)]
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
        _number_bends(ax, path, scores, marks)
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
    """Write small steps at the path's unmarked bends, on their outer side, up to the last mark but one."""
    last = max(sorted(marks)[:-1], default=0)  # after it the path winds too closely
    for k in range(1, len(path) - 1):
        step = scores[k].step
        if step in marks or step > last:
            continue
        out = path[k] - (path[k - 1] + path[k + 1]) / 2
        ax.annotate(
            f"{step}", path[k], 11 * out / max(1e-9, float(np.hypot(*out))), textcoords="offset points",
            ha="center", va="center", fontsize=10, color="0.3", path_effects=HALO,
        )  # fmt: skip
