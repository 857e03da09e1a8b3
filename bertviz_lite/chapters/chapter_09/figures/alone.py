"""What each suspect picks alone, a dot with its interval, and what is picked without the suspect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.chapters.chapter_09.figures.rows import finish_rows
from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import HALO, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["alone"]

_ALONE, _HIDDEN = CYCLE[0], "0.35"


def alone(
    picked: Mapping[str, npt.NDArray[np.bool_]],
    hidden: Mapping[str, npt.NDArray[np.bool_]],
    *,
    title: str = "",
) -> Axes:
    """Draw two dots a row: the share of As whose own B is picked by the suspect alone, and without it.

    The first is filled, with its 95 % interval (Wilson's), its count above it; the second is a ring, its
    count on the right.

    Parameters
    ----------
    picked
        For each suspect which As are given their own B while all other words are hidden.
    hidden
        Which As are given their own B while the suspect's words are hidden.
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(9.8, 0.62 * len(picked) + 2.0))
        for row, (name, each) in enumerate(picked.items()):
            count, n = int(np.sum(each)), len(each)
            ax.hlines(row, *interval(count, n), color=_ALONE, linewidth=5, alpha=0.4)
            ax.plot(
                count / n, row, "o", color=_ALONE, markersize=9,
                label=None if row else "alone (bar: 95 % interval)",
            )  # fmt: skip
            ax.annotate(
                f"{count} of {n}", (count / n, row), (0, 8), textcoords="offset points", ha="center",
                fontsize=12, color=_ALONE, path_effects=HALO,
            )  # fmt: skip
            share = float(np.mean(hidden[name]))
            ax.plot(
                share, row, "o", markerfacecolor="none", markeredgecolor=_HIDDEN, markersize=13,
                markeredgewidth=1.6, label=None if row else "hidden",
            )  # fmt: skip
            ax.text(
                1.05, row, f"{int(np.sum(hidden[name]))} of {len(hidden[name])}", fontsize=12, color=_HIDDEN,
                va="center", transform=ax.get_yaxis_transform(),
            )  # fmt: skip
        ax.text(
            1.05, -0.62, "hidden:", fontsize=12, color=_HIDDEN, va="center",
            transform=ax.get_yaxis_transform(),
        )  # fmt: skip
        ax.axvline(0.5, color="0.35", linewidth=1.5, linestyle="--", label="guessing", zorder=1)
        write_ticks(ax.yaxis, range(len(picked)), [*picked])
        ax.set(xlim=(-0.03, 1.05), ylim=(len(picked) - 0.5, -0.75))
        ax.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        finish_rows(ax, "share of As whose own B gets more than the stranger", title=title)
    return ax
