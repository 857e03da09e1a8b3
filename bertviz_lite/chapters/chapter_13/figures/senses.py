"""After which layer is a sense told right? Drawn beside a rule that never looks at the word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.plots import CYCLE, lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw"]

_TIE = 0.5


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
        Four lines, and the 95 % interval of the crossed sentences as a band: none where every one is a tie,
        for a tie by construction is no sample.
    """
    baseline, *heights = hits
    places = range(len(heights))
    drawn = {
        f"{name}{rival}": [hits[baseline if rival else height][which].mean() for height in heights]
        for name, which in {"matched": ~crossed, "crossed": crossed}.items()
        for rival in ("", f", {baseline}")
    }
    names = [f"{name} (band: 95 % interval)" if name == "crossed" else name for name in drawn]
    ax = lines(places, [*drawn.values()], names, title=title)
    n = int(crossed.sum())
    low, high = np.transpose([interval(hits[height][crossed].sum(), n) for height in heights])
    sampled = [not (hits[height][crossed] == _TIE).all() for height in heights]
    color = CYCLE[[*drawn].index("crossed")]
    ax.fill_between(places, low, high, where=sampled, color=color, alpha=0.15)
    ax.set_xticks(places, ["input", *map(str, places[:-1])])
    ax.set(xlabel="after layer (counted from 0)", ylabel="share right", ylim=(0.2, 1.02))
    return ax
