"""Two knobs, one behind the other, drawn: numbers go forward, and gradients come back over the same boxes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Way", "draw", "way"]

_INK, _BACK = "#1a1a1a", CYCLE[1]
_STRIDE, _TOP, _KNOBS = 2.0, 1.6, 0.0
"""From box to box; the heights of the two rows, in inches."""


class Way(NamedTuple):
    """The numbers of L = −ln σ(w2 · tanh(w1 · x)), and the gradients of the loss with respect to them.

    Both have the keys ``w1 x``, ``h``, ``w2 h``, ``p``, ``L`` in the order of the way forward; the gradients
    those of the knobs, ``w1`` and ``w2``, too.
    """

    numbers: dict[str, float]
    gradients: dict[str, float]


def way(x: float, w1: float, w2: float) -> Way:
    """Go forward and back by hand.

    >>> round(way(2.0, 0.5, -1.5).gradients["w2"], 3)
    -0.577
    """
    a = w1 * x
    h = math.tanh(a)
    s = w2 * h
    p = 1 / (1 + math.exp(-s))
    back = {"L": 1.0, "p": -1 / p, "w2 h": p - 1}
    back["w2"] = back["w2 h"] * h
    back["h"] = back["w2 h"] * w2
    back["w1 x"] = back["h"] * (1 - h**2)
    back["w1"] = back["w1 x"] * x
    return Way({"w1 x": a, "h": h, "w2 h": s, "p": p, "L": -math.log(p)}, back)


def draw(x: float, w1: float, w2: float, *, title: str = "") -> Axes:
    """Draw the boxes in a row: above the arrows what goes forward, below them what comes back.

    Parameters
    ----------
    x, w1, w2
        What comes in, and the two knobs.
    title
        The finding, in a sentence.
    """
    numbers, gradients = way(x, w1, w2)
    boxes = {
        "w1 x": "$w_1 x$",
        "h": r"$h=\tanh(\cdot)$",
        "w2 h": "$w_2 h$",
        "p": r"$p=\sigma(\cdot)$",
        "L": r"$L=-\ln p$",
    }
    slopes = {
        "h": r"$\times(1-h^2)$",
        "w2 h": r"$\times w_2$",
        "p": r"$\times p(1-p)$",
        "L": r"$\times(-1/p)$",
    }
    with style():
        figure, ax = plt.subplots(figsize=(9.6, 3.9))
        ax.text(-1.75, _TOP, f"$x={_write(x)}$", ha="center", va="center", color=_INK)
        _arrow(ax, (-1.25, _TOP), (-0.68, _TOP), _INK)
        for k, (name, formula) in enumerate(boxes.items()):
            middle = k * _STRIDE
            look = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": _INK, "linewidth": 1.5}
            ax.text(middle, _TOP, formula, ha="center", va="center", bbox=look, color=_INK)
            ax.text(middle, _TOP + 0.5, _write(numbers[name]), ha="center", color=_INK, weight="bold")
            if name in slopes:
                _arrow(ax, (middle - 1.22, _TOP + 0.12), (middle - 0.74, _TOP + 0.12), _INK)
                _arrow(ax, (middle - 0.74, _TOP - 0.12), (middle - 1.22, _TOP - 0.12), _BACK)
                at = middle - 0.98, _TOP - 0.42
                ax.text(*at, slopes[name], ha="center", va="center", color=_BACK, size=10)
            under = middle, _TOP - 0.72
            ax.text(*under, _write(gradients[name]), ha="center", va="center", color=_BACK, weight="bold")
        for knob, name, value, slope in (("w1", "w1 x", w1, "x"), ("w2", "w2 h", w2, "h")):
            middle = [*boxes].index(name) * _STRIDE
            _arrow(ax, (middle, _TOP - 0.92), (middle, _KNOBS + 0.3), _BACK)
            ax.text(middle + 0.1, 0.5, rf"$\times {slope}$", va="center", color=_BACK, size=10)
            ax.text(middle, _KNOBS, f"knob $w_{knob[1]}={_write(value)}$", ha="center", color=_INK)
            words = f"its gradient {_write(gradients[knob])}"
            ax.text(middle, _KNOBS - 0.36, words, ha="center", color=_BACK, weight="bold")
        ax.text(5.75, _KNOBS, "black: forward", color=_INK)
        ax.text(5.75, _KNOBS - 0.36, "orange: back, gradient × slope", color=_BACK)
        ax.set(xlim=(-2.3, 9.0), ylim=(-0.6, 2.5))
        ax.set_axis_off()
        headline(figure, title)
    return ax


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
    look = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops={**look, "mutation_scale": 14})


def _write(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")
