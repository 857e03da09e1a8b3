"""The formula of attention drawn for all tokens: queries, keys, softmax by rows, values; and padding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from bertviz_lite.plots import CYCLE
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.heat_maps import draw_cells
from bertviz_lite.plots.lettering import drawable, headline, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["all_tokens", "padded"]

_CELL, _GAP, _SOFTMAX, _NAMES = 0.18, 0.22, 1.0, 0.95
"""In inches: a token's row or column, what is between two blocks, the room of an arrow and that of names."""

_SIDE, _LENGTH = 1.5, 0.48
"""In inches: how long the numbers of a head are, and the room of a length beside them."""


def all_tokens(
    tokens: Sequence[str],
    query: npt.ArrayLike,
    key: npt.ArrayLike,
    value: npt.ArrayLike,
    *,
    asking: int,
    answering: int,
    title: str = "",
) -> Axes:
    """Draw softmax(Q Kᵀ / √d) V, each product to the right of its left factor and below its right one.

    Parameters
    ----------
    tokens
        A name for each row.
    query, key, value
        Of one head, each of shape (len(tokens), head_size).
    asking
        The position of the token whose row is framed, from its query to its blend.
    answering
        The position of the token whose key and value are framed, with its score and its weight.
    title
        The finding, in a sentence.
    """
    queries, keys, values = (np.asarray(rows, float) for rows in (query, key, value))
    scores = queries @ keys.T / queries.shape[1] ** 0.5
    weights = _softmax(scores)
    count, size = queries.shape
    side = count * _CELL
    left = np.cumsum([_NAMES, _SIDE + _GAP, side + _SOFTMAX, side + _GAP])
    at_scores, at_weights, at_blends = (float(place) for place in left[1:])
    below = 0.85  # names of the columns
    top, right = below + side + _GAP, at_blends + _SIDE + _LENGTH + 0.1
    high = top + side + 0.3
    with style():
        figure, ax = plt.subplots(figsize=(right + 0.2, high + 0.8))
        headline(figure, title)
    ax.axis("off")
    ax.set(xlim=(0, right), ylim=(-0.2, high))
    limit = float(max(np.abs(queries).max(), np.abs(keys).max()))
    blends, loudest = weights @ values, float(np.abs(values).max())  # one scale: a blend is paler
    shape, square = f"{count} × {size}", f"{count} × {count}"
    _block(ax, queries, (_NAMES, below), (_SIDE, side), limit=limit)
    _block(ax, keys.T, (at_scores, top), (side, _SIDE), limit=limit)
    _block(ax, scores, (at_scores, below), (side, side))
    _block(ax, weights, (at_weights, below), (side, side), limit=1.0, share=True)
    for rows, bottom in (values, top), (blends, below):
        _block(ax, rows, (at_blends, bottom), (_SIDE, side), limit=loudest)
        write(ax, at_blends + _SIDE + _LENGTH, bottom + side + 0.13, "length", ha="right", size=10)
        for number, length in enumerate(np.linalg.norm(rows, axis=1)):
            middle = bottom + (count - number - 0.5) * _CELL
            write(ax, at_blends + _SIDE + _LENGTH, middle, f"{length:.1f}", ha="right", size=10)
    write(ax, _NAMES + _SIDE / 2, below + side + 0.13, f"Q  {shape}", color=CYCLE[1])
    write(ax, at_scores + side / 2, top + _SIDE + 0.13, f"Kᵀ  {size} × {count}", color=CYCLE[0])
    write(ax, at_blends + _SIDE / 2, top + side + 0.13, f"V  {shape}", color=CYCLE[2])
    write(ax, at_weights + side / 2, below + side + 0.13, f"weights  {square}", color=CYCLE[1])
    write(ax, at_scores + side / 2, 0.1, f"scores, Q Kᵀ / √{size}: {square}", color=INK)
    write(ax, at_scores + side / 2, -0.12, "orange: above 0, blue: below", color=INK, size=10)
    write(ax, at_weights + side / 2, -0.12, "dark: a large weight", color=INK, size=10)
    write(ax, at_blends + _SIDE / 2, below - 0.15, f"blends  {shape}", color=CYCLE[1])
    _arrow(ax, at_scores + side + 0.12, at_weights - 0.12, below + side / 2)
    for number, token in enumerate(tokens):
        row = below + (count - number - 0.5) * _CELL
        write(ax, _NAMES - 0.08, row, drawable(token), ha="right", size=10)
        write(ax, at_blends - 0.08, row - below + top, drawable(token), ha="right", size=10)  # of a value
        for corner in (at_scores, at_weights):
            column = corner + (number + 0.5) * _CELL
            write(ax, column, below - 0.05, drawable(token), rotation=90, va="top", size=8)
    row = below + (count - asking - 1) * _CELL
    for corner, wide in ((_NAMES, _SIDE), (at_scores, side), (at_weights, side), (at_blends, _SIDE)):
        _frame(ax, (corner, row), (wide, _CELL))
    _frame(ax, (at_scores + answering * _CELL, top), (_CELL, _SIDE))
    _frame(ax, (at_scores + answering * _CELL, row), (_CELL, _CELL))
    _frame(ax, (at_weights + answering * _CELL, row), (_CELL, _CELL))
    _frame(ax, (at_blends, top + (count - answering - 1) * _CELL), (_SIDE, _CELL), CYCLE[2])
    return ax


