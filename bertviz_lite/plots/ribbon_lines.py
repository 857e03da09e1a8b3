"""Attention as ribbons from queries on the left to keys on the right, a colour for each head.

They look as the explorer's do in a page: as wide as the weight, as strong as its root.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import cos, gcd, pi, sin
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import is_color_like, to_rgba_array

from bertviz_lite.basics.arguments import ArgumentError, instance, shown, whole_number
from bertviz_lite.plots import checks, lettering
from bertviz_lite.plots.attention_maps import EVERYTHING, Focus
from bertviz_lite.plots.course_style import fit, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["RibbonLook", "head_colour", "ribbons"]

_SINGLE, _BELOW, _ABOVE = "#1463b0", "#2166ac", "#d66028"  # of one head; of differences
_LEVELS = 14  # of strength, as in a page; few colours also make a small PNG
_FAINTEST = (0.004, 0.01)  # lesser weights would be seen as a haze only: of one head, of several
_EDGED_FROM = 2.0  # points: thinner lines have no white edge
_CURVE = np.linspace(0.0, 1.0, 33)[:, None]


class RibbonLook(NamedTuple):
    """How lines between tokens are drawn."""

    colours: Sequence[str] | None = None
    """A colour per head; by default :func:`head_colour` of 0, 1, 2, …, and blue for one head alone."""
    limit: float | None = None
    """The weight of a line as wide as a row, above 0; the largest if None."""
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
    count = len(names)
    own = [_SINGLE] if count == 1 else [head_colour(head, count) for head in range(count)]
    given: Any = look.colours if look.colours is not None else own
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
        figure = ax.get_figure(root=True)
        pitch = ax.get_window_extent().height * 72 / (figure.dpi if figure else 72) / tallest
        lines = _lines_between(values, focus, paints, (strongest, 0.82 * pitch), look.most)
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


def head_colour(head: int, count: int) -> str:
    """Return the colour of a head among `count`, the same as in the explorer's page.

    Hues go evenly round the circle of OKLCH, where equal lightness looks equally light (Ottosson 2020). Each
    head is 5/12 of a turn or so from the one before, so that neighbours differ most; among many there are two
    lightnesses by turns.

    Parameters
    ----------
    head
        Its number, from 0.
    count
        How many heads there are.

    Raises
    ------
    TypeError, ValueError
        If `head` or `count` is no whole number, or there is no such head.

    Examples
    --------
    >>> head_colour(0, 4) != head_colour(1, 4)
    True
    """
    number, heads = whole_number("head", head), whole_number("count", count)
    if not 0 <= number < heads:
        raise ArgumentError(f"head={number}: of {heads} heads the numbers are 0 to {heads - 1}.")
    step = max(1, int(heads * 5 / 12 + 0.5))
    while gcd(step, heads) > 1:
        step += 1
    place = number * step % heads
    lightness = 0.52 if heads <= 6 else 0.6 if place % 2 else 0.46
    return _from_lch(lightness, 0.15, 0.69 + place / heads)


def _from_lch(lightness: float, chroma: float, hue: float) -> str:
    """Return a colour of OKLCH as sRGB; `hue` is in turns."""
    a, b = chroma * cos(2 * pi * hue), chroma * sin(2 * pi * hue)
    lms = np.array(
        [[0.3963377774, 0.2158037573], [-0.1055613458, -0.0638541728], [-0.0894841775, -1.291485548]]
    )
    long, medium, short = (lightness + lms @ [a, b]) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
    )
    channels = []
    for light in (min(1.0, max(0.0, float(channel))) for channel in linear):
        shown_light = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
        channels.append(int(255 * shown_light + 0.5))
    return "#{:02x}{:02x}{:02x}".format(*channels)


def _lines_between(
    values: Floats, focus: Focus, paints: Sequence[str], full: tuple[float, float], most: int
) -> LineCollection:
    """Return the `most` largest weights as curves from x = 0 to x = 1, strong ones last: they lie above.

    `full` is the strongest weight, and how many points wide it is.
    """
    strongest, widest = full
    strength = np.abs(values)
    if focus.drawn is not None:
        strength *= np.asarray(focus.drawn, dtype=bool)
    for axis, index in ((1, focus.query), (2, focus.key)):
        if index is not None:
            others = np.delete(np.arange(values.shape[axis]), index)
            strength[(slice(None),) * axis + (others,)] = 0.0
    order = np.argsort(strength, axis=None, kind="stable")[-most:]
    shares = np.clip(strength.ravel()[order] / strongest, 0.0, 1.0)
    seen = shares > _FAINTEST[len(values) > 1]
    order, shares = order[seen], shares[seen]
    heads, rows, columns = np.unravel_index(order, values.shape)
    if (values < 0).any():
        ends = [_ABOVE if value > 0 else _BELOW for value in values.ravel()[order]]
    else:
        ends = [paints[head] for head in heads]
    roots = (np.minimum(_LEVELS - 1, np.floor(np.sqrt(shares) * _LEVELS)) + 0.5) / _LEVELS
    # Mixed with the paper rather than transparent: that takes few colours, so a PNG is small and exact. White
    # edges show where strong lines cross.
    solid = np.minimum(0.9, 0.04 + 0.85 * roots**1.5)[:, None]
    eased = _CURVE**2 * (3 - 2 * _CURVE)  # level at both ends, as a page's ribbons
    across = 1.5 * _CURVE * (1 - _CURVE) + _CURVE**3  # x of a Bézier curve whose handles are at one half
    curves = [
        np.hstack([across, row + (column - row) * eased]) for row, column in zip(rows, columns, strict=True)
    ]
    widths = np.maximum(0.7, roots**2 * widest)
    colours = to_rgba_array(ends)[:, :3] * solid + (1 - solid) if ends else np.zeros((0, 3))
    edged = np.repeat(np.arange(len(curves)), np.where(widths > _EDGED_FROM, 2, 1))
    is_edge = np.append(edged[1:] == edged[:-1], False)[: len(edged)]
    return LineCollection(
        [curves[index] for index in edged],
        linewidths=widths[edged] + 1.4 * is_edge,
        colors=np.where(is_edge[:, None], 1.0, colours[edged]),
        capstyle="butt",
    )
