"""Figures of chapter 07: cosines of two kinds of vectors; those of a step, and what a loss makes of them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from bertviz_lite.plots import CYCLE
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.heat_maps import UNSIGNED
from bertviz_lite.plots.lettering import HALO, bare, headline, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["every_query", "of_two", "one_query", "side_by_side"]

_LETTERS = 34  # in a line of a row's name


def of_two(vectors: npt.ArrayLike) -> Floats:
    """Return the mean cosine of two different texts, for each kind of vectors.

    Parameters
    ----------
    vectors
        Shape (texts, kinds, size).

    Examples
    --------
    >>> of_two([[[1.0, 0.0]], [[0.0, 2.0]], [[3.0, 0.0]]]).round(3).tolist()
    [0.333]
    """
    rows = np.asarray(vectors, float)
    unit = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    count = len(unit)
    means: Floats = ((unit.sum(axis=0) ** 2).sum(axis=-1) - count) / (count * (count - 1))
    return means


def side_by_side(
    panels: Mapping[str, npt.ArrayLike],
    labels: Sequence[str],
    *,
    title: str = "",
    label: str = "",
    usual: Sequence[float] = (),
) -> list[Axes]:
    """Draw dots in a panel for each kind of vectors: cosines of one kind can't be compared with another's.

    Dots, not bars: what tells the numbers apart is close to 1, and the axis begins just below the lowest.

    Parameters
    ----------
    panels
        For each panel's name a number for each label.
    labels
        The names of the rows.
    title
        The finding, in a sentence.
    label
        What the numbers are.
    usual
        For each panel a number to compare with: an upright dashed line.

    Returns
    -------
    list of Axes
        One for each panel, of one figure.
    """
    shown = {name: np.ravel(np.asarray(numbers, float)) for name, numbers in panels.items()}
    least = min(float(numbers.min()) for numbers in shown.values())
    lowest = min(0.75, least - 0.3 * (1 - least))  # room for a number left of the lowest dot
    bottom = len(labels) - (0.1 if len(usual) else 0.5)
    with style():
        figure, axes = plt.subplots(1, len(panels), figsize=(9.6, 2.6), sharey=True, squeeze=False)
        headline(figure, title)
        row: list[Axes] = list(axes[0])
        for place, (ax, (name, numbers)) in enumerate(zip(row, shown.items(), strict=True)):
            ax.plot(numbers, range(len(labels)), "o", markersize=10, color=CYCLE[0], zorder=3)
            for height, cosine in enumerate(numbers.tolist()):
                told = f"{cosine:.3f}".replace("-", "−")  # 0.995 isn't 1.00
                near: dict[str, Any] = {"xytext": (-9, 0), "textcoords": "offset points", "va": "center"}
                ax.annotate(told, (cosine, height), ha="right", fontsize=11, path_effects=HALO, **near)
            for at in usual[place : place + 1]:
                ax.axvline(at, color=INK, linestyle="--", linewidth=1.5)
                beside: dict[str, Any] = {"xytext": (5, 0), "textcoords": "offset points", "va": "center"}
                ax.annotate(f"{at:.2f}", (at, bottom - 0.3), fontsize=11, path_effects=HALO, **beside)
            # a whole dot at 1, but no axis beyond it: no cosine is there
            ax.set(xlim=(lowest, 1 + 0.03 * (1 - lowest)), ylim=(bottom, -0.5))
            ax.spines["bottom"].set_bounds(lowest, 1)
            ax.set_xticks([tick for tick in ax.get_xticks() if lowest <= tick < 1.001])
            ax.tick_params(axis="y", length=0)
            ax.grid(axis="y", color="#e5e8eb", linewidth=1)
            ax.set_axisbelow(True)
            ax.set_title(name, fontsize=12, fontweight="normal")
        write_ticks(row[0].yaxis, range(len(labels)), labels)
        figure.supxlabel(label, fontsize=12)
    return row


def one_query(
    cosines: npt.ArrayLike, changes: Sequence[str], temperature: float, *, title: str = ""
) -> list[Axes]:
    """Draw one query's cosines with all candidates of a step, and beside them the softmax of these.

    Parameters
    ----------
    cosines
        Shape (candidates,): the query's own first.
    changes
        The names of the query's own candidates, the partner first, or the candidates themselves.
    temperature
        What the cosines are divided by.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        That of the cosines, and that of the probabilities.
    """
    near = np.asarray(cosines, float)
    own, powers = len(changes), np.exp((near - near.max()) / temperature)
    p = powers / powers.sum()
    names = [f"{changes[0]} (partner)", *changes[1:], f"{len(near) - own} of other queries"]
    rows = [textwrap.fill(name, _LETTERS) for name in names]
    heights = np.minimum(np.arange(len(near)), own)
    heights = heights + np.where(heights == own, np.resize((-0.24, -0.08, 0.08, 0.24), len(near)), 0)
    colours = [CYCLE[2], *[CYCLE[1]] * (own - 1), CYCLE[6]]
    with style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.6), sharey=True)
        headline(figure, title)
        for k, (cosine, height) in enumerate(zip(near, heights, strict=True)):
            look: dict[str, Any] = {"color": colours[min(k, own)], "alpha": 1.0 if k < own else 0.55}
            left.plot(cosine, height, "o", markersize=10 if k < own else 6, **look)
            if k < own:
                beside: dict[str, Any] = {"xytext": (-9, 0), "textcoords": "offset points", "va": "center"}
                told = f"{cosine:.{3 if 0.995 <= cosine < 1 else 2}f}".replace("-", "−")  # 0.998 isn't 1
                left.annotate(told, (cosine, height), ha="right", fontsize=11, path_effects=HALO, **beside)
        sums = [*p[:own], p[own:].sum()]
        drawn = right.barh(range(own + 1), sums, height=0.62, color=colours)
        written = [_share(share) for share in sums]
        written[-1] += f" (all {len(near) - own})"
        right.bar_label(drawn, written, padding=4, path_effects=HALO)
        left.set_yticks(range(own + 1), rows)
        left.set(xlabel="cosine with the query", xlim=(min(-0.62, near.min() - 0.05), 1.05))
        left.set_xticks((-0.5, 0, 0.5, 1))
        left.set_ylim(own + 0.6, -0.6)
        right.set(
            xlabel=f"probability: softmax of cosine / {temperature:g}", xlim=(0, 1.12), xticks=(0, 0.5, 1)
        )
        for ax in (left, right):
            ax.tick_params(axis="y", length=0)
        left.grid(axis="y", color="#e5e8eb", linewidth=1)
        left.set_axisbelow(True)
    return [left, right]


def every_query(panels: Mapping[str, npt.ArrayLike], *, title: str = "") -> list[Axes]:
    """Draw the cosines of all queries of a step with all its candidates, one panel above the other.

    A query's own candidates are framed: the first, its partner, in green, the wrong ones in orange.

    Parameters
    ----------
    panels
        For each panel's name cosines of shape (queries, candidates): as many candidates of each query, in the
        order of the queries. Cosines below 0 are drawn as 0.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One for each panel, of one figure.
    """
    shown = {name: np.asarray(cosines, float) for name, cosines in panels.items()}
    queries, candidates = next(iter(shown.values())).shape
    own = candidates // queries
    with style():
        height = 1.15 + 2.05 * len(shown)
        figure, axes = plt.subplots(len(shown), 1, figsize=(9.6, height), sharex=True, squeeze=False)
        headline(figure, title)
        column: list[Axes] = list(axes[:, 0])
        for ax, (name, cosines) in zip(column, shown.items(), strict=True):
            image = ax.imshow(np.clip(cosines, 0, 1), cmap=UNSIGNED, vmin=0, vmax=1, aspect="auto")
            for row in range(queries):
                frame: dict[str, Any] = {"fill": False, "linewidth": 2, "zorder": 3, "clip_on": False}
                corner = own * row - 0.5
                ax.add_patch(Rectangle((corner + 1, row - 0.5), own - 1, 1, edgecolor=CYCLE[1], **frame))
                ax.add_patch(Rectangle((corner, row - 0.5), 1, 1, edgecolor=CYCLE[2], **frame))
            ax.set_title(name, fontsize=12, fontweight="normal")
            ax.set_yticks((0, queries - 1), ("1", str(queries)))
            ax.set_ylabel("queries")
            ax.set_xticks(range(0, candidates, own), [str(place + 1) for place in range(0, candidates, own)])
            bare(ax)
        column[-1].set_xlabel(
            f"candidates, {own} of each query; green: partner; orange: wrong ones of its own"
        )
        bar = figure.colorbar(image, ax=column, fraction=0.03, pad=0.02)
        least = min(float(cosines.min()) for cosines in shown.values())
        bar.set_ticks((0, 0.5, 1), labels=("0 or less" if least < 0 else "0", "0.5", "1"))
        bar.set_label("cosine")
        bar.outline.set_visible(False)
    return column


def _share(share: float) -> str:
    """Write a probability so that one that is small doesn't read 0."""
    if share < 0.0005:
        return "< 0.001"
    return f"{share:.3f}" if share < 0.005 else f"{share:.2f}"
