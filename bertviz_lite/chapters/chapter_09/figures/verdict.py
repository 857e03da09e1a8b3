"""The verdict: what each suspect picks alone, what is picked without it, and the fall where it is spoilt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import HALO, describe_axes, headline, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["verdict"]

_COLOUR = CYCLE[0]


def verdict(
    fell: Mapping[str, npt.ArrayLike],
    now: Mapping[str, npt.ArrayLike],
    alone: Mapping[str, npt.NDArray[np.bool_]],
    hidden: Mapping[str, npt.NDArray[np.bool_]],
    *,
    title: str = "",
) -> list[Axes]:
    """Draw two panels, a row for each trial: A's own B picked by the suspect alone; its fall where spoilt.

    On the left a dot with its 95 % interval (Wilson's), or grey words where a suspect can't be seen alone.
    Between the panels stands how often A's own B is picked while the suspect is hidden. On the right a mean
    with its 95 % interval and, in numbers, how many Bs are refused.

    Parameters
    ----------
    fell
        For each trial by how much the log-odds of each B fell.
    now
        The log-odds of the same Bs, spoilt.
    alone
        For some of the trials which As the suspect alone gives their own B.
    hidden
        For the same trials which As are given their own B while the suspect is hidden.
    title
        The finding, in a sentence.
    """
    with style():
        size, widths = (10.6, 0.58 * len(fell) + 2.0), (1, 0.32, 1.75)
        figure, (left, middle, right) = plt.subplots(1, 3, figsize=size, sharey=True, width_ratios=widths)
        middle.set_axis_off()
        for row, (name, each) in enumerate(fell.items()):
            if name in alone:
                count, n = int(np.sum(alone[name])), len(alone[name])
                _dot(left, row, count / n, interval(count, n), f"{count} of {n}")
                still = f"{int(np.sum(hidden[name]))} of {len(hidden[name])}"
                middle.text(0, row, still, fontsize=12, va="center")
            else:
                left.text(0.53, row, "– (needs the words)", fontsize=11, color="0.35", va="center")
            values, log_odds = np.asarray(each, np.float64), np.asarray(now[name], np.float64)
            mean = float(values.mean())
            half = 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5
            _dot(right, row, mean, (mean - half, mean + half), f"{mean:.1f}")
            words = f"{int(np.sum(log_odds <= 0))} of {len(log_odds)}"
            right.text(1.04, row, words, transform=right.get_yaxis_transform(), va="center", fontsize=12)
        right.text(
            1.04, -0.6, "refused", transform=right.get_yaxis_transform(), va="bottom", fontsize=11,
            color="0.35",
        )  # fmt: skip
        left.axvline(0.5, color="0.35", linewidth=1.5, linestyle="--")
        left.text(0.51, len(fell) - 0.5, "guessing", fontsize=11, color="0.35", va="bottom")
        left.set(xlim=(0.42, 1.04), xticks=[0.5, 0.75, 1.0])
        right.set_xlim(0, None)
        middle.set_title("hidden,\nstill picked", fontsize=12, fontweight="normal", loc="left")
        for ax, panel, label in (
            (left, "alone, picks A's own B", "share whose own B gets more"),
            (right, "spoilt in A's own B", "mean fall of the log-odds, for each B"),
        ):
            ax.grid(axis="x", color="0.9")
            ax.set_axisbelow(True)
            ax.tick_params(axis="y", length=0)
            ax.set_title(panel, fontsize=12, fontweight="normal", loc="left", parse_math=False)
            describe_axes(ax, label)
        write_ticks(left.yaxis, range(len(fell)), [*fell])
        left.set_ylim(len(fell) - 0.45, -0.65)
        headline(figure, title)
    return [left, right]


def _dot(ax: Axes, row: int, value: float, ends: tuple[float, float], written: str) -> None:
    ax.hlines(row, *ends, color=_COLOUR, linewidth=5, alpha=0.4)
    ax.plot(value, row, "o", color=_COLOUR, markersize=9)
    ax.annotate(
        written, (value, row), (0, 8), textcoords="offset points", ha="center", fontsize=11, path_effects=HALO
    )
