"""The loop of training, drawn: a batch goes forward, gradients come back, every knob turns a little."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import headline, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["STATIONS", "one_step"]

_INK, _SOFT = "#1a1a1a", "#59636e"
_WIDE, _HIGH = 2.45, 1.0
"""A box, in inches."""


class _Station(NamedTuple):
    """What happens, in two lines; where its box is; its colour: 0 forward, 1 back."""

    name: str
    what: str
    code: str
    middle: tuple[float, float]
    colour: int


STATIONS = (
    _Station("a batch", "some tokens hidden", "live.batch(step)", (1.4, 2.75), 0),
    _Station("forward", "through BERT, to both heads", "model(…)", (4.7, 2.75), 0),
    _Station("two losses", "−ln p of words, of pairs", "two_losses(…)", (8.0, 2.75), 0),
    _Station("backward", "a gradient for each knob", ".backward()", (8.0, 0.75), 1),
    _Station("clip", "all together at most 1 long", "clip(…)", (4.7, 0.75), 1),
    _Station("AdamW", "a stride against each gradient", "adamw(…)", (1.4, 0.75), 1),
)
"""The stations of a step, in the order in which they are passed."""


def one_step(*, title: str = "") -> Axes:
    """Draw a step of training as a loop: above the way forward, below the way back.

    Parameters
    ----------
    title
        The finding, in a sentence.
    """
    with style():
        figure, ax = plt.subplots(figsize=(9.6, 4.0))
        for station in STATIONS:
            _draw(ax, station)
        for here, there in zip(STATIONS, STATIONS[1:] + STATIONS[:1], strict=True):
            _arrow(ax, here, there)
        _write(ax, 1.56, 1.75, "the next batch", color=_SOFT)
        _write(ax, 4.7, 1.75, "the weights have changed: again!", ha="center", color=_SOFT)
        _write(ax, 1.4, 0.06, "how far? learning_rate(step)", ha="center", color=_SOFT)
        ax.set(xlim=(0, 9.4), ylim=(-0.1, 3.4))
        ax.set_axis_off()
        headline(figure, title)
    return ax


def _draw(ax: Axes, station: _Station) -> None:
    (x, y), colour = station.middle, CYCLE[station.colour]
    box = FancyBboxPatch(
        (x - _WIDE / 2, y - _HIGH / 2), _WIDE, _HIGH, boxstyle="round,pad=0,rounding_size=0.1",
        facecolor="white", edgecolor=colour, linewidth=2,
    )  # fmt: skip
    ax.add_patch(box)
    _write(ax, x, y + 0.28, station.name, ha="center", weight="bold", color=colour, size=13)
    _write(ax, x, y + 0.01, station.what, ha="center")
    _write(ax, x, y - 0.27, station.code, ha="center", family="monospace", color=_SOFT, size=10)


def _arrow(ax: Axes, here: _Station, there: _Station) -> None:
    """Draw an arrow from box to box, along a row or from one row to the other."""
    (x, y), (to_x, to_y) = here.middle, there.middle
    across, up = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    start = x + across * (_WIDE / 2 + 0.06), y + up * (_HIGH / 2 + 0.06)
    end = to_x - across * (_WIDE / 2 + 0.06), to_y - up * (_HIGH / 2 + 0.06)
    look = {"arrowstyle": "-|>", "color": _INK, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops={**look, "mutation_scale": 18})


_write = partial(write, ha="left")