def padded(tokens: Sequence[str], scores: npt.ArrayLike, is_token: npt.ArrayLike, *, title: str = "") -> Axes:
    """Draw the scores of a text with padding, whose columns are closed, and the weights with their sums.

    Parameters
    ----------
    tokens
        A name for each row.
    scores
        Of one head, shape (len(tokens), len(tokens)).
    is_token
        Which tokens are no padding, shape (len(tokens),); padding comes last.
    title
        The finding, in a sentence.
    """
    shown, real = np.asarray(scores, float), np.asarray(is_token, bool)
    weights = _softmax(np.where(real, shown, -np.inf))
    cell, count = 0.22, len(tokens)
    side, first, below = cell * count, 0.8, 0.7
    second = first + side + 2.2
    right, high = second + side + 0.75, below + side + 0.4
    with style():
        figure, ax = plt.subplots(figsize=(right + 0.2, high + 0.8))
        headline(figure, title)
    ax.axis("off")
    ax.set(xlim=(0, right), ylim=(0, high), aspect="equal")
    _block(ax, np.where(real, shown, 0.0), (first, below), (side, side))
    _block(ax, weights, (second, below), (side, side), share=True, limit=1.0)
    write(ax, first + side / 2, below + side + 0.18, "scores", color=INK)
    write(ax, second + side / 2, below + side + 0.18, "weights", color=CYCLE[1])
    write(ax, second + side + 0.4, below + side + 0.18, "sum", size=10)
    tokens_end = side * real.mean()
    _arrow(ax, first + side + 0.15, second - 0.85, below + side / 2)
    for corner, hidden, grey in ((first, "−∞", "#d5dade"), (second, "0", "white")):
        size = side - tokens_end, side
        ax.add_patch(Rectangle((corner + tokens_end, below), *size, facecolor=grey, lw=0, zorder=2))
        # what nobody reads is paler, but there
        size = side, side - tokens_end
        ax.add_patch(Rectangle((corner, below), *size, facecolor="white", alpha=0.65, lw=0, zorder=2.1))
        ax.add_patch(Rectangle((corner, below), side, side, fill=False, edgecolor=CYCLE[6], lw=1, zorder=3))
        write(ax, corner + (tokens_end + side) / 2, below + side - tokens_end / 2, hidden, size=18)
        write(ax, corner + (tokens_end + side) / 2, below - 0.17, "[PAD]", size=10)
        for number, token in enumerate(tokens[: int(real.sum())]):
            at = corner + (number + 0.5) * cell
            write(ax, at, below - 0.08, drawable(token), rotation=90, va="top", size=10)
    write(
        ax,
        (first + side + second) / 2 - 0.35,
        below + (side - tokens_end) / 2,
        "pale: rows\nof padding",
        size=10,
    )
    for number, token in enumerate(tokens):
        row = below + (count - number - 0.5) * cell
        for corner in (first, second):
            write(ax, corner - 0.08, row, drawable(token), ha="right", size=10)
        write(ax, second + side + 0.4, row, f"{weights[number].sum():g}", size=10)
    return ax


def _softmax(scores: Floats) -> Floats:
    """Return weights that sum to 1 in each row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights: Floats = powers / powers.sum(axis=1, keepdims=True)
    return weights


def _arrow(ax: Axes, from_x: float, to_x: float, y: float) -> None:
    """Lead from the scores to the weights."""
    look = {"arrowstyle": "-|>", "color": INK, "lw": 1.5, "mutation_scale": 14, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (to_x, y), (from_x, y), arrowprops=look)
    write(ax, (from_x + to_x) / 2, y + 0.3, "softmax\nby rows")


def _block(
    ax: Axes,
    numbers: Floats,
    corner: tuple[float, float],
    size: tuple[float, float],
    *,
    limit: float | None = None,
    share: bool = False,
) -> None:
    """Draw a matrix as cells, its lower left corner at a place; shares as in the views of attention."""
    place = (corner[0], corner[0] + size[0], corner[1], corner[1] + size[1])
    draw_cells(ax, numbers, limit, aspect="auto", signed=not share, by_root=share, extent=place)


def _frame(ax: Axes, corner: tuple[float, float], size: tuple[float, float], colour: str = INK) -> None:
    ax.add_patch(Rectangle(corner, *size, fill=False, edgecolor=colour, lw=2.2, zorder=3))
