"""How much of some batches is padding, drawn for texts in several orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import describe_axes, headline, take_literally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = ["draw_orders", "padding_share"]

_NOTHING, _TOKEN, _PADDING = range(3)
_BETWEEN = 5
"""Empty rows between two batches."""

_COLOURS = ("white", "#a6cee4", "0.9")
"""As `batch_drawn` has them: for tokens the first colour of series at 0.35 on white, grey for padding."""


def padding_share(lengths: Sequence[int], size: int) -> float:
    """Return which share of all places is padding, where `size` texts at a time go into a batch.

    Two and two: the first batch has six places, of which two are padding; the second has four, and none.

    >>> padding_share([1, 3, 2, 2], size=2)
    0.2
    """
    places = sum(len(batch) * max(batch) for batch in _batches(lengths, size))
    return (places - sum(lengths)) / places


def draw_orders(orders: Mapping[str, Sequence[int]], *, size: int, title: str) -> Axes:
    """Draw a row for each text, tokens and padding, in a panel for each order of the texts.

    Parameters
    ----------
    orders
        A name of the order -> how many tokens each text has, in that order.
    size
        So many texts go into a batch; each is padded to the longest of its batch.
    title
        The finding, in a sentence.
    """
    with style():
        figure, axes = plt.subplots(1, len(orders), figsize=(9.6, 4.4), sharex=True, squeeze=False)
        for ax, (name, lengths) in zip(axes[0], orders.items(), strict=True):
            colours = ListedColormap(_COLOURS)
            ax.imshow(
                _cells(lengths, size), cmap=colours, vmin=0, vmax=2, aspect="auto", interpolation="nearest"
            )
            ax.set_title(f"{name}: {padding_share(lengths, size):.0%} padding", weight="normal", size=13)
            ax.set(yticks=[], xticks=[0, max(lengths)])
            ax.spines[["left", "right", "top"]].set_visible(False)
            describe_axes(
                ax, "place", "a block for each batch,\na row for each text" if ax is axes[0, 0] else ""
            )
        kinds = [
            Patch(color=_COLOURS[_TOKEN], label="tokens"),
            Patch(color=_COLOURS[_PADDING], label="padding"),
        ]
        take_literally(figure.legend(handles=kinds, loc="outside lower center", ncols=2))
        headline(figure, title)
    first: Axes = axes[0, 0]
    return first


def _batches(lengths: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(lengths), size):
        yield lengths[start : start + size]


def _cells(lengths: Sequence[int], size: int) -> NDArray[np.int64]:
    """Return what is at each place of each text, with some empty rows between batches."""
    places = np.arange(max(lengths))
    rows: list[NDArray[np.int64]] = []
    for batch in _batches(lengths, size):
        if rows:
            rows += [np.full(len(places), _NOTHING)] * _BETWEEN
        for length in batch:
            padded = np.where(places < max(batch), _PADDING, _NOTHING)
            rows.append(np.where(places < length, _TOKEN, padded))
    return np.stack(rows)
