"""Models as squares: the area says how many parameters, a band how many of them are in one part."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from bertviz_lite.plots import CYCLE, style

__all__ = ["to_scale"]

_GAP, _LEAST = 2_000, 5_000
"""Between two squares, and the room that a small one has for its name: as the sides, √parameters."""


def to_scale(models: Mapping[str, Mapping[str, int]]) -> Axes:
    """Draw each model, given as parameters by part, as a square; the parts are bands of it.

    The title says what share the parts named FFN hold, of all models but the first.
    """
    with style():
        _, ax = plt.subplots(figsize=(9, 4.6))
    left = side = 0.0
    for name, counts in models.items():
        side, bottom = sum(counts.values()) ** 0.5, 0.0
        for (part, count), colour in zip(counts.items(), CYCLE, strict=False):
            ax.bar(left, count / side, side, bottom, align="edge", color=colour, label=part)
            bottom += count / side
        ax.text(left, side + 400, f"{name}, {side**2 / 1e6:.0f} M", fontsize=13)
        left += max(side, _LEAST) + _GAP
    ax.set(aspect="equal", ylim=(0, 1.12 * side))
    ax.axis("off")
    _, *others = models
    shares = (f"{models[name]['FFN'] / sum(models[name].values()):.0%} of {name}" for name in others)
    with style():
        ax.set_title(f"The FFNs hold {' and '.join(shares)}")
        handles, labels = ax.get_legend_handles_labels()
        parts = len(next(iter(models.values())))
        ax.legend(
            handles[: -parts - 1 : -1], labels[: -parts - 1 : -1], loc="center left", bbox_to_anchor=(1, 0.5)
        )
    return ax
