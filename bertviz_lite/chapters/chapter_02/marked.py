"""A frame around the lines of one word in a figure of input embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.patches import Rectangle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.embeddings import InputParts

__all__ = ["frame"]


def frame(axes: list[Axes], parts: InputParts, word: str) -> list[Axes]:
    """Draw a frame around each line of a word in every strip of ``plots.decomposition``."""
    lines = [line for line, token in enumerate(parts.tokens) if token == word]
    for ax in axes:
        for line in lines:
            ax.add_patch(Rectangle((-0.5, line - 0.5), parts.hidden_size, 1, fill=False, linewidth=1.2))
    return axes
