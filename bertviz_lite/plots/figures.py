"""Figures for the chapters: arrays and tokens in, matplotlib Axes out, no model in sight.

Every function draws in the course's style (:func:`bertviz_lite.plots.display.style`), takes a ``title`` that
should state the finding, and returns Axes for more drawing or for :func:`bertviz_lite.plots.display.show`.
Blue is negative, orange is positive, white is zero, in every signed picture of the course.

Left out: interaction (see ``views/``) and three dimensions.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, to_rgba_array

from bertviz_lite.basics.text import clip
from bertviz_lite.plots import lettering
from bertviz_lite.plots.display import CYCLE, INK, style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

    from bertviz_lite.evaluation.embeddings import InputParts

    Floats = npt.NDArray[np.float64]

__all__ = [
    "PCA",
    "attention_map",
    "bars",
    "decomposition",
    "head_colour",
    "heatmap",
    "intervals",
    "lines",
    "pca",
    "ribbons",
    "scatter_map",
    "similarity_map",
]

SIGNED = LinearSegmentedColormap.from_list(
    "signed", ["#053061", "#2166ac", "#67a9cf", "#f7f7f7", "#f4a582", "#d6604d", "#7f2704"]
)
"""Blue below zero, white at zero, orange to brown above: told apart with every common colour blindness."""

UNSIGNED = LinearSegmentedColormap.from_list("unsigned", ["#f7fbff", "#9ecae1", "#2171b5", "#08306b"])
"""White at zero, dark blue at the top: also reads in grey."""

MARKERS = "osD^vPX*<>hd"
"""Group k has marker k, so that groups are told apart without colour."""

_VALUES_UP_TO = 150  # cells: more numbers than this cannot be read in a heat map
_FINE = 12_000  # cells: beyond it the eye sees no more than 21 colours, and a PNG of fewer is half as large


def heatmap(
    matrix: npt.ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str = "",
    label: str = "",
    limit: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a matrix as coloured cells, one name per row and column; small ones with their numbers.

    Parameters
    ----------
    matrix
        Numbers of shape (len(rows), len(columns)). With a negative number among them the colours are
        signed, blue to orange around zero; else white to dark blue from zero.
    rows, columns
        Names, top to bottom and left to right.
    title
        The finding, in a sentence.
    label
        What the numbers are, with their unit, beside the colour bar.
    limit
        The number with the strongest colour; the largest absolute value if None.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    ValueError
        If the names do not fit the matrix, or a number is not finite.
    """
    values = _matrix(matrix, "matrix")
    for axis, names, what in ((0, rows, "rows"), (1, columns, "columns")):
        if values.shape[axis] != len(names):
            raise ValueError(
                f"matrix is {values.shape} but there are {len(names)} {what}: "
                f"its {('first', 'second')[axis]} axis must equal len({what})."
            )
    with style():
        if ax is None:
            size = (_fit(len(columns), 0.55, 4.0, 9.0) + 1.5, _fit(len(rows), 0.42, 2.4, 7.5) + 0.9)
            _, ax = plt.subplots(figsize=size)
        image = _cells(ax, values, limit)
        lettering.names(ax, rows, columns)
        colour_bar = ax.figure.colorbar(image, ax=ax, label=label, shrink=0.9)
        colour_bar.outline.set_visible(False)
        if values.size <= _VALUES_UP_TO:
            lettering.write_values(ax, values, image.get_clim()[1])
        lettering.entitle(ax, title)
    return ax


