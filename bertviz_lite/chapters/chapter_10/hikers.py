"""Gradient descent, drawn: down the loss of one knob; and beside AdamW, through a valley of two."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle, legend

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["STEEPNESS", "descent", "valley", "ways"]

STEEPNESS = (50.0, 1.0)
"""How steep the valley is for the first knob and for the second: the loss is half of Σ steepness · w²."""


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


def valley(ways: Mapping[str, npt.ArrayLike], *, title: str = "") -> Axes:
    """Draw the valley's contour lines, and the way that each optimizer has taken through it.

    Parameters
    ----------
    ways
        A name for each way, and its places: shape (steps + 1, 2), the steep knob first.
    title
        The finding, in a sentence.

    Raises
    ------
    ValueError
        If a way's places are not pairs.
    """
    places = {name: np.asarray(way, np.float64) for name, way in ways.items()}
    for name, way in places.items():
        if way.ndim != 2 or way.shape[1] != 2:
            raise ValueError(f"the way of {name!r} has the shape {way.shape}: give (steps + 1, 2).")
    gentle, steep = np.meshgrid(np.linspace(-0.15, 1.15, 200), np.linspace(-0.85, 1.15, 200))
    loss = (STEEPNESS[0] * steep**2 + STEEPNESS[1] * gentle**2) / 2
    with style():
        _, ax = plt.subplots(figsize=(8.0, 4.4))
        levels = np.geomspace(0.02, 25, 9)
        ax.contour(gentle, steep, loss, levels=levels, colors="0.8", linewidths=1)
        for (name, way), colour, marker in zip(places.items(), CYCLE, "osD^", strict=False):
            ax.plot(way[:, 1], way[:, 0], color=colour, marker=marker, markersize=6, label=name)
        ax.plot(0, 0, "*", color="#1a1a1a", markersize=16)
        ax.annotate("lowest loss", (0, 0), (10, -18), textcoords="offset points")
        ax.annotate("start", (1, 1), (8, -4), textcoords="offset points")
        describe_axes(ax, "knob on the gentle slope", "knob on the steep slope")
        legend(ax)
        entitle(ax, title)
    return ax


def ways(rates: tuple[float, float], steps: int) -> dict[str, npt.NDArray[np.float64]]:
    """Walk from (1, 1) by gradient descent and by AdamW (betas 0.9 and 0.98, no decay).

    Parameters
    ----------
    rates
        Learning rates: of gradient descent, then of AdamW.
    steps
        How many each of them takes.

    Returns
    -------
    dict
        The name of each way, and its places: float64, shape (steps + 1, 2), the steep knob first.
    """
    steepness = np.array(STEEPNESS)
    plain, adam = [np.ones(2)], [np.ones(2)]
    mean, square = np.zeros(2), np.zeros(2)
    for step in range(1, steps + 1):
        plain.append(plain[-1] - rates[0] * steepness * plain[-1])
        gradient = steepness * adam[-1]
        mean, square = 0.9 * mean + 0.1 * gradient, 0.98 * square + 0.02 * gradient**2
        stride = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.98**step)) + 1e-8)
        adam.append(adam[-1] - rates[1] * stride)
    return {"gradient descent": np.array(plain), "AdamW": np.array(adam)}
