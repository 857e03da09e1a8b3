"""Figures of chapter 04: what reaches an activation, where gradients go, what a token costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import torch

from bertviz_lite.plots import heatmap, lines
from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from torch import Tensor

__all__ = ["arrivals", "cost_lines", "squares"]

_EVERY = 5
"""Every fifth token of a square is numbered."""

_BIN = 0.25
_GREY = "#9aa1a9"


def arrivals(
    numbers: npt.ArrayLike,
    activation: Callable[[Tensor], Tensor],
    *,
    title: str = "",
    name: str = "",
) -> list[Axes]:
    """Draw an activation, and below it a histogram of the numbers that reach it, on one axis.

    Parameters
    ----------
    numbers
        What reaches the activation, of any shape. A thousandth at each end may lie outside of the figure.
    activation
        The function, from a tensor to one of the same shape.
    title
        The finding, in a sentence.
    name
        What the activation is called.

    Returns
    -------
    list of Axes
        The curve's and the histogram's, in which what is above 0 is orange.
    """
    values = np.ravel(np.asarray(numbers, float))
    low, high = np.quantile(values, [0.001, 0.999])
    edges = np.arange(np.floor(min(low, 0)), np.ceil(max(high, 0)) + _BIN / 2, _BIN)
    shares = np.histogram(values, bins=edges)[0] / values.size
    places = torch.linspace(edges[0], edges[-1], 401, dtype=torch.float64)
    with style():
        figure, grid = plt.subplots(2, 1, figsize=(8.0, 5.2), sharex=True)
        upper, lower = axes = list(grid)
        headline(figure, title)
        upper.plot(places, activation(places), color=CYCLE[0], linewidth=2.5)
        upper.set_ylabel(f"{name}(x)")
        colours = [_GREY if left < 0 else CYCLE[1] for left in edges[:-1]]
        lower.bar(edges[:-1], shares, width=_BIN, align="edge", color=colours, edgecolor="white")
        lower.set(xlabel="x: an inner number", ylabel="share of them", xlim=(edges[0], edges[-1]))
        for ax in axes:
            ax.axvline(0, color="black", linewidth=0.8)
        top = shares.max() * 0.9
        above = (values > 0).mean()
        lower.text(edges[0] + _BIN, top, f"{1 - above:.0%} “no”", color="#5b626a", fontsize=14)
        lower.text(edges[-1] - _BIN, top, f"{above:.0%} “yes”", color=CYCLE[1], ha="right", fontsize=14)
    return axes


def squares(
    maps: Mapping[str, npt.ArrayLike], *, title: str = "", across: str = "", down: str = ""
) -> list[Axes]:
    """Draw squares of shares side by side, one a name, all on the scale from 0 to 1.

    Parameters
    ----------
    maps
        Names and arrays, each of shape (n, n), with shares from 0 to 1.
    title
        The finding, in a sentence.
    across, down
        What the columns and the rows are.

    Returns
    -------
    list of Axes
        One a map, of one figure.
    """
    with style():
        figure, axes = plt.subplots(1, len(maps), figsize=(1.0 + 4.2 * len(maps), 4.7), squeeze=False)
        headline(figure, title)
    row: list[Axes] = list(axes[0])
    for ax, (name, shares) in zip(row, maps.items(), strict=True):
        values = np.asarray(shares, float)
        numbers = [str(place) for place in range(len(values))]
        heatmap(values, numbers, numbers, limit=1, ax=ax)
        ax.set_xticks(range(0, len(values), _EVERY), numbers[::_EVERY])
        ax.set_yticks(range(0, len(values), _EVERY), numbers[::_EVERY])
        ax.set_title(name, fontsize=12, fontweight="normal")
        ax.set(xlabel=across, ylabel=down if ax is row[0] else "")
    return row


def cost_lines(
    tokens: npt.ArrayLike, parts: Mapping[str, npt.ArrayLike], *, title: str = "", at: Mapping[str, float]
) -> Axes:
    """Draw what one token costs in one layer, a line for each part, over the length of its text.

    Parameters
    ----------
    tokens
        Lengths of texts, rising, shape (n,).
    parts
        Names and operations for the whole text in one layer, each of shape (n,).
    title
        The finding, in a sentence.
    at
        Lengths to mark: {"512 tokens": 512}.
    """
    lengths = np.asarray(tokens)
    each = [np.asarray(operations) / lengths / 1e6 for operations in parts.values()]
    ax = lines(lengths, each, list(parts), title=title, across="tokens in the text", reference=at)
    ax.set_ylabel("million operations\n1 token, 1 layer")
    return ax
