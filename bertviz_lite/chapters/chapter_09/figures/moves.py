"""How far a spoilt B moves, from what A's own B gets towards what a stranger gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.chapters.chapter_09.figures.rows import finish_rows
from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import HALO, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["moves", "way"]

_STRANGER, _OWN = CYCLE[:2]

Three = tuple["npt.NDArray[np.float64]", "npt.NDArray[np.float64]", "npt.NDArray[np.float64]"]


def way(told: npt.ArrayLike, now: npt.ArrayLike, strange: npt.ArrayLike) -> float:
    """Return what share of the way to a stranger some Bs have gone: 0 as told, 1 like strangers.

    Parameters
    ----------
    told, now, strange
        Log-odds of the Bs as told, of the same ones now, and of strangers after the same As.
    """
    start, here, end = (float(np.asarray(each, float).mean()) for each in (told, now, strange))
    return (start - here) / (start - end)


def moves(log_odds: Mapping[str, Three], *, title: str = "") -> Axes:
    """Draw an arrow a row: from the mean log-odds as told to those of the spoilt Bs, a stranger's beside it.

    Above each arrow stands how much of the way to the stranger it goes; in brackets, of how many Bs.

    Parameters
    ----------
    log_odds
        For each way to spoil a B: the log-odds as told, those now, and those of strangers after the same As.
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(9.8, 0.66 * len(log_odds) + 2.0))
        for row, three in enumerate(log_odds.values()):
            told, now, strange = (float(np.mean(each)) for each in three)
            first = row == 0
            ax.plot(strange, row, "s", color=_STRANGER, markersize=10, label="a stranger" if first else None)
            ax.plot(told, row, "o", color=_OWN, markersize=10, label="as told" if first else None)
            ax.annotate(
                "", (now, row), (told, row),
                arrowprops={"arrowstyle": "-|>", "color": "0.2", "linewidth": 2, "mutation_scale": 18},
            )  # fmt: skip
            ax.annotate(
                f"{way(*three):.0%} of the way", ((told + now) / 2, row), (0, 9),
                textcoords="offset points", ha="center", fontsize=12, path_effects=HALO,
            )  # fmt: skip
        ax.axvline(0, color="0.35", linewidth=1.5, linestyle="--", label="the line between no and yes")
        names = [f"{name} ({len(now)})" for name, (_, now, _) in log_odds.items()]
        write_ticks(ax.yaxis, range(len(log_odds)), names)
        ax.set_ylim(len(log_odds) - 0.6, -0.75)
        ax.margins(x=0.12)
        label = "log-odds, means (in brackets: of how many); arrow: from B as told to B spoilt"
        finish_rows(ax, label, title=title)
    return ax
