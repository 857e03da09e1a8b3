"""Vectors of one layer as strips: a token's query, key and value, one head's blend, what all heads add."""

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
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["all_heads", "one_head"]

_LEFT, _WIDE, _WIDTH = 1.5, 8.2, 10.0
"""In inches: where strips begin, how long one of `hidden_size` numbers is, and how wide the figure is."""

_HIGH, _ROW, _PART = 0.26, 0.21, 1.45
"""In inches: how high a strip is, how high a row of the table, how long a strip of one head is there."""

_COLOURS = {"query": CYCLE[1], "key": CYCLE[0], "value": CYCLE[2]}


def one_head(
    tokens: Sequence[str],
    vectors: Mapping[str, npt.ArrayLike],
    *,
    head_size: int,
    head: int,
    asking: int,
    made_of: int,
    title: str = "",
) -> Axes:
    """Draw a token's vector with its query, key and value; below, one head: a query, keys, weights, blend.

    Parameters
    ----------
    tokens
        A name for each token.
    vectors
        "token", "query", "key" and "value" of shape (len(tokens), hidden_size), those of all heads stacked;
        "weights" of shape (len(tokens),), of the token that asks.
    head_size, head
        How many numbers a head has, and which head it is.
    asking
        The position of the token whose weights these are.
    made_of
        The position of the token whose three vectors are drawn at the top.
    title
        The finding, in a sentence.
    """
    arrays = {name: np.asarray(rows, float) for name, rows in vectors.items()}
    rows = slice(head * head_size, (head + 1) * head_size)
    query, key, value = (arrays[name][:, rows] for name in _COLOURS)
    table = len(tokens) * _ROW
    top = table + 3.2
    ax = _page(top + 0.02, title)
    write(ax, _LEFT - 0.1, top - _HIGH / 2, drawable(f"{tokens[made_of]}'s vector"), ha="right")
    _strip(ax, arrays["token"][made_of], (_LEFT, top - _HIGH), _WIDE)
    _down(ax, _LEFT + _WIDE / 2, top - _HIGH, "× three learned matrices (+ biases)")
    top -= _HIGH + 0.62
    num_heads = arrays["query"].shape[1] // head_size
    for number in range(num_heads):
        middle = _LEFT + _WIDE * (number + 0.5) / num_heads
        write(ax, middle, top + 0.12, f"head {number}", ha="center")
    parts = [arrays[name][made_of] for name in _COLOURS]
    for number, (name, part) in enumerate(zip(_COLOURS, parts, strict=True)):
        bottom = top - (number + 1) * (_HIGH + 0.04)
        _strip(ax, part, (_LEFT, bottom), _WIDE, limit=np.abs(parts).max())
        write(ax, _LEFT - 0.1, bottom + _HIGH / 2, name, ha="right", color=_COLOURS[name])
    size, height = _WIDE / num_heads, 3 * (_HIGH + 0.04)
    for number in range(num_heads):
        if number != head:
            _veil(ax, (_LEFT + number * size, top - height), size, height)
    _frame(ax, (_LEFT + head * size, top - height), size, height)
    _below(ax, _LEFT + (head + 0.5) * size, top - height, f"{rows.start}:{rows.stop}")
    _table(ax, tokens, (query[asking], key, value, arrays["weights"]), asking)
    return ax


def _table(ax: Axes, tokens: Sequence[str], head: tuple[Floats, Floats, Floats, Floats], asking: int) -> None:
    """Draw a query above the keys, their products, each score and weight, values, weighted, and the sum."""
    query, key, value, weights = head
    products, shares = key * query, weights[:, None] * value
    scores = products.sum(axis=1) / query.size**0.5
    times = _LEFT + _PART + 0.15  # where the products begin
    score, bars, right = times + _PART + 0.6, times + _PART + 0.85, _LEFT + _WIDE - _PART
    plain = right - _PART - 0.15
    top = len(tokens) * _ROW + 0.5
    limit = max(np.abs(query).max(), np.abs(key).max())
    blend = shares.sum(axis=0)
    loudest = np.abs(value).max()  # one scale: a weighted value is paler than the value
    heading = top + 0.25
    write(
        ax, _LEFT - 0.1, heading, drawable(f"{tokens[asking]}'s query"), ha="right", color=_COLOURS["query"]
    )
    _strip(ax, query, (_LEFT, heading - _HIGH / 2), _PART, limit=limit)
    write(ax, times + _PART / 2, heading, "query × key")
    write(ax, score + 0.12, heading, f"sum / √{query.size}", ha="right")
    write(ax, bars, heading, "softmax", ha="left")
    write(ax, plain + _PART / 2, heading, "values", color=_COLOURS["value"])
    write(ax, right + _PART / 2, heading, "weight × value", color=_COLOURS["value"])
    for number, token in enumerate(tokens):
        bottom = top - (number + 1) * _ROW
        middle = bottom + _ROW / 2 - 0.015
        write(ax, _LEFT - 0.1, middle, drawable(token), ha="right")
        _strip(ax, key[number], (_LEFT, bottom), _PART, limit=limit, height=_ROW - 0.03)
        _strip(ax, products[number], (times, bottom), _PART, limit=np.abs(products).max(), height=_ROW - 0.03)
        rounded = round(float(scores[number]), 1) + 0.0  # no −0.0
        write(ax, score, middle, f"{rounded:.1f}".replace("-", "−"), ha="right")
        weight = float(weights[number])
        ax.add_patch(Rectangle((bars, bottom + 0.03), 0.75 * weight, _ROW - 0.09, color=CYCLE[1], lw=0))
        write(ax, bars + 0.75 * weight + 0.08, middle, f"{weight:.2f}", ha="left")
        _strip(ax, value[number], (plain, bottom), _PART, limit=loudest, height=_ROW - 0.03)
        _strip(ax, shares[number], (right, bottom), _PART, limit=loudest, height=_ROW - 0.03)
    bottom = top - len(tokens) * _ROW - 0.12 - _HIGH
    write(ax, _LEFT + _PART / 2, bottom + _HIGH / 2, "keys", color=_COLOURS["key"])
    write(ax, times + _PART / 2, bottom + _HIGH / 2, "products")
    write(ax, score + 0.05, bottom + _HIGH / 2, "scores", ha="right")
    write(ax, bars, bottom + _HIGH / 2, "weights", ha="left", color=CYCLE[1])
    _strip(ax, blend, (right, bottom), _PART, limit=loudest)
    _frame(ax, (right, bottom), _PART, _HIGH)
    write(ax, right - 0.1, bottom + _HIGH / 2, "added up: the blend", ha="right", color=CYCLE[1])


