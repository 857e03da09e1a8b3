"""The vectors of one word at its places in a text, line below line: which of them are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.heat_maps import draw_cells
from bertviz_lite.plots.lettering import bare, headline, write_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.embeddings import InputParts

__all__ = ["draw_places"]

_NAMES = {
    "token": "token",
    "position": "+ position",
    "segment": "+ segment",
    "sum": "= sum",
    "result": "LayerNorm → result",
}


def draw_places(parts: InputParts, word: str, *, title: str) -> list[Axes]:
    """Draw a strip for each part, the sum and the result, with a line for each place of a word.

    Parameters
    ----------
    parts
        What :func:`bertviz_lite.evaluation.embeddings.input_parts` returns.
    word
        A token that occurs several times.
    title
        The finding, or the question, in a sentence.

    Returns
    -------
    list of Axes
        Five, top to bottom. The first four share a scale; LayerNorm's result has its own.
    """
    places = [place for place, token in enumerate(parts.tokens) if token == word]
    strips = {name: rows[places] for name, rows in parts.vectors().items()}
    with style():
        height = 0.3 * len(places) + 0.42
        figure, grid = plt.subplots(len(strips), 1, figsize=(9.0, len(strips) * height + 0.6))
        axes: list[Axes] = list(grid)
        shared = max(float(np.abs(rows).max()) for name, rows in strips.items() if name != "result")
        for ax, (name, rows) in zip(axes, strips.items(), strict=True):
            limit = None if name == "result" else shared  # None: its own largest number
            draw_cells(ax, rows, limit, aspect="auto", signed=True)
            write_ticks(ax.yaxis, range(len(places)), [f"{word}, place {place}" for place in places])
            bare(ax)
            ax.set_xticks([])
            for upper in range(1, len(places)):
                ax.axhline(upper - 0.5, color="white", linewidth=3)
            ax.set_title(_NAMES[name], fontsize=12, pad=5)
        headline(figure, title)
    return axes
