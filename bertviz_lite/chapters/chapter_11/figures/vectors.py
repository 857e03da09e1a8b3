"""The vectors that a head reads, as clouds of points: one panel a model, one colour a label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import pca, scatter_map, style
from bertviz_lite.plots.course_style import INK
from bertviz_lite.plots.lettering import HALO, describe_axes, headline, take_literally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["clouds"]


def clouds(
    vectors: Mapping[str, npt.ArrayLike],
    numbers: npt.ArrayLike,
    labels: Sequence[str],
    *,
    ring: str = "",
    title: str = "",
) -> list[Axes]:
    """Draw the same texts' vectors from several models, each in the two directions in which they differ most.

    Parameters
    ----------
    vectors
        By the name of the model, one vector a text, (texts, size).
    numbers
        The number of each text's label.
    labels
        The names of the labels, in the order of their numbers.
    ring
        The name of one more text, the last of the vectors: it has no label, and is drawn as a ring.
    title
        The finding, in a sentence.
    """
    of = np.asarray(numbers)
    order = np.argsort(of, kind="stable")  # the legend names the labels in their order
    groups = [labels[number] for number in of[order]]
    with style():
        figure, axes = plt.subplots(1, len(vectors), figsize=(4.4 * len(vectors), 4.4), squeeze=False)
        for ax, (name, rows) in zip(axes[0], vectors.items(), strict=True):
            found = pca(np.asarray(rows)[[*order, *range(len(of), len(of) + bool(ring))]])
            scatter_map(found.points[: len(of)], groups, groups, annotate=0, title=name, ax=ax)
            if ring:
                _ring(ax, found.points[-1], ring)
            first, second = (f"axis {k + 1}: {found.explained[k]:.0%} of the variance" for k in range(2))
            describe_axes(ax, first, second)
            legend = ax.get_legend()
            if legend is not None:
                legend.remove()
        handles, names = axes[0][0].get_legend_handles_labels()
        take_literally(figure.legend(handles, names, loc="outside lower center", ncols=len(labels)))
        headline(figure, title)
    return list(axes[0])


def _ring(ax: Axes, point: npt.NDArray[np.float64], name: str) -> None:
    """Draw a ring at a point, and its name on the side where there is more room."""
    ax.plot(*point, "o", color=INK, markersize=15, fillstyle="none", markeredgewidth=2.5, zorder=5)
    is_right = point[0] > np.mean(ax.get_xlim())
    ax.annotate(
        name, (point[0], point[1]), (-14 if is_right else 14, 0), textcoords="offset points", va="center",
        ha="right" if is_right else "left", fontsize=13, fontweight="bold", path_effects=HALO, zorder=6,
        parse_math=False,
    )  # fmt: skip
