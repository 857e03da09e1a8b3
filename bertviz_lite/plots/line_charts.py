"""Curves: one line a series over the same places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from bertviz_lite.basics.arguments import ArgumentError, instance
from bertviz_lite.plots import checks, lettering
from bertviz_lite.plots.course_style import CYCLE, style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

__all__ = ["draw_lines", "lines"]


def lines(
    places: npt.ArrayLike,
    values: npt.ArrayLike,
    series: Sequence[str],
    *,
    title: str = "",
    across: str = "",
    label: str = "",
    reference: Mapping[str, float] | None = None,
) -> Axes:
    """Draw one line a series over the same places; each has its colour and its dash.

    Parameters
    ----------
    places
        Shape (n,), left to right.
    values
        Shape (len(series), n).
    series
        A name per line.
    title
        The finding, in a sentence.
    across, label
        What the two axes are, with their units.
    reference
        Upright lines to compare with: {"512 tokens": 512}.

    Returns
    -------
    Axes
        Of a figure of its own. Set its scales afterwards.

    Raises
    ------
    TypeError
        If `series` is no list of names.
    ValueError
        If the names do not fit the values, or a number is not finite.
    """
    checks.check_reference(reference)
    with style():
        figure, ax = plt.subplots(figsize=(8.0, 4.4))
        try:
            draw_lines(ax, places, values, series)
        except (TypeError, ValueError):
            plt.close(figure)
            raise
        lettering.reference_lines(ax, reference)
        lettering.describe_axes(ax, across, label)
        lettering.legend(ax)
        lettering.entitle(ax, title)
    return ax


def draw_lines(ax: Axes, places: npt.ArrayLike, values: npt.ArrayLike, series: Sequence[str]) -> None:
    """Draw one line a series into `ax`; names and numbers as for :func:`lines`."""
    instance("ax", ax, Axes, "matplotlib's Axes")
    x, rows, names = (
        checks.row(places, "places"),
        checks.rows(values, "values"),
        checks.names_of(series, "series"),
    )
    if rows.shape != (len(names), len(x)):
        raise ArgumentError(
            f"values is {rows.shape} but there are {len(names)} series and {len(x)} places: "
            "it must be (len(series), len(places))."
        )
    for k, (name, numbers) in enumerate(zip(names, rows, strict=True)):
        colour, dash = CYCLE[k % len(CYCLE)], ("-", "--", "-.", ":")[k % 4]
        ax.plot(x, numbers, color=colour, linestyle=dash, linewidth=2.5, label=lettering.drawable(name))
