"""Which of two partners is nearer to each sentence? A row a sentence, two dots joined, a panel a way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import describe_axes, headline, write, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw"]


def draw(
    cosines: Mapping[str, npt.ArrayLike],
    sentences: Sequence[str],
    partners: tuple[str, str],
    *,
    title: str = "",
) -> Axes:
    """Draw the cosines of two partners for each sentence; the lowest first partner of the first panel on top.

    Parameters
    ----------
    cosines
        For each panel, by its name, the cosines to both partners, (sentences, 2).
    sentences
        A name for each row.
    partners
        What the two dots are.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        The first panel.
    """
    panels = {name: np.asarray(found, float) for name, found in cosines.items()}
    order = np.argsort(-next(iter(panels.values()))[:, 0])
    places = range(len(order))
    with style():
        figure, axes = plt.subplots(
            1, len(panels), figsize=(9.6, 6.4), sharex=True, sharey=True, squeeze=False
        )
        for ax, (name, found) in zip(axes[0], panels.items(), strict=True):
            ax.hlines(places, *found[order].T, color="#b0b0b0", linewidth=3, zorder=1)
            for column, partner in enumerate(partners):
                colour, side = CYCLE[column], ("left", "right")[column]
                ax.plot(found[order, column], places, "o", color=colour, markersize=8)
                if ax is axes[0, 0]:
                    look = {"color": colour, "size": 12, "ha": side}
                    write(ax, found[order[-1], column], len(order) - 0.2, partner, **look)
            ax.set_title(name, loc="center", parse_math=False, fontsize=13)
            describe_axes(ax, "cosine")
            ax.grid(axis="x", color="#e4e4e4")
            ax.set_axisbelow(True)
        axes[0, 0].set(ylim=(-0.8, len(order) + 0.7))
        write_ticks(axes[0, 0].yaxis, places, [sentences[k] for k in order])
        headline(figure, title)
    first: Axes = axes[0, 0]
    return first
