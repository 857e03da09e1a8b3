"""Attention as a heat map: a row per query, a column per key."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError, instance, whole_number
from bertviz_lite.plots import checks, lettering
from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.heat_maps import heatmap

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["Focus", "Scale", "attention_map"]


class Focus(NamedTuple):
    """What of the weights is looked at."""

    query: int | None = None
    """Index of one query: a map frames its row, ribbons are drawn for it alone."""
    key: int | None = None
    """Index of one key, likewise."""
    drawn: npt.ArrayLike | None = None
    """Which weights are drawn, True or False for each; all if None."""

    def check(self, queries: int, keys: int) -> None:
        """Raise ValueError where there is no such query or key, or `drawn` has another shape."""
        for name, index, count in (("query", self.query, queries), ("key", self.key, keys)):
            if index is not None and not 0 <= whole_number(f"focus: {name}", index) < count:
                raise ArgumentError(f"focus: {name}={index}, but they are numbered 0 to {count - 1}.")
        if self.drawn is not None and np.shape(self.drawn) != (queries, keys):
            raise ArgumentError(
                f"focus: drawn is {np.shape(self.drawn)} but weights is {(queries, keys)}: "
                "give True or False for each weight."
            )


EVERYTHING = Focus()


class Scale(NamedTuple):
    """What the numbers of a map are, and which has the strongest colour."""

    label: str = "weight"
    """What the numbers are, with their unit, beside the colour bar."""
    limit: float | None = None
    """The number with the strongest colour, above 0; the largest absolute value if None."""


WEIGHTS = Scale()


def attention_map(
    weights: npt.ArrayLike,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    focus: Focus = EVERYTHING,
    title: str = "",
    scale: Scale = WEIGHTS,
    ax: Axes | None = None,
) -> Axes:
    """Draw attention as a heat map: a row per query, a column per key.

    Parameters
    ----------
    weights
        Shape (len(queries), len(keys)). Differences of weights are signed: blue to orange.
    queries, keys
        Tokens, top to bottom and left to right.
    focus
        Which row and column are framed, and which weights are drawn; the others are left empty.
    title
        The finding, in a sentence.
    scale
        What the numbers are, and which has the strongest colour.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    TypeError, ValueError
        As :func:`heatmap`; also if `focus` does not fit.
    """
    values = checks.rows(weights, "weights")
    instance("scale", scale, Scale, "a Scale")
    instance("focus", focus, Focus, "a Focus").check(*values.shape)
    left_out = np.zeros(values.shape, bool) if focus.drawn is None else ~np.asarray(focus.drawn, bool)
    ax = heatmap(
        np.where(left_out, 0.0, values),
        queries,
        keys,
        title=title,
        label=scale.label,
        limit=scale.limit,
        ax=ax,
    )
    # Small maps have their numbers written in: two decimals are enough, and as wide as a cell.
    for text, value, empty in zip(list(ax.texts), values.flat, left_out.flat, strict=False):
        text.set_text("" if empty else f"{value:.2f}".replace("-", "−") if abs(value) >= 0.005 else "0")
    with style():
        lettering.slant(ax, always=values.shape[1] > 2)  # beside ribbons a map is narrower than its place
        ax.set_ylabel("query: attends …")
        ax.set_xlabel("key: … is attended to")
        for index, along in ((focus.query, ax.axhspan), (focus.key, ax.axvspan)):
            if index is not None:
                along(index - 0.5, index + 0.5, fill=False, edgecolor=CYCLE[1], linewidth=2)
    return ax
