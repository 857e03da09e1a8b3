"""Numbers side by side: bars, and dots with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.plots import checks, lettering
from bertviz_lite.plots.course_style import CYCLE, INK, fit, style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["bars", "histogram", "intervals"]


def bars(
    values: npt.ArrayLike,
    labels: Sequence[str],
    series: Sequence[str] | None = None,
    *,
    title: str = "",
    label: str = "",
    reference: Mapping[str, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw horizontal bars with their numbers, top to bottom, in one or several series.

    Parameters
    ----------
    values
        Shape (len(labels),), or (len(series), len(labels)).
    labels
        A name per bar, or per group of bars.
    series
        A name per series; needed when there are several.
    title
        The finding, in a sentence.
    label
        What the numbers are, with their unit.
    reference
        Lines to compare with: {"chance": 0.5}.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    ValueError
        If the names do not fit the values, or a number is not finite.
    """
    rows = np.atleast_2d(checks.numbers(values, "values"))
    bar_names = checks.names_of(labels, "labels")
    names = checks.names_of(series, "series") if series is not None else [""]
    if rows.shape != (len(names), len(bar_names)) or not rows.size:
        raise ArgumentError(
            f"values is {rows.shape} but there are {len(names)} series and {len(bar_names)} labels: "
            "it must be (len(labels),) or (len(series), len(labels))."
        )
    thick = 0.8 / len(rows)
    # Shares take two decimals each: 1.00 beside 0.97. Counts, large and small numbers take what they need.
    mixed = bool((rows == rows.round()).all()) or not 0.1 <= np.abs(rows).max() < 100
    checks.check_axes(ax)
    checks.check_reference(reference)
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(8.0, fit(rows.size, 0.32, 1.6, 6.5) + 1.2))
        for k, (name, numbers) in enumerate(zip(names, rows, strict=True)):
            where = np.arange(len(bar_names)) + (k - (len(rows) - 1) / 2) * thick
            colour, shown = CYCLE[k % len(CYCLE)], lettering.drawable(name) or None
            drawn = ax.barh(where, numbers, height=thick * 0.92, color=colour, label=shown)
            ax.bar_label(
                drawn,
                [
                    lettering.number(number) if mixed else f"{number:.2f}".replace("-", "−")
                    for number in numbers.tolist()
                ],
                padding=4,
                fontsize=11,
                path_effects=lettering.HALO,
            )
        lettering.write_ticks(ax.yaxis, range(len(bar_names)), bar_names)
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.margins(x=0.12)
        if (rows < 0).any():
            ax.axvline(0, color=INK, linewidth=1)
            ax.spines.left.set_visible(False)
        lettering.reference_lines(ax, reference, zorder=1.5)
        lettering.describe_axes(ax, label)
        if len(rows) > 1 or reference:
            lettering.legend(ax)
        lettering.entitle(ax, title)
    return ax


def histogram(
    values: npt.ArrayLike,
    edges: npt.ArrayLike,
    *,
    title: str = "",
    label: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw what share of numbers lies in each bin, as bars side by side.

    Parameters
    ----------
    values
        Numbers, of any shape; those outside of all bins count in the whole and are in no bar.
    edges
        Where the bins begin and end, rising; shape (bins + 1,).
    title
        The finding, in a sentence.
    label
        What the numbers are, with their unit.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    ValueError
        If there is no number, one is not finite, or `edges` do not rise.
    """
    numbers = checks.numbers(values, "values")
    ends = checks.numbers(edges, "edges")
    if not numbers.size:
        raise ArgumentError("values is empty: one number or more is needed.")
    if ends.ndim != 1 or len(ends) < 2 or (np.diff(ends) <= 0).any():
        raise ArgumentError(
            f"edges is {ends.shape}: two numbers or more are needed, each above the one before."
        )
    shares = np.histogram(numbers, bins=ends)[0] / numbers.size
    checks.check_axes(ax)
    with style():
        if ax is None:
            _, ax = plt.subplots()
        ax.bar(ends[:-1], shares, width=np.diff(ends), align="edge", color=CYCLE[0], edgecolor="white")
        ax.set_xlim(ends[0], ends[-1])
        lettering.describe_axes(ax, label, "share")
        lettering.entitle(ax, title)
    return ax


def intervals(
    values: npt.ArrayLike,
    bounds: npt.ArrayLike,
    labels: Sequence[str],
    *,
    title: str = "",
    label: str = "",
    reference: Mapping[str, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw measured shares as dots with their intervals, top to bottom, each with its number.

    Parameters
    ----------
    values
        Shape (n,).
    bounds
        The lower and the upper end of each interval, shape (n, 2).
    labels
        A name per row.
    title
        The finding, in a sentence.
    label
        What the numbers are, with their unit.
    reference
        Lines to compare with: {"chance": 0.5}.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    ValueError
        If the names do not fit the values, a number is not finite, or a value lies outside its interval.
    """
    dots, ends = checks.row(values, "values"), checks.rows(bounds, "bounds")
    names = checks.names_of(labels, "labels")
    if ends.shape != (len(dots), 2) or len(names) != len(dots):
        raise ArgumentError(
            f"there are {len(dots)} values and {len(names)} labels, and bounds is {ends.shape}: "
            "give a label and two bounds for each value."
        )
    outside = np.flatnonzero((dots < ends[:, 0]) | (dots > ends[:, 1]))
    if len(outside):
        k = int(outside[0])
        raise ArgumentError(
            f"values[{k}] is {dots[k]:g}, outside its interval {ends[k, 0]:g} to {ends[k, 1]:g}."
        )
    checks.check_axes(ax)
    checks.check_reference(reference)
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(8.0, fit(len(dots), 0.42, 1.6, 6.5) + 1.2))
        rows = np.arange(len(dots))
        ax.hlines(rows, ends[:, 0], ends[:, 1], color=CYCLE[0], linewidth=5, alpha=0.45)
        ax.plot(dots, rows, "o", color=CYCLE[0], markersize=9)
        for row, dot in zip(rows.tolist(), dots.tolist(), strict=True):
            written = f"{dot:.2f}".replace("-", "−")
            ax.annotate(
                written, (dot, row), (0, 7), textcoords="offset points", ha="center", fontsize=11,
                path_effects=lettering.HALO,
            )  # fmt: skip
        lettering.write_ticks(ax.yaxis, range(len(names)), names)
        ax.set_ylim(len(dots) - 0.5, -0.7)
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
        lettering.reference_lines(ax, reference, zorder=1.5)
        lettering.describe_axes(ax, label)
        if reference:
            lettering.legend(ax)
        lettering.entitle(ax, title)
    return ax
