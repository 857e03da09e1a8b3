"""Gradient descent, drawn: down the loss of one knob, and beside AdamW through a valley."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle, headline, take_literally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["STEEPNESS", "descent", "gradients", "loss", "valley", "ways"]

STEEPNESS = (50.0, 1.0)
"""How steep the valley is for the first knob and for the second: the loss is half of Σ steepness · w²."""

_UPHILL = CYCLE[3]
_LOOKS: tuple[dict[str, Any], ...] = (
    {"marker": "o", "markersize": 4, "linewidth": 2.0},
    {"marker": "s", "markersize": 6, "linewidth": 3.5},  # broad, so that it shows beneath the next
    {"marker": "D", "markersize": 3.5, "linewidth": 1.2},
    {"marker": "^", "markersize": 3.5, "linewidth": 1.2},
)
_SHORTENED = 100
"""In the steep valley a gradient is drawn at one part in so many of its length."""


def gradients(places: npt.ArrayLike, steepness: tuple[float, float] = STEEPNESS) -> npt.NDArray[np.float64]:
    """Return the gradient of half of Σ steepness · w² at each place: float64, of the places' shape.

    >>> gradients([[1.0, 2.0]], steepness=(50.0, 1.0))
    array([[50.,  2.]])
    """
    return np.asarray(np.asarray(places, np.float64) * np.array(steepness))


def loss(places: npt.ArrayLike, steepness: tuple[float, float] = STEEPNESS) -> npt.NDArray[np.float64]:
    """Return half of Σ steepness · w² at each place: float64, the last axis of the places summed.

    >>> loss([[1.0, 2.0]], steepness=(50.0, 1.0))
    array([27.])
    """
    return np.asarray((np.square(np.asarray(places, np.float64)) * np.array(steepness)).sum(axis=-1) / 2)


def _arrow(ax: Axes, place: npt.ArrayLike, arrow: npt.ArrayLike, colour: str) -> None:
    """Draw an arrow from a place on the map; of both, the steep knob is first, and upwards."""
    (up, across), (rise, run) = np.asarray(place), np.asarray(arrow)
    look = {"arrowstyle": "-|>,head_width=0.25,head_length=0.5", "color": colour, "linewidth": 2.2}
    ends = {"shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}
    ax.annotate("", (across + run, up + rise), (across, up), arrowprops={**look, **ends}, zorder=3)


def descent(places: Sequence[float], *, title: str = "") -> Axes:
    """Draw the loss −ln σ(w), the places of the knob on it with their gradients, and the turns against them.

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
            height, slope = np.log1p(np.exp(-w)), -1 / (1 + np.exp(w))
            ax.vlines(w, 0, height, color="0.6", linewidth=1, linestyle=":")
            ax.plot(w, height, "o", color=CYCLE[0], markersize=9, zorder=2.4)
            words = f"step {step}: gradient {slope:.2f}".replace("-", "−")
            ax.annotate(words, (w, height), (9, 7), textcoords="offset points", path_effects=HALO)
            _arrow(ax, (height, w), (0.0, slope), _UPHILL)
        for before, after in pairwise(places):
            look = {"arrowstyle": "-|>", "color": "#1a1a1a", "shrinkA": 0, "shrinkB": 0}
            ax.annotate("", (after, 0.05), (before, 0.05), arrowprops=look)
            ax.text((before + after) / 2, 0.08, f"+{after - before:.2f}", ha="center", va="bottom")
        ax.set(xlim=(knob[0], knob[-1]), ylim=(0, None))
        describe_axes(ax, "the knob w", "loss")
        entitle(ax, title)
    return ax


def valley(ways: Mapping[str, npt.ArrayLike], *, title: str = "") -> Axes:
    """Draw the ways through the valley: on the left over its contour lines, on the right step by step.

    Along AdamW's way stand the gradients of every third step, at a hundredth of their length.

    Parameters
    ----------
    ways
        A name for each way, and its places: shape (steps + 1, 2), the steep knob first.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        The left ones; on the right is the gentle knob over the steps.

    Raises
    ------
    ValueError
        If a way's places are not pairs.
    """
    places = {name: np.asarray(way, np.float64) for name, way in ways.items()}
    for name, way in places.items():
        if way.ndim != 2 or way.shape[1] != 2:
            raise ValueError(f"the way of {name!r} has the shape {way.shape}: give (steps + 1, 2).")
    gentle, steep = np.meshgrid(np.linspace(-0.4, 1.15, 200), np.linspace(-0.9, 1.6, 200))
    heights = loss(np.stack([steep, gentle], axis=-1), STEEPNESS)
    with style():
        ax: Axes
        figure, (ax, right) = plt.subplots(1, 2, figsize=(9.6, 4.6))
        levels = np.geomspace(0.02, 25, 9)
        ax.contour(gentle, steep, heights, levels=levels, colors="0.8", linewidths=1)
        for (name, way), colour, look in zip(places.items(), CYCLE, _LOOKS, strict=False):
            ax.plot(way[:, 1], way[:, 0], color=colour, **look, label=name)
            right.plot(way[:, 1], color=colour, **look)
        for place in places.get("AdamW", np.empty((0, 2)))[:10:3]:
            _arrow(ax, place, gradients(place, STEEPNESS) / _SHORTENED, _UPHILL)
        ax.plot(0, 0, "*", color="#1a1a1a", markersize=16)
        ax.annotate("lowest loss", (0, 0), (12, -16), textcoords="offset points", path_effects=HALO)
        ax.annotate("start", (1, 1), (7, 0), textcoords="offset points", va="center", path_effects=HALO)
        words = f"gradient (1/{_SHORTENED} of its length)"
        ax.annotate(words, (1, 1.5), (-9, -12), textcoords="offset points", ha="right")
        right.axhline(0, color="0.6", linewidth=1)
        describe_axes(ax, "knob on the gentle slope", "knob on the steep slope")
        describe_axes(right, "step", "knob on the gentle slope")
        names = figure.legend(loc="outside lower center", ncols=len(places))
        take_literally(names)
        headline(figure, title)
    return ax


def ways(
    rates: tuple[float, float], steps: int, fall: int | None = None
) -> dict[str, npt.NDArray[np.float64]]:
    """Walk from (1, 1) by gradient descent and by AdamW (betas 0.9 and 0.98, no decay).

    Parameters
    ----------
    rates
        Learning rates: of gradient descent, then of AdamW.
    steps
        How many each of them takes.
    fall
        If given, AdamW walks a second time, with a rate that falls to 0 in so many steps along half a cosine.

    Returns
    -------
    dict
        The name of each way, and its places: float64, shape (steps + 1, 2), the steep knob first.
    """
    plain = [np.ones(2)]
    for _ in range(steps):
        plain.append(plain[-1] - rates[0] * np.array(STEEPNESS) * plain[-1])
    made = {"gradient descent": np.array(plain), "AdamW": _adam(np.full(steps, rates[1]))}
    if fall is not None:
        progress = np.minimum(np.arange(steps) / fall, 1)
        made["AdamW, rate falling"] = _adam(rates[1] * (1 + np.cos(np.pi * progress)) / 2)
    return made


def _adam(rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Walk by AdamW, with a rate for each step."""
    places, mean, square = [np.ones(2)], np.zeros(2), np.zeros(2)
    for step, rate in enumerate(rates, start=1):
        gradient = np.array(STEEPNESS) * places[-1]
        mean, square = 0.9 * mean + 0.1 * gradient, 0.98 * square + 0.02 * gradient**2
        stride = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.98**step)) + 1e-8)
        places.append(places[-1] - rate * stride)
    return np.array(places)
