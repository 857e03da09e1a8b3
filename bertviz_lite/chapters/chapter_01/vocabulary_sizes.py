"""What a larger vocabulary saves, and what it costs, beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import describe_axes, headline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_sizes"]


def draw_sizes(sizes: Sequence[int], rates: Sequence[float], hidden_size: int, *, title: str) -> list[Axes]:
    """Draw two lines over the sizes of vocabularies: tokens per word, and the numbers of their embeddings.

    Parameters
    ----------
    sizes
        Entries of each vocabulary.
    rates
        Tokens per word with each.
    hidden_size
        How many numbers a model learns for each entry.
    title
        The finding, in a sentence.
    """
    numbers = [size * hidden_size / 1_000 for size in sizes]
    with style():
        figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.9))
        for ax, values, colour in zip(axes, (rates, numbers), CYCLE, strict=False):
            ax.plot(sizes, values, marker="o", color=colour)
            ax.set_ylim(0, 1.08 * max(values))
            ax.set_xlim(0, 1.05 * max(sizes))
        describe_axes(axes[0], "entries of the vocabulary", "tokens per word")
        describe_axes(axes[1], "entries of the vocabulary", f"thousand numbers, {hidden_size} an entry")
        headline(figure, title)
        figure.canvas.draw_idle()
    return list(axes)
