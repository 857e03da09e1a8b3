"""How the figures that have a name for each row end: a grid, no ticks at the names, a key below, a title."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bertviz_lite.plots.lettering import describe_axes, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["finish_rows"]


def finish_rows(ax: Axes, label: str, *, title: str, **key: Any) -> None:  # noqa: ANN401 - passed on
    """Give an axes of rows its upright grid, its label, its key below the figure, and its title.

    Parameters
    ----------
    ax
        Whose rows are drawn and named.
    label
        What lies along the rows.
    title
        The finding, in a sentence.
    key
        Passed on to the figure's legend.
    """
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="0.9")
    ax.set_axisbelow(True)
    describe_axes(ax, label)
    figure = ax.get_figure(root=True)
    if figure is not None:
        figure.legend(loc="outside lower center", ncols=3, fontsize=11, **key)
    entitle(ax, title)