def attention_map(
    weights: npt.ArrayLike,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    drawn: npt.ArrayLike | None = None,
    query: int | None = None,
    key: int | None = None,
    title: str = "",
    label: str = "weight",
    limit: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw attention as a heat map: a row per query, a column per key.

    Parameters
    ----------
    weights
        Shape (len(queries), len(keys)). Differences of weights are signed: blue to orange.
    queries, keys
        Tokens, top to bottom and left to right.
    drawn
        Which weights are drawn, of the same shape; the others are left empty. All if None.
    query, key
        A row or a column that is framed.
    title, label, limit, ax
        As in :func:`heatmap`.

    Raises
    ------
    ValueError
        As :func:`heatmap`.
    """
    values = _matrix(weights, "weights")
    left_out = np.zeros(values.shape, dtype=bool) if drawn is None else ~np.asarray(drawn, dtype=bool)
    ax = heatmap(np.where(left_out, 0.0, values), queries, keys, title=title, label=label, limit=limit, ax=ax)
    # Small maps have their numbers written in: two decimals are enough, and as wide as a cell.
    for text, value, empty in zip(list(ax.texts), values.flat, left_out.flat, strict=False):
        text.set_text("" if empty else f"{value:.2f}".replace("-", "−") if abs(value) >= 0.005 else "0")
    with style():
        lettering.slant(ax, always=len(keys) > 2)  # beside ribbons a map is narrower than its place
        ax.set_ylabel("query: attends …")
        ax.set_xlabel("key: … is attended to")
        for index, along in ((query, ax.axhspan), (key, ax.axvspan)):
            if index is not None:
                along(index - 0.5, index + 0.5, fill=False, edgecolor=CYCLE[1], linewidth=2)
    return ax


def ribbons(
    weights: npt.ArrayLike,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    series: Sequence[str] | None = None,
    colours: Sequence[str] | None = None,
    query: int | None = None,
    key: int | None = None,
    limit: float | None = None,
    most: int = 150,
    smooth: bool = True,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw attention as lines from queries on the left to keys on the right, stronger for larger weights.

    Parameters
    ----------
    weights
        Shape (len(queries), len(keys)), or (len(series), len(queries), len(keys)). Negative numbers
        (differences) are blue, and positive ones beside them orange.
    queries, keys
        Tokens, top to bottom.
    series
        A name per head, for the legend.
    colours
        A colour per head; by default :func:`head_colour` of 0, 1, 2, …
    query, key
        Draws only the lines of this query, or of this key.
    limit
        The weight with the strongest line; the largest if None.
    most
        How many lines are drawn, the strongest: of more, the eye follows none.
    smooth
        False leaves the lines' edges as they fall on the pixels: half the bytes as PNG.
    title
        The finding, in a sentence.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    ValueError
        If the names do not fit the weights, or a weight is not finite.
    """
    values = np.asarray(weights, dtype=np.float64)
    values = values[None] if values.ndim == 2 else values
    names = list(series) if series is not None else [""] * min(1, len(values))
    if values.shape != (len(names), len(queries), len(keys)) or not np.isfinite(values).all():
        raise ValueError(
            f"weights is {values.shape} but there are {len(names)} series, {len(queries)} queries and "
            f"{len(keys)} keys: it must be ([series,] queries, keys), and every weight finite."
        )
    paints = list(colours) if colours is not None else [head_colour(k) for k in range(len(names))]
    strongest = limit or float(np.abs(values).max()) or 1.0
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(5.0, _fit(max(len(queries), len(keys)), 0.34, 2.4, 8.0)))
        lines = _lines_between(values, paints, strongest, most, (query, key))
        lines.set(antialiased=smooth, clip_on=False)
        ax.add_collection(lines)
        ax.set(xlim=(0, 1), ylim=(max(len(queries), len(keys)) - 0.5, -0.5), xticks=[])
        lettering.column(ax.yaxis, queries)
        right = ax.twinx()
        right.set_ylim(ax.get_ylim())
        lettering.column(right.yaxis, keys)
        for side in (ax, right):
            lettering.bare(side)
        ax.set_xlabel("query → key")
        if series is not None:
            marks = [
                ax.plot([], [], color=paint, linewidth=3, label=name)
                for name, paint in zip(names, paints, strict=True)
            ]
            ax.legend(
                handles=[mark for (mark,) in marks],
                ncols=min(4, len(names)),
                loc="upper center",
                bbox_to_anchor=(0.5, -0.08),
                handlelength=1.2,
                columnspacing=1.0,
            )
        lettering.entitle(ax, title)
    return ax


