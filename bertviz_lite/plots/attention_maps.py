"""Attention as a heat map, a row per query and a column per key; and all heads side by side, small."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.basics.arguments import ArgumentError, instance, whole_number
from bertviz_lite.plots import checks, lettering
from bertviz_lite.plots.course_style import fit, style
from bertviz_lite.plots.heat_maps import check_sizes, draw_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["CHOSEN", "Focus", "Scale", "attention_map", "draw_heads"]

CHOSEN = "#0550ae"
"""The colour of a frame around what is chosen, as in the views of a page."""

_NUMBERS_UP_TO = 150  # cells: more numbers than this cannot be read


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
    by_root: bool = False
    """Whether a colour stands for the root of a number's size, so that small weights are seen."""


WEIGHTS = Scale()
_MARKS = {False: [0.0, 0.1, 0.25, 0.5, 1.0], True: [-1.0, -0.25, 0.0, 0.25, 1.0]}  # by whether signed


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
    query_names, key_names = checks.names_of(queries, "queries"), checks.names_of(keys, "keys")
    instance("scale", scale, Scale, "a Scale")
    check_sizes(values, query_names, key_names)
    instance("focus", focus, Focus, "a Focus").check(*values.shape)
    limit = checks.check_limit(scale.limit)
    checks.check_axes(ax)
    left_out = np.zeros(values.shape, bool) if focus.drawn is None else ~np.asarray(focus.drawn, bool)
    drawn = np.where(left_out, 0.0, values)
    with style():
        if ax is None:
            size = (fit(len(key_names), 0.5, 4.0, 9.0) + 0.8, fit(len(query_names), 0.42, 2.4, 7.5) + 1.6)
            _, ax = plt.subplots(figsize=size)
        image = draw_cells(ax, drawn, limit, by_root=scale.by_root)
        low, high = image.get_clim()
        marks = [high * mark for mark in _MARKS[low < 0]] if scale.by_root else None
        look = {"location": "bottom", "aspect": 30.0, "pad": 0.04, "ticks": marks}
        bar = lettering.colour_bar(ax, image, scale.label, **look)
        if marks:
            bar.ax.set_xticklabels([f"{mark:.2g}".replace("-", "−") for mark in marks])
        ax.xaxis.set_ticks_position("top")
        ax.xaxis.set_label_position("top")
        for axis, names in ((ax.yaxis, query_names), (ax.xaxis, key_names)):
            lettering.column(axis, names)
            axis.set_tick_params(labelsize=11 if len(names) <= 12 else 9)
        lettering.lean(ax)
        lettering.bare(ax)
        if values.size <= _NUMBERS_UP_TO:
            _write_weights(ax, drawn, left_out, (0.3 if scale.by_root else 0.55) * high)
        lettering.describe_axes(ax, "key →", "← query")
        for index, along in ((focus.query, ax.axhspan), (focus.key, ax.axvspan)):
            if index is not None:
                along(index - 0.5, index + 0.5, fill=False, edgecolor=CHOSEN, linewidth=2, zorder=5)
        lettering.entitle(ax, title)
    return ax


def _write_weights(ax: Axes, values: Floats, left_out: npt.NDArray[np.bool_], strong_from: float) -> None:
    """Write weights into their cells as a page does, .25: two decimals are enough, and as wide as a cell."""
    lettering.write_values(ax, values, 1.0, strong_from=strong_from)
    for text, value, empty in zip(list(ax.texts), values.flat, left_out.flat, strict=False):
        shown = f"{value:.2f}".replace("-", "−").replace("0.", ".", 1) if abs(value) >= 0.005 else "0"
        text.set_text("" if empty else shown)


_NUMBERED = 10
"""Up to so many heads, each has its number beside the small maps; of more, every second."""


def draw_heads(
    ax: Axes, weights: Floats, chosen: tuple[range, range] | None = None, *, signed: bool = False
) -> None:
    """Draw the maps of all heads in one image with gaps: a row for each layer, a column for each head.

    Parameters
    ----------
    ax
        Where to draw.
    weights
        Shape (layers, heads, queries, keys), from 0 to 1, or differences of them; a colour stands for the
        root of its size.
    chosen
        Which layers and which heads are framed, and their numbers bold.
    signed
        Whether the weights are differences.
    """
    layers, heads, rows, columns = weights.shape
    gap = max(1, round(max(rows, columns) / 10))
    down, across = rows + gap, columns + gap
    image = np.full((layers * down - gap, heads * across - gap), np.nan)
    for layer, head in np.ndindex(layers, heads):
        top, left = layer * down, head * across
        image[top : top + rows, left : left + columns] = weights[layer, head]
    draw_cells(ax, image, 1.0, signed=signed, by_root=True)
    ax.set_aspect(across / down)  # a map need not be square: its picture is, as a page draws it
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    from_layer, from_head = chosen if chosen is not None else (range(1), range(1))
    for axis, count, pitch, size, of in (
        (ax.yaxis, layers, down, rows, from_layer),
        (ax.xaxis, heads, across, columns, from_head),
    ):
        every = 1 if count <= _NUMBERED or axis is ax.yaxis else 2  # numbers of two digits need room
        names = [str(index) if (index - of[0]) % every == 0 else "" for index in range(count)]
        axis.set_ticks([index * pitch + (size - 1) / 2 for index in range(count)], names)
        axis.set_tick_params(labelsize=11 if max(layers, heads) <= 8 else 7)
    lettering.bare(ax)
    if chosen is None:
        return
    framed_layers, framed_heads = chosen
    top, bottom = framed_layers[0] * down - 1, framed_layers[-1] * down + rows
    left, right = framed_heads[0] * across - 1, framed_heads[-1] * across + columns
    ax.plot(
        [left, right, right, left, left],
        [top, top, bottom, bottom, top],
        color=CHOSEN,
        linewidth=2,
        clip_on=False,
    )
    for axis, framed in ((ax.yaxis, framed_layers), (ax.xaxis, framed_heads)):
        for number in framed:
            axis.get_ticklabels()[number].set_fontweight("bold")
