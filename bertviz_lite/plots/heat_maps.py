"""Heat maps: a matrix as coloured cells, and the cosines of vectors with each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import FuncNorm, LinearSegmentedColormap

from bertviz_lite.basics.arguments import ArgumentError, whole_number
from bertviz_lite.plots import checks, lettering
from bertviz_lite.plots.course_style import fit, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

    Floats = npt.NDArray[np.float64]

__all__ = ["SIGNED", "UNSIGNED", "check_sizes", "draw_cells", "heatmap", "similarity_map"]

SIGNED = LinearSegmentedColormap.from_list(
    "signed", ["#053061", "#2166ac", "#67a9cf", "#f7f7f7", "#f4a582", "#d6604d", "#7f2704"]
)
"""Blue below zero, white at zero, orange to brown above: distinct with every common colour blindness."""

UNSIGNED = LinearSegmentedColormap.from_list("unsigned", ["#f7fbff", "#9ecae1", "#2171b5", "#08306b"])
"""White at zero, dark blue at the top: also reads in grey."""

_VALUES_UP_TO = 150  # cells: more numbers than this cannot be read in a heat map
_ABOVE_PATCHES = 1.5  # and below lines
_STEPS = 65  # colours by the root: no eye sees the steps, and a palette of 256 holds them beside letters
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
        The number with the strongest colour, above 0; the largest absolute value if None.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    TypeError
        If `rows` or `columns` is no list of names.
    ValueError
        If the names do not fit the matrix, a number is masked, complex or not finite, or `limit` is not
        above 0.
    """
    values = checks.rows(matrix, "matrix")
    row_names, column_names = checks.names_of(rows, "rows"), checks.names_of(columns, "columns")
    check_sizes(values, row_names, column_names)
    limit = checks.check_limit(limit)
    checks.check_axes(ax)
    with style():
        if ax is None:
            size = (fit(len(column_names), 0.55, 4.0, 9.0) + 1.5, fit(len(row_names), 0.42, 2.4, 7.5) + 0.9)
            _, ax = plt.subplots(figsize=size)
        image = draw_cells(ax, values, limit)
        lettering.names(ax, row_names, column_names)
        lettering.colour_bar(ax, image, label)
        if values.size <= _VALUES_UP_TO:
            lettering.write_values(ax, values, image.get_clim()[1])
        lettering.entitle(ax, title)
    return ax


def check_sizes(values: Floats, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Raise ValueError where a matrix has not as many rows and columns as there are names."""
    for axis, names, what in ((0, rows, "rows"), (1, columns, "columns")):
        if values.shape[axis] != len(names):
            raise ArgumentError(
                f"matrix is {values.shape} but there are {len(names)} {what}: "
                f"its {('first', 'second')[axis]} axis must equal len({what})."
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
    rows = checks.rows(vectors, "vectors")
    lengths = np.linalg.norm(rows, axis=1)
    if not lengths.all():
        zero = int(np.argmin(lengths))
        raise ArgumentError(
            f"vectors[{zero}] is zero and has no direction: leave it out (is it the padding row?)."
        )
    unit = rows / lengths[:, None]
    cosines = np.clip(unit @ unit.T, -1.0, 1.0)
    named = _ticks(ticks, rows)
    checks.check_axes(ax)
    with style():
        if ax is None:
            side = fit(len(named), 0.42, 4.2, 7.0)
            _, ax = plt.subplots(figsize=(side + 1.6, side))
        image = ax.imshow(cosines, cmap=SIGNED, vmin=-1, vmax=1)
        for axis in (ax.xaxis, ax.yaxis):
            lettering.write_ticks(axis, list(named), list(named.values()))
        lettering.slant(ax)
        lettering.bare(ax)
        lettering.colour_bar(ax, image, "cosine", ticks=[-1, -0.5, 0, 0.5, 1])
        lettering.entitle(ax, title)
    return ax


def _ticks(ticks: Sequence[str] | Mapping[int, str] | None, rows: Floats) -> dict[int, str]:
    """Return the names to write, by the index of their vector."""
    n = len(rows)
    if ticks is None:
        step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if n <= 16 * step), 1000)
        return {i: str(i) for i in range(0, n, step)}
    if isinstance(ticks, Mapping):
        outside = [index for index in ticks if not 0 <= whole_number("ticks", index) < n]
        if outside:
            raise ArgumentError(
                f"ticks names vector {outside[0]}, but vectors is {rows.shape}: 0 to {n - 1} are there."
            )
        return {index: str(name) for index, name in ticks.items()}
    names = checks.names_of(ticks, "ticks")
    if len(names) != n:
        raise ArgumentError(
            f"vectors is {rows.shape} but there are {len(names)} ticks: one name per vector is needed."
        )
    return dict(enumerate(names))


def draw_cells(
    ax: Axes,
    values: Floats,
    limit: float | None,
    *,
    aspect: str | None = None,
    signed: bool | None = None,
    by_root: bool = False,
    extent: tuple[float, float, float, float] | None = None,
) -> AxesImage:
    """Draw `values` as coloured cells, signed around zero or unsigned from zero; return the image.

    With `by_root` a colour stands for the root of a number's size, so that small ones are seen, as in the
    views of a page. `extent` is where the cells lie: left, right, bottom, top; above all patches there.
    """
    most = limit if limit is not None else float(np.abs(values).max())
    if signed or (signed is None and bool((values < 0).any())):
        colours, least = SIGNED, -(most or 1.0)
    else:
        colours, least = UNSIGNED, 0.0
    if values.size > _FINE:
        colours = colours.resampled(21)
    shape: Any = aspect or ("equal" if max(values.shape) < 4 * min(values.shape) else "auto")
    place: dict[str, Any] = {} if extent is None else {"extent": extent, "zorder": _ABOVE_PATCHES}
    if by_root:
        colours = colours.resampled(_STEPS)
        scale = FuncNorm((_root, _square), vmin=least, vmax=most or 1.0)
        return ax.imshow(values, cmap=colours, norm=scale, aspect=shape, **place)
    return ax.imshow(values, cmap=colours, vmin=least, vmax=most or 1.0, aspect=shape, **place)


def _root(values: npt.ArrayLike) -> Floats:
    numbers: Floats = np.asarray(values, np.float64)
    return np.sign(numbers) * np.sqrt(np.abs(numbers))


def _square(values: npt.ArrayLike) -> Floats:
    numbers: Floats = np.asarray(values, np.float64)
    return np.sign(numbers) * numbers**2
