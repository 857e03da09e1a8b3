"""A batch as the rectangles of numbers that a model reads: ids, segments and attention mask, a text a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import drawable, entitle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from torch import Tensor

__all__ = ["draw_batch"]

_PADDING = "#d9d9d9"
_SEGMENTS = ("#d6e8f5", "#d3efe4")  # pale: blue for the first text, green for the second, as in the view
_SMALL = "#565c64"
_HIGH, _LOW, _BETWEEN = 1.0, 0.62, 0.4  # rows of ids, other rows, between two rectangles


def draw_batch(tokens: Sequence[Sequence[str]], batch: Mapping[str, Tensor], *, title: str) -> Axes:
    """Draw three rectangles below each other: a row for each text, a column for each place.

    Parameters
    ----------
    tokens
        The tokens of each row, written above their ids.
    batch
        `input_ids`, `token_type_ids` and `attention_mask`, all (rows, columns). Where the mask is 0 a cell
        is grey; elsewhere ids and segments have the colour of their segment.
    title
        The finding, in a sentence.
    """
    rows, columns = batch["input_ids"].shape
    heights = {"input_ids": _HIGH, "token_type_ids": _LOW, "attention_mask": _LOW}
    high = sum(rows * height for height in heights.values()) + 2 * _BETWEEN
    with style():
        figure, ax = plt.subplots(figsize=(9.0, 0.46 * high + 0.6))
        ax.set(xlim=(-0.05, columns + 0.05), ylim=(high + 0.05, -0.1))
        ax.tick_params(left=False, bottom=False, labelbottom=False)
        ax.spines[:].set_visible(False)
        y, middles = 0.0, []
        for name, height in heights.items():
            middles.append(y + rows * height / 2)
            for row in range(rows):
                for column in range(columns):
                    number = int(batch[name][row, column])
                    real = bool(batch["attention_mask"][row, column])
                    segment = int(batch["token_type_ids"][row, column])
                    face = "white" if name == "attention_mask" else _SEGMENTS[segment]
                    token = tokens[row][column] if name == "input_ids" else ""
                    _draw_cell(ax, (column, y), height, number, token, face if real else _PADDING)
                y += height
            y += _BETWEEN
        ax.set_yticks(middles, list(heights), fontsize=12)
        entitle(ax, title)
        figure.canvas.draw_idle()
    return ax


def _draw_cell(
    ax: Axes, corner: tuple[float, float], height: float, number: int, token: str, face: str
) -> None:
    """Draw a cell with its number, and above that its token, if it has one."""
    x, y = corner
    place = (x + 0.04, y + 0.04)
    ax.add_patch(Rectangle(place, 0.92, height - 0.08, facecolor=face, edgecolor=INK, linewidth=1.2))
    if token:
        ax.text(x + 0.5, y + 0.33, drawable(token), ha="center", va="center", fontsize=11, parse_math=False)
        ax.text(x + 0.5, y + 0.71, str(number), ha="center", va="center", fontsize=10, color=_SMALL)
    else:
        ax.text(x + 0.5, y + height / 2, str(number), ha="center", va="center", fontsize=11)
