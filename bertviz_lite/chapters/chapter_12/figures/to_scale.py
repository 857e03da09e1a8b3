"""Models as squares: the area says how many parameters, a band how many of them are in one part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.course_style import INK

__all__ = ["to_scale"]

_GAP, _LEAST, _LINE, _NAMES = 2_000, 5_000, 1_000, 6_000
"""Between two squares, the room that a small one has for its name, a line of text, and the room for the names
of the bands: as the sides, √parameters."""
_LEAD = 1_000
"""How long the line from a band to its name is, in the same unit."""


def to_scale(models: Mapping[str, Mapping[str, int]]) -> Axes:
    """Draw each model, given as parameters by part, as a square; the parts are bands of it.

    The title says what share the parts named FFN hold, of all models but the first. Each band that has room
    for it says its share; lines lead from those of the last model, the largest, to their names.
    """
    with style():
        _, ax = plt.subplots(figsize=(9, 4.6))
    left = side = 0.0
    for name, counts in models.items():
        side, bottom = sum(counts.values()) ** 0.5, 0.0
        for (part, count), colour in zip(counts.items(), CYCLE, strict=False):
            height = count / side
            ax.bar(left, height, side, bottom, align="edge", color=colour, label=part)
            if height > _LINE:
                look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 12}
                ink = "white" if sum(to_rgb(colour)) < 1.8 else INK
                ax.text(left + side / 2, bottom + height / 2, f"{count / side**2:.0%}", color=ink, **look)
            bottom += height
        ax.text(left, side + 400, f"{name}, {side**2 / 1e6:.0f} M", fontsize=13)
        left += max(side, _LEAST) + _GAP
    _name_the_bands(ax, left - _GAP, counts, side)
    ax.set(aspect="equal", ylim=(0, 1.12 * side), xlim=(0, left + _NAMES))
    ax.axis("off")
    _, *others = models
    shares = (f"{models[name]['FFN'] / sum(models[name].values()):.0%} of {name}" for name in others)
    with style():
        ax.set_title(f"The FFNs hold {' and '.join(shares)}")
    return ax


def _name_the_bands(ax: Axes, left: float, counts: Mapping[str, int], side: float) -> None:
    """Write each band's name at its height, or as near above it as the name below it allows.

    Many a band is as thin as a hair: a line of its colour leads to the name.
    """
    bottom, free = 0.0, 0.0
    for (part, count), colour in zip(counts.items(), CYCLE, strict=False):
        height = count / side
        middle = bottom + height / 2
        at = max(middle, free)
        line = left, left + 0.2 * _LEAD, left + 0.8 * _LEAD, left + _LEAD
        ax.plot(line, (middle, middle, at, at), color=colour, linewidth=1.5, solid_joinstyle="round")
        ax.text(left + 1.2 * _LEAD, at, part, va="center", fontsize=12)
        bottom, free = bottom + height, at + _LINE