def all_heads(
    blends: npt.ArrayLike, contributions: npt.ArrayLike, bias: npt.ArrayLike, *, head: int, title: str = ""
) -> Axes:
    """Draw the blends of all heads for one token, what each adds to the output, and the sum.

    Parameters
    ----------
    blends
        Shape (num_heads, head_size).
    contributions
        Each blend times its rows of the output projection: shape (num_heads, hidden_size).
    bias
        Of the output projection, shape (hidden_size,).
    head
        The head whose blend and contribution are framed.
    title
        The finding, in a sentence.
    """
    parts, terms = (
        np.asarray(blends, float),
        np.vstack([np.asarray(contributions), np.asarray(bias)[None]]).astype(float),
    )
    total = terms.sum(axis=0)
    high = 1.75 + len(terms) * _ROW
    ax = _page(high, title)
    size, bottom = _WIDE / len(parts), high - 0.25 - _HIGH
    _strip(ax, parts.ravel(), (_LEFT, bottom), _WIDE)
    for number in range(len(parts)):
        write(ax, _LEFT + (number + 0.5) * size, high - 0.12, f"head {number}", ha="center")
    _frame(ax, (_LEFT + head * size, bottom), size, _HIGH)
    write(ax, _LEFT - 0.1, bottom + _HIGH / 2, "blends", ha="right")
    _down(ax, _LEFT + _WIDE / 2, bottom, "each × its own rows of the output projection")
    bottom -= 0.5
    names = [*(f"from head {number}" for number in range(len(parts))), "bias"]
    loudest = float(np.abs([*terms, total]).max())
    for number, (name, term) in enumerate(zip(names, terms, strict=True)):
        bottom -= _ROW
        _strip(ax, term, (_LEFT, bottom), _WIDE, limit=loudest, height=_ROW - 0.03)
        write(ax, _LEFT - 0.1, bottom + _ROW / 2 - 0.015, name, ha="right")
        if number == head:
            _frame(ax, (_LEFT, bottom), _WIDE, _ROW - 0.03)
    _down(ax, _LEFT + _WIDE / 2, bottom, "added up")
    bottom -= 0.45 + _HIGH
    _strip(ax, total, (_LEFT, bottom), _WIDE, limit=loudest)
    write(ax, _LEFT - 0.1, bottom + _HIGH / 2, "projected", ha="right")
    return ax


def _page(high: float, title: str) -> Axes:
    """Return empty axes whose unit is about an inch."""
    with style():
        figure, ax = plt.subplots(figsize=(_WIDTH, high + 0.6))
        headline(figure, title)
    ax.axis("off")
    ax.set(xlim=(0, _WIDTH), ylim=(0, high))
    return ax


def _strip(
    ax: Axes,
    numbers: Floats,
    corner: tuple[float, float],
    width: float,
    *,
    limit: float | None = None,
    height: float = _HIGH,
) -> None:
    """Draw numbers as a row of cells, its lower left corner at a place."""
    place = (corner[0], corner[0] + width, corner[1], corner[1] + height)
    draw_cells(ax, numbers[None], limit, aspect="auto", signed=True, extent=place)


def _below(ax: Axes, x: float, y: float, words: str) -> None:
    write(ax, x, y - 0.13, words, ha="center")


def _down(ax: Axes, x: float, y: float, words: str) -> None:
    """Draw an arrow down from a strip, words beside it."""
    look = {"arrowstyle": "-|>", "color": INK, "lw": 1.5, "mutation_scale": 14, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (x, y - 0.38), (x, y - 0.05), arrowprops=look)
    write(ax, x + 0.15, y - 0.21, words, ha="left")


def _veil(ax: Axes, corner: tuple[float, float], width: float, height: float) -> None:
    """Make what lies below paler."""
    ax.add_patch(Rectangle(corner, width, height, facecolor="white", alpha=0.6, lw=0, zorder=2))


def _frame(ax: Axes, corner: tuple[float, float], width: float, height: float) -> None:
    ax.add_patch(Rectangle(corner, width, height, fill=False, edgecolor=INK, lw=2.5, zorder=3))
