"""Two models side by side, by groups of words, and a mark across their bars for chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.plots import bars
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import entitle, legend

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw"]


def draw(
    shares: Mapping[str, Sequence[float]], groups: Sequence[str], *, title: str = "", label: str = ""
) -> Axes:
    """Draw bars for each group of words, a bar a model, and a mark across them for chance.

    Parameters
    ----------
    shares
        Names, and a share for each group; the last is chance.
    groups
        The groups' names.
    title
        The finding, in a sentence.
    label
        What the shares are.
    """
    *models, chance = shares
    ax = bars([shares[model] for model in models], groups, models, label=label)
    with style():
        for old in [*ax.get_figure(root=True).legends]:  # type: ignore[union-attr]
            old.remove()
        places = range(len(groups))
        ax.plot(shares[chance], places, "|", color=INK, markersize=24, markeredgewidth=2.5, label=chance)
        legend(ax, markerscale=0.6)
        entitle(ax, title)
    return ax
