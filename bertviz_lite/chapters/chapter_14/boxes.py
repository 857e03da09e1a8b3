"""Boxes with words, as chapter 14 draws parts of models, tensors and folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.patches import FancyBboxPatch

from bertviz_lite.plots.lettering import write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FIT", "GONE", "MADE_UP", "draw_box"]

# Edge and face, in the Machine's colours of its light theme: a chosen box, and the orange of its numbers.
FIT, GONE, MADE_UP = ("#0550ae", "#ddebf9"), ("#6b7280", "#f3f4f6"), ("#d66028", "#fdf0e9")


def draw_box(
    ax: Axes,
    corner: tuple[float, float],
    size: tuple[float, float],
    colours: tuple[str, str],
    words: str = "",
    *,
    dashed: bool = False,
) -> None:
    """Draw a rounded box, its edge and face in two colours, with words in its middle."""
    patch = FancyBboxPatch(corner, *size, boxstyle="round,pad=0,rounding_size=0.06")
    edge, face = colours
    patch.set(facecolor=face, edgecolor=edge, linewidth=1.6, linestyle="--" if dashed else "-")
    ax.add_patch(patch)
    if words:
        write(ax, corner[0] + size[0] / 2, corner[1] + size[1] / 2, words, size=12)
