"""How often is a model right, and how often simple rules? A model in colour, its rules in grey."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.plots import bars
from bertviz_lite.plots.lettering import describe_axes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw"]

_GREYS = ("#7d7d7d", "#bdbdbd")


def draw(
    right: Mapping[str, npt.ArrayLike], questions: Sequence[str], *, asked: int, title: str = ""
) -> Axes:
    """Draw for each question a bar of the model and one of each rule, beside chance.

    Parameters
    ----------
    right
        By name how often each is right, a number for each question: a model first, then up to two rules.
    questions
        What is asked.
    asked
        How often each question is asked; chance is half of it.
    title
        The finding, in a sentence.
    """
    ax = bars(
        [np.asarray(times, dtype=float) for times in right.values()],
        questions,
        [*right],
        title=title,
        reference={"chance": asked / 2},
    )
    figure = ax.get_figure(root=True)
    assert figure is not None
    (legend,) = figure.legends
    named = dict(zip([text.get_text() for text in legend.get_texts()], legend.legend_handles, strict=True))
    for name, drawn, grey in zip(right, ax.containers, (None, *_GREYS), strict=False):
        for bar in [*drawn, named[name]]:
            colour = grey or bar.get_facecolor()
            bar.set(facecolor=colour, edgecolor=colour, linewidth=2)  # a bar of 0 shows
    describe_axes(ax, f"sentences, of {asked}")
    ax.set_xticks(range(0, asked + 1, 5))
    return ax
