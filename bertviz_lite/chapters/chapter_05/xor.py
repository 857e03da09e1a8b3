"""The square of chapter 05: four corners, each with its word, and lines that would part them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import CYCLE
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import HALO, headline, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["xor_square"]

_TRIED = (((0.5, 1.3), (0.5, -0.3)), ((-0.4, 0.5), (1.4, 0.5)), ((-0.4, 0.1), (0.9, 1.4)))
"""Lines that a reader may try on the square, each by its two ends: upright, level, and around a corner."""


def xor_square(
    left: Sequence[str], right: Sequence[str], words: Sequence[Sequence[str]], *, title: str = ""
) -> Axes:
    """Draw four corners, each with its word: what the left says goes across, what the right says goes up.

    Three lines are tried, and each says how many corners are right if one word is given on either side of it.

    Parameters
    ----------
    left, right
        Two things that the left side, and the right side, may say.
    words
        ``words[i][j]`` fits where the left says ``left[i]`` and the right ``right[j]``.
    title
        The finding, in a sentence.
    """
    colours = dict(zip(dict.fromkeys(np.ravel(words).tolist()), CYCLE, strict=False))
    with style():
        figure, ax = plt.subplots(figsize=(6.6, 3.9))
        headline(figure, title)
    ax.plot([0, 1, 1, 0, 0], [0, 0, 1, 1, 0], color="#c8c8c8", lw=1.5, zorder=1)
    for (x, y), (end_x, end_y) in _TRIED:
        above = [(j - y) * (end_x - x) > (i - x) * (end_y - y) for i, j in np.ndindex(2, 2)]
        alike = sum(up == (word == words[0][0]) for up, word in zip(above, np.ravel(words), strict=True))
        ax.plot([x, end_x], [y, end_y], color=INK, lw=1.5, ls="--", zorder=1)
        write(ax, end_x, end_y, f" {max(alike, 4 - alike)} of 4 right", ha="left", size=12, path_effects=HALO)
    for i, j in np.ndindex(2, 2):
        word = words[i][j]
        box = {"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": colours[word], "linewidth": 3}
        ax.text(
            i,
            j,
            word,
            ha="center",
            va="center",
            fontsize=15,
            color=colours[word],
            fontweight="bold",
            bbox=box,
        )
    ax.set(xlim=(-0.4, 1.85), ylim=(-0.35, 1.45), xlabel="what the left says", ylabel="what the right says")
    ax.set_xticks([0, 1], left)
    ax.set_yticks([0, 1], right)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax
