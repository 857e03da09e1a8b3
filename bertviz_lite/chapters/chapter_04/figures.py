"""Figures of chapter 04: where the gradient of each output goes, and what a token costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import heatmap, lines
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["cost_lines", "squares"]

_EVERY = 5
"""Every fifth token of a square is numbered."""


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