def head_colour(head: int) -> str:
    """Return the colour of a head: the first seven are those of every series, then hues by the golden angle.

    >>> head_colour(0), head_colour(7) != head_colour(8)
    ('#0072b2', True)
    """
    if head < len(CYCLE):
        return CYCLE[head]
    red, green, blue = colorsys.hls_to_rgb(head * 0.381966 % 1, 0.26 + 0.14 * (head % 3), 0.85)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def _lines_between(
    values: Floats,
    paints: Sequence[str],
    strongest: float,
    most: int,
    only: tuple[int | None, int | None],
) -> LineCollection:
    """Return the `most` largest weights as lines from x = 0 to x = 1, strong ones last: they lie above."""
    strength = np.abs(values)
    for axis, index in zip((1, 2), only, strict=True):
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


def similarity_map(
    vectors: npt.ArrayLike,
    ticks: Sequence[str] | Mapping[int, str] | None = None,
    *,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the cosine of every vector with every other.

    Parameters
    ----------
    vectors
        Shape (n, hidden_size).
    ticks
        A name for every vector, or {index: name} for some; numbers if None.
    title
        The finding, in a sentence.
    ax
        Where to draw; a figure of its own if None.

    Returns
    -------
    Axes
        Whose image holds the (n, n) cosines, from −1 (opposite) over 0 (at right angles) to 1 (same
        direction).

    Raises
    ------
    ValueError
        If a vector is zero (it has no direction), or `ticks` does not fit.
    """
    rows = _matrix(vectors, "vectors")
    lengths = np.linalg.norm(rows, axis=1)
    if not lengths.all():
        zero = int(np.argmin(lengths))
        raise ValueError(
            f"vectors[{zero}] is zero and has no direction: leave it out (is it the padding row?)."
        )
    unit = rows / lengths[:, None]
    cosines = np.clip(unit @ unit.T, -1.0, 1.0)
    n = len(rows)
    if ticks is None:
        step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if n <= 16 * step), 1000)
        named = {i: str(i) for i in range(0, n, step)}
    elif isinstance(ticks, Mapping):
        named = dict(ticks)
    elif len(ticks) == n:
        named = dict(enumerate(ticks))
    else:
        raise ValueError(
            f"vectors is {rows.shape} but there are {len(ticks)} ticks: one name per vector is needed."
        )
    with style():
        if ax is None:
            side = _fit(len(named), 0.42, 4.2, 7.0)
            _, ax = plt.subplots(figsize=(side + 1.6, side))
        image = ax.imshow(cosines, cmap=SIGNED, vmin=-1, vmax=1)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_ticks(
                list(named), [lettering.drawable(name) for name in named.values()], parse_math=False
            )
        lettering.slant(ax)
        lettering.bare(ax)
        colour_bar = ax.figure.colorbar(image, ax=ax, label="cosine", shrink=0.9, ticks=[-1, -0.5, 0, 0.5, 1])
        colour_bar.outline.set_visible(False)
        lettering.entitle(ax, title)
    return ax


def decomposition(parts: InputParts, *, title: str = "", one_scale: bool = False) -> list[Axes]:
    """Draw token, position and segment vectors, their sum and LayerNorm's result as five aligned strips.

    Parameters
    ----------
    parts
        What :func:`bertviz_lite.evaluation.embeddings.input_parts` returns.
    title
        The finding, in a sentence.
    one_scale
        The four strips above LayerNorm always share one scale. LayerNorm makes every row about
        ``sqrt(hidden_size)`` long, often ten times longer, so its strip has a scale of its own, written
        beside it; True gives it the same one, to show just that. Trained models have a few components far
        larger than all others: where these would leave the rest white, the scale ends below them, and its
        bar in points.

    Returns
    -------
    list of Axes
        Five, top to bottom; rows are tokens, columns the ``hidden_size`` components.
    """
    strips = parts.vectors()
    before = [rows for name, rows in strips.items() if name != "result"]
    after = [strips["result"]]
    groups = (before + after,) * 2 if one_scale else (before, after)
    scales = [(_reach(group), "both" if _reach(group) < _largest(group) else "neither") for group in groups]
    n = len(parts)
    signs = {"token": "", "position": "+ ", "segment": "+ ", "sum": "= ", "result": "LayerNorm → "}
    with style():
        height = _fit(n, 0.16, 0.8, 1.7)
        figure, grid = plt.subplots(5, 1, figsize=(10.0, 5 * height + 1.2), sharex=True)
        axes: list[Axes] = list(grid)
        for ax, (name, rows) in zip(axes, strips.items(), strict=True):
            limit, points = scales[name == "result"]
            image = _cells(ax, rows, limit, aspect="auto", signed=True)
            every = max(1, int(np.ceil(n / (height / 0.145))))
            shown = [lettering.drawable(clip(token, lettering.LONGEST)) for token in parts.tokens[::every]]
            ax.set_yticks(range(0, n, every), shown, fontsize=9, parse_math=False)
            ax.tick_params(length=0)
            ax.set_title(signs[name] + name, fontsize=12)
            if name == "result":
                figure.colorbar(image, ax=ax, aspect=8 * height, pad=0.01, extend=points)
            elif name == "sum":
                label = "one scale for all five" if one_scale else "one scale for the four"
                figure.colorbar(image, ax=axes[:4], aspect=30 * height, pad=0.01, extend=points, label=label)
            for spine in ax.spines.values():
                spine.set_visible(False)
        axes[-1].set_xlabel(f"component, 0 to {parts.hidden_size - 1}")
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=14, fontweight="bold")
    return axes


class PCA(NamedTuple):
    """What :func:`pca` returns; all arrays float64."""

    points: Floats
    """The vectors in the new axes, (n, k)."""
    components: Floats
    """The axes, unit vectors, (k, hidden_size)."""
    explained: Floats
    """Share of the variance along each axis, (k,), falling."""
    mean: Floats
    """What was taken off before, (hidden_size,)."""


def pca(vectors: npt.ArrayLike, k: int = 2) -> PCA:
    """Find the `k` directions along which vectors differ most (principal component analysis).

    An axis and its mirror image are equally good; here the component with the largest absolute value of
    each axis is positive, so that the picture is not mirrored from one machine to the next.

    Parameters
    ----------
    vectors
        Shape (n, hidden_size), n at least 2.
    k
        Number of axes, at most the smaller of n and hidden_size.

    Raises
    ------
    ValueError
        If `k` is too large, or all vectors are the same.

    Examples
    --------
    >>> points, axes, explained, mean = pca([[0, 0], [2, 0], [4, 0.0]], k=1)
    >>> points.tolist(), axes.tolist(), explained.tolist()
    ([[-2.0], [0.0], [2.0]], [[1.0, 0.0]], [1.0])
    """
    rows = _matrix(vectors, "vectors")
    n, hidden_size = rows.shape
    if not 1 <= k <= min(n, hidden_size):
        raise ValueError(f"k={k}: vectors is {rows.shape}, so 1 to {min(n, hidden_size)} axes can be found.")
    mean = rows.mean(axis=0)
    centred = rows - mean
    total = float((centred**2).sum())
    if total == 0.0:
        raise ValueError(f"all {n} vectors are the same: they vary along no direction.")
    if n >= hidden_size:  # a vocabulary: the covariance is much smaller than the table
        values, columns = np.linalg.eigh(centred.T @ centred)
        variances, components = values[::-1][:k], columns.T[::-1][:k]
    else:
        _, singular, right = np.linalg.svd(centred, full_matrices=False)
        variances, components = singular[:k] ** 2, right[:k]
    largest = np.take_along_axis(components, np.abs(components).argmax(axis=1)[:, None], axis=1)
    components = components * np.sign(largest)
    return PCA(centred @ components.T, components, np.clip(variances, 0.0, None) / total, mean)


def scatter_map(
    points: npt.ArrayLike,
    labels: Sequence[str],
    groups: Sequence[str] | None = None,
    *,
    annotate: int | Iterable[int] = 25,
    explained: Sequence[float] | Floats | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw points of a plane as a map, with a colour and a marker per group and names that do not overlap.

    Parameters
    ----------
    points
        Shape (n, 2), such as ``pca(vectors).points``.
    labels
        One name per point.
    groups
        The group of each point; colours and markers follow the order of first appearance, and the legend
        counts. Where there are more groups than colours, the marks of the later ones are hollow.
    annotate
        How many points get their name (spread over the map, and only where there is room), or the indices
        of those that must.
    explained
        Shares of variance along the two axes, written on them: ``pca(vectors).explained``.
    title
        The finding, in a sentence.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    ValueError
        If the lengths do not fit.
    """
    places = _matrix(points, "points")
    if places.shape[1] != 2:
        raise ValueError(f"points is {places.shape}: a map needs (n, 2).")
    for name, given in (("labels", labels), ("groups", groups)):
        if given is not None and len(given) != len(places):
            raise ValueError(
                f"points is {places.shape} but there are {len(given)} {name}: one per point is needed."
            )
    of = list(groups) if groups is not None else []
    kinds = list(dict.fromkeys(of))
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(9.0, 6.0))
        size = float(np.clip(11_000 / len(places), 16, 60))
        if groups is None:
            ax.scatter(places[:, 0], places[:, 1], s=size, color=CYCLE[0], alpha=0.8, linewidths=0)
        for k, kind in enumerate(kinds):
            of_kind = places[[i for i, group in enumerate(of) if group == kind]]
            colour, hollow = CYCLE[k % len(CYCLE)], k >= len(CYCLE)
            ax.scatter(
                of_kind[:, 0],
                of_kind[:, 1],
                s=size,
                facecolor="none" if hollow else colour,
                edgecolor=colour,
                marker=MARKERS[k % len(MARKERS)],
                alpha=0.8,
                linewidths=1.6 if hollow else 0,
                label=f"{kind} ({len(of_kind)})",
            )
        ax.margins(0.08)
        for number, axis in enumerate((ax.xaxis, ax.yaxis)):
            share = "" if explained is None else f": {float(explained[number]):.1%} of the variance"
            axis.set_label_text(f"axis {number + 1}{share}")
        if kinds:
            lettering.legend(ax, markerscale=1.4)
        lettering.entitle(ax, title)
        lettering.annotate(ax, places, labels, annotate)
    return ax


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
    rows = _matrix(np.atleast_2d(np.asarray(values, dtype=np.float64)), "values")
    names = list(series) if series is not None else [""] * min(len(rows), 1)
    if rows.shape != (len(names), len(labels)):
        raise ValueError(
            f"values is {rows.shape} but there are {len(names)} series and {len(labels)} labels: "
            "it must be (len(labels),) or (len(series), len(labels))."
        )
    thick = 0.8 / len(rows)
    # Shares take two decimals each: 1.00 beside 0.97. Counts, large and small numbers take what they need.
    mixed = bool((rows == rows.round()).all()) or not 0.1 <= np.abs(rows).max() < 100
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(8.0, _fit(rows.size, 0.32, 1.6, 6.5) + 1.2))
        for k, (name, numbers) in enumerate(zip(names, rows, strict=True)):
            where = np.arange(len(labels)) + (k - (len(rows) - 1) / 2) * thick
            drawn = ax.barh(
                where, numbers, height=thick * 0.92, color=CYCLE[k % len(CYCLE)], label=name or None
            )
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
        ax.set_yticks(range(len(labels)), [lettering.drawable(label) for label in labels], parse_math=False)
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.margins(x=0.12)
        if (rows < 0).any():
            ax.axvline(0, color=INK, linewidth=1)
            ax.spines.left.set_visible(False)
        _reference_lines(ax, reference)
        ax.set_xlabel(label)
        if len(rows) > 1 or reference:
            lettering.legend(ax)
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
    (dots,), ends = _matrix(np.atleast_2d(np.asarray(values)), "values"), _matrix(bounds, "bounds")
    if ends.shape != (len(dots), 2) or len(labels) != len(dots):
        raise ValueError(
            f"there are {len(dots)} values and {len(labels)} labels, and bounds is {ends.shape}: "
            "give a label and two bounds for each value."
        )
    outside = np.flatnonzero((dots < ends[:, 0]) | (dots > ends[:, 1]))
    if len(outside):
        k = int(outside[0])
        raise ValueError(
            f"values[{k}] is {dots[k]:g}, outside its interval {ends[k, 0]:g} to {ends[k, 1]:g}."
        )
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(8.0, _fit(len(dots), 0.42, 1.6, 6.5) + 1.2))
        rows = np.arange(len(dots))
        ax.hlines(rows, ends[:, 0], ends[:, 1], color=CYCLE[0], linewidth=5, alpha=0.45)
        ax.plot(dots, rows, "o", color=CYCLE[0], markersize=9)
        for row, dot in zip(rows.tolist(), dots.tolist(), strict=True):
            written = f"{dot:.2f}".replace("-", "−")
            ax.annotate(
                written, (dot, row), (0, 7), textcoords="offset points", ha="center", fontsize=11,
                path_effects=lettering.HALO,
            )  # fmt: skip
        ax.set_yticks(rows, [lettering.drawable(label) for label in labels], parse_math=False)
        ax.set_ylim(len(dots) - 0.5, -0.7)
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
        _reference_lines(ax, reference)
        ax.set_xlabel(label)
        if reference:
            lettering.legend(ax)
        lettering.entitle(ax, title)
    return ax


