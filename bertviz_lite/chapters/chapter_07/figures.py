"""Figures of chapter 07: four ways to pool, which candidate is nearest, and accuracies during a training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import PercentFormatter

from bertviz_lite.chapters.chapter_07.same_event import CHANGES
from bertviz_lite.plots import CYCLE, heatmap
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.heat_maps import draw_cells
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["curves", "four_ways", "nearest_map"]


def four_ways(
    tokens: Sequence[str], states: npt.ArrayLike, pooled: Mapping[str, npt.ArrayLike], *, title: str = ""
) -> list[Axes]:
    """Draw the vectors of a text's tokens, a row each, and below them what every pooling makes of them.

    Parameters
    ----------
    tokens
        The tokens of one text.
    states
        Some components of their vectors, shape (tokens, components).
    pooled
        Names of poolings, and the same components of the vector that each makes.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        That of the tokens, and that of the poolings.
    """
    above, below = np.asarray(states, float), np.array(list(pooled.values()), float)
    limit = float(np.abs(np.concatenate([above, below])).max())
    with style():
        figure, axes = plt.subplots(
            2, 1, figsize=(8.4, 5.2), height_ratios=[len(above), len(below)], layout="constrained"
        )
        headline(figure, title)
        for ax, values, names in zip(axes, (above, below), (tokens, [*pooled]), strict=True):
            # by the root, so that the pooler's numbers, never beyond 1, are not pale beside the tokens'
            draw_cells(ax, values, limit, aspect="auto", signed=True, by_root=True)
            ax.set_yticks(range(len(names)), names)
            ax.set_xticks([])
            ax.tick_params(length=0)
            ax.grid(visible=False)
        axes[0].set_ylabel("tokens")
        axes[1].set_ylabel("pooled")
        count = above.shape[1]
        axes[1].set_xlabel(f"the first {count} components; blue below 0, orange above; strong: far from 0")
    return list(axes)


def nearest_map(shares: Mapping[str, npt.ArrayLike], *, title: str = "") -> Axes:
    """Draw which candidate is nearest how often: a row for each way to compare, a column for each candidate.

    Parameters
    ----------
    shares
        Names, and for each the shares of the five candidates of ``same_event.CHANGES``.
    title
        The finding, in a sentence.
    """
    percent = (100 * np.array(list(shares.values()), float)).round()
    with style():
        _, ax = plt.subplots(figsize=(8.4, 4.0))
    heatmap(percent, [*shares], CHANGES, title=title, label="% nearest", limit=40, ax=ax)
    ax.set_aspect("auto")
    return ax


def curves(
    steps: Sequence[int],
    panels: Mapping[str, Mapping[str, npt.ArrayLike]],
    *,
    title: str = "",
    reference: float | None = None,
) -> list[Axes]:
    """Draw accuracies over steps, a panel beside the other: a line for each run, a colour for each name.

    Parameters
    ----------
    steps
        Where the accuracies were measured.
    panels
        For each panel's heading, names and accuracies of shape (runs, len(steps)).
    title
        The finding, in a sentence.
    reference
        A number of steps to mark by an upright line.

    Returns
    -------
    list of Axes
        One for each panel, of one figure.
    """
    with style():
        figure, axes = plt.subplots(1, len(panels), figsize=(9.6, 4.4), sharey=True, squeeze=False)
        headline(figure, title)
    row: list[Axes] = list(axes[0])
    for ax, (heading, runs_of) in zip(row, panels.items(), strict=True):
        for number, (name, runs) in enumerate(runs_of.items()):
            for run, accuracies in enumerate(np.asarray(runs, float)):
                look: dict[str, Any] = {"color": CYCLE[number], "linestyle": ("-", "--")[run % 2]}
                look |= {"marker": "o", "markersize": 4, "label": name if run == 0 else None}
                ax.plot(steps, accuracies, linewidth=2, **look)
        if reference is not None:
            ax.axvline(reference, color="#888888", linestyle=":", linewidth=1.5)
            mark: dict[str, Any] = {"xytext": (4, 3), "textcoords": "offset points"}
            ax.annotate(f"{reference:g} steps", (reference, 0), fontsize=11, color="#59636e", **mark)
        ax.set_title(heading, fontsize=12, fontweight="normal")
        ax.set(xlabel="steps", ylim=(0, 1.03), xticks=steps[::2])
        ax.yaxis.set_major_formatter(PercentFormatter(1))
    row[0].set_ylabel("right, of 200 new questions")
    row[-1].legend(loc="lower right", frameon=False, title="solid, dashed: two runs")
    return row
