"""Attention as lines from queries on the left to keys on the right, a colour for each head."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import is_color_like, to_rgba_array

from bertviz_lite.basics.arguments import ArgumentError, instance, shown, whole_number
from bertviz_lite.plots import checks, lettering
from bertviz_lite.plots.attention_maps import EVERYTHING, Focus
from bertviz_lite.plots.course_style import CYCLE, fit, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["RibbonLook", "head_colour", "ribbons"]


class RibbonLook(NamedTuple):
    """How lines between tokens are drawn."""

    colours: Sequence[str] | None = None
    """A colour per head; by default :func:`head_colour` of 0, 1, 2, …"""
    limit: float | None = None
    """The weight with the strongest line, above 0; the largest if None."""
    most: int = 150
    """How many lines are drawn, the strongest: of more, the eye follows none."""
    smooth: bool = True
    """False leaves the lines' edges as they fall on the pixels: half the bytes as PNG."""


_LOOK = RibbonLook()


def ribbons(
    weights: npt.ArrayLike | Mapping[str, npt.ArrayLike],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    focus: Focus = EVERYTHING,
    title: str = "",
    look: RibbonLook = _LOOK,
    ax: Axes | None = None,
) -> Axes:
    """Draw attention as lines from queries on the left to keys on the right, stronger for larger weights.

    Parameters
    ----------
    weights
        Shape (len(queries), len(keys)); of several heads {name: weights}, the names for the legend. Negative
        numbers (differences) are blue, and positive ones beside them orange.
    queries, keys
        Tokens, top to bottom.
    focus
        Draws only the lines of this query, of this key, or those that are chosen.
    title
        The finding, in a sentence.
    look
        Colours, strength and number of the lines.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    TypeError
        If `queries` or `keys` is no list of names.
    ValueError
        If the names do not fit the weights, a weight is not finite, or `focus` or `look` does not fit.
    """
    names = [str(name) for name in weights] if isinstance(weights, Mapping) else [""]
    heads = list(weights.values()) if isinstance(weights, Mapping) else [weights]
    left_names, right_names = checks.names_of(queries, "queries"), checks.names_of(keys, "keys")
    values = _stacked(names, heads, (len(left_names), len(right_names)))
    instance("look", look, RibbonLook, "a RibbonLook")
    instance("focus", focus, Focus, "a Focus").check(len(left_names), len(right_names))
    given: Any = look.colours if look.colours is not None else [head_colour(k) for k in range(len(names))]
    if not isinstance(given, Iterable) or not all(is_color_like(paint) for paint in given):
        raise ArgumentError(f"look: colours={shown(given)}: a list of colours is needed.")
    paints = list(given)
    if len(paints) != len(names):
        raise ArgumentError(f"look: there are {len(paints)} colours, but {len(names)} heads: one for each.")
    if whole_number("look: most", look.most) < 1:
        raise ArgumentError(f"look: most={look.most}: one line or more is needed.")
    strongest = checks.check_limit(look.limit) or float(np.abs(values).max()) or 1.0
    tallest = max(len(left_names), len(right_names))
    checks.check_axes(ax)
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(5.0, fit(tallest, 0.34, 2.4, 8.0)))
        lines = _lines_between(values, focus, paints, strongest, look.most)
        lines.set(antialiased=look.smooth, clip_on=False)
        ax.add_collection(lines)
        ax.set(xlim=(0, 1), ylim=(tallest - 0.5, -0.5), xticks=[])
        lettering.column(ax.yaxis, left_names)
        right = ax.twinx()
        right.set_ylim(ax.get_ylim())
        lettering.column(right.yaxis, right_names)
        for side in (ax, right):
            lettering.bare(side)
        ax.set_xlabel("query → key")
        if isinstance(weights, Mapping):
            _write_legend(ax, names, paints)
        lettering.entitle(ax, title)
    return ax


def _stacked(names: Sequence[str], heads: Sequence[npt.ArrayLike], shape: tuple[int, int]) -> Floats:
    """Return the heads as one array (heads, queries, keys)."""
    if not heads:
        raise ArgumentError("weights is an empty dictionary: give the weights of one head or more.")
    checked = []
    for name, head in zip(names, heads, strict=True):
        what = f"weights[{name!r}]" if name else "weights"
        array = checks.rows(head, what)
        if array.shape != shape:
            raise ArgumentError(
                f"{what} is {array.shape} but there are {shape[0]} queries and {shape[1]} keys: "
                "it must be (len(queries), len(keys))."
            )
        checked.append(array)
    return np.stack(checked)


def _write_legend(ax: Axes, names: Sequence[str], paints: Sequence[str]) -> None:
    marks = [
        ax.plot([], [], color=paint, linewidth=3, label=lettering.drawable(name))
        for name, paint in zip(names, paints, strict=True)
    ]
    box = ax.legend(
        handles=[mark for (mark,) in marks],
        ncols=min(4, len(names)),
        loc="upper center",
        bbox_to_anchor=(0.5, -0.08),
        handlelength=1.2,
        columnspacing=1.0,
    )
    lettering.take_literally(box)


def head_colour(head: int) -> str:
    """Return the colour of a head: the first seven are those of every series, then hues by the golden angle.

    >>> head_colour(0), head_colour(7) != head_colour(8)
    ('#0072b2', True)
    """
    number = whole_number("head", head)
    if number < 0:
        raise ArgumentError(f"head={number}: heads are numbered from 0.")
    if number < len(CYCLE):
        return CYCLE[number]
    red, green, blue = colorsys.hls_to_rgb(number * 0.381966 % 1, 0.26 + 0.14 * (number % 3), 0.85)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def _lines_between(
    values: Floats, focus: Focus, paints: Sequence[str], strongest: float, most: int
) -> LineCollection:
    """Return the `most` largest weights as lines from x = 0 to x = 1, strong ones last: they lie above."""
    strength = np.abs(values)
    if focus.drawn is not None:
        strength *= np.asarray(focus.drawn, dtype=bool)
    for axis, index in ((1, focus.query), (2, focus.key)):
        if index is not None:
            others = np.delete(np.arange(values.shape[axis]), index)
            strength[(slice(None),) * axis + (others,)] = 0.0
    order = np.argsort(strength, axis=None, kind="stable")[-most:]
    shares = np.clip(strength.ravel()[order] / strongest, 0.0, 1.0)
    order, shares = order[shares > 0.01], shares[shares > 0.01]
    heads, rows, columns = (index.tolist() for index in np.unravel_index(order, values.shape))
    if (values < 0).any():
        ends = [CYCLE[int(values[place] > 0)] for place in zip(heads, rows, columns, strict=True)]
    else:
        ends = [paints[head] for head in heads]
    # Mixed with the paper rather than transparent: where weak lines cross, they would look like a strong one.
    solid = np.ceil(8 * shares[:, None]) / 8
    return LineCollection(
        [[(0.0, row), (1.0, column)] for row, column in zip(rows, columns, strict=True)],
        linewidths=0.6 + 4.4 * shares,
        colors=to_rgba_array(ends)[:, :3] * solid + (1 - solid),
        capstyle="round",
    )