def lines(
    places: npt.ArrayLike,
    values: npt.ArrayLike,
    series: Sequence[str],
    *,
    title: str = "",
    across: str = "",
    label: str = "",
    reference: Mapping[str, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one line a series over the same places, told apart by colour and by dash.

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
    ax
        Where to draw; a figure of its own if None. Set its scales afterwards.

    Raises
    ------
    ValueError
        If the names do not fit the values, or a number is not finite.
    """
    (x,), rows = _matrix(np.atleast_2d(np.asarray(places)), "places"), _matrix(values, "values")
    if rows.shape != (len(series), len(x)):
        raise ValueError(
            f"values is {rows.shape} but there are {len(series)} series and {len(x)} places: "
            "it must be (len(series), len(places))."
        )
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(8.0, 4.4))
        for k, (name, numbers) in enumerate(zip(series, rows, strict=True)):
            dash = ("-", "--", "-.", ":")[k % 4]
            ax.plot(x, numbers, color=CYCLE[k % len(CYCLE)], linestyle=dash, linewidth=2.5, label=name)
        for k, (name, place) in enumerate((reference or {}).items()):
            ax.axvline(place, color=INK, linewidth=1.5, linestyle=("--", ":", "-.")[k % 3], label=name)
        ax.set_xlabel(across)
        ax.set_ylabel(label)
        lettering.legend(ax)
        lettering.entitle(ax, title)
    return ax


def _matrix(values: npt.ArrayLike, name: str) -> Floats:
    """Return `values` as a (rows, columns) float64 array, or say what it is instead."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name} is {array.shape}: two axes are needed, neither empty.")
    if not np.isfinite(array).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name}[{row}, {column}] is {array[row, column]}: every number must be finite.")
    return array


