"""After which layer is a sense told right? Drawn beside a rule that never looks at the word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.evaluation.intervals import bootstrap_interval
from bertviz_lite.plots import lines
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import legend

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw", "lost"]


def lost(
    hits: Mapping[str, npt.NDArray[np.floating]], which: npt.NDArray[np.bool_]
) -> npt.NDArray[np.floating]:
    """Say for each sentence how much the last layer is below the mean of the layers before it.

    Parameters
    ----------
    hits
        For the baseline first, then for the input and each layer: how right it is about each sentence.
    which
        The sentences that are asked for.
    """
    _, _, *layers = hits.values()
    earlier = np.mean([layer[which] for layer in layers[:-1]], axis=0)
    difference: npt.NDArray[np.floating] = earlier - layers[-1][which]
    return difference


def draw(hits: Mapping[str, npt.NDArray[np.floating]], crossed: npt.NDArray[np.bool_], *, title: str) -> Axes:
    """Draw the share right over the layers, of matched and of crossed sentences.

    Parameters
    ----------
    hits
        For the baseline first, then for the input and each layer: how right it is about each sentence.
    crossed
        Which sentences are crossed.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        Four lines. At the last layer a bar for the crossed sentences: the 95 % interval of `lost`, taken off
        the mean of the layers before it.
    """
    baseline, *heights = hits
    places = range(len(heights))
    drawn = {
        f"{name}{rival}": [hits[baseline if rival else height][which].mean() for height in heights]
        for name, which in {"matched": ~crossed, "crossed": crossed}.items()
        for rival in ("", f", {baseline}")
    }
    ax = lines(places, [*drawn.values()], [*drawn], title=title)
    for old in [*ax.get_figure(root=True).legends]:  # type: ignore[union-attr]
        old.remove()
    level = float(np.mean(drawn["crossed"][1:-1]))
    low, high = bootstrap_interval(lost(hits, crossed))
    last = places[-1]
    name, drop = f"crossed, mean of layers 0 to {last - 2}", "last layer, 95 % interval, paired"
    ax.plot([1, last], [level] * 2, color=INK, linewidth=1.5, linestyle=(0, (1, 1)), label=name)
    whisker = {"color": INK, "linewidth": 5, "alpha": 0.45, "solid_capstyle": "butt", "zorder": 1}
    ax.plot([last] * 2, [level - high, level - low], label=drop, **whisker)  # type: ignore[arg-type]
    ax.set_xticks(places, ["input", *map(str, places[:-1])])
    ax.set(xlabel="after layer (counted from 0)", ylabel="share right", ylim=(0.2, 1.02))
    with style():
        legend(ax)
    return ax
