"""Gradient descent with a single knob, drawn: the loss over the knob, and where each step leads."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["descent"]


def descent(places: Sequence[float], *, title: str = "") -> Axes:
    """Draw the loss −ln σ(w), the places of the knob on it with their gradients, and the turns.

    Parameters
    ----------
    places
        The knob before each step, at a learning rate of 1.
    title
        The finding, in a sentence.
    """
    knob = np.linspace(min(places) - 0.6, max(places) + 1.0, 200)
    with style():
        _, ax = plt.subplots(figsize=(8.0, 4.2))
        ax.plot(knob, np.log1p(np.exp(-knob)), color=CYCLE[0], linewidth=2.5)
        for step, w in enumerate(places):
            loss, slope = np.log1p(np.exp(-w)), -1 / (1 + np.exp(w))
            ax.vlines(w, 0, loss, color="0.6", linewidth=1, linestyle=":")
            ax.plot(w, loss, "o", color=CYCLE[1], markersize=9, zorder=2.4)
            words = f"step {step}: gradient {slope:.2f}".replace("-", "−")
            ax.annotate(words, (w, loss), (9, 7), textcoords="offset points", path_effects=HALO)
        for before, after in pairwise(places):
            look = {"arrowstyle": "-|>", "color": "#1a1a1a", "shrinkA": 0, "shrinkB": 0}
            ax.annotate("", (after, 0.05), (before, 0.05), arrowprops=look)
            ax.text((before + after) / 2, 0.08, f"+{after - before:.2f}", ha="center", va="bottom")
        ax.set(xlim=(knob[0], knob[-1]), ylim=(0, None))
        describe_axes(ax, "the knob w", "loss")
        entitle(ax, title)
    return ax