def _reference_lines(ax: Axes, reference: Mapping[str, float] | None) -> None:
    """Draw upright lines to compare with, told apart by their dash."""
    for k, (name, number) in enumerate((reference or {}).items()):
        dash = ("--", ":", "-.")[k % 3]
        ax.axvline(number, color=INK, linewidth=1.5, linestyle=dash, label=name, zorder=1.5)


def _fit(count: int, each: float, least: float, most: float) -> float:
    """Return the inches that `count` things of `each` inch take, kept between `least` and `most`."""
    return min(max(count * each, least), most)


def _largest(strips: Sequence[Floats]) -> float:
    return max(float(np.abs(rows).max()) for rows in strips)


def _reach(strips: Sequence[Floats]) -> float:
    """Return the largest absolute value, or that of all but 0.5 % where those few are three times larger."""
    most = _largest(strips)
    nearly = max(float(np.quantile(np.abs(rows), 0.995)) for rows in strips)
    return nearly if most > 3 * nearly > 0 else most


def _cells(
    ax: Axes, values: Floats, limit: float | None, *, aspect: str | None = None, signed: bool | None = None
) -> AxesImage:
    """Draw `values` as coloured cells, signed around zero or unsigned from zero; return the image."""
    most = limit if limit is not None else float(np.abs(values).max())
    if signed or (signed is None and bool((values < 0).any())):
        colours, least = SIGNED, -(most or 1.0)
    else:
        colours, least = UNSIGNED, 0.0
    if values.size > _FINE:
        colours = colours.resampled(21)
    shape: Any = aspect or ("equal" if max(values.shape) < 4 * min(values.shape) else "auto")
    return ax.imshow(values, cmap=colours, vmin=least, vmax=most or 1.0, aspect=shape)
