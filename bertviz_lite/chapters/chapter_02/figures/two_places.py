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
    from matplotlib.image import AxesImage

    from bertviz_lite.evaluation.embeddings import InputParts

__all__ = ["draw_places"]

_NAMES = {
    "token": "token",
    "position": "+ position",
    "segment": "+ segment",
    "sum": "= sum",
    "result": "LayerNorm → result",
}


def draw_places(parts: InputParts, word: str) -> tuple[list[Axes], str]:
    """Draw a strip for each part, the sum and the result, with a line for each place of a word.

    Parameters
    ----------
    parts
        What :func:`bertviz_lite.evaluation.embeddings.input_parts` returns.
    word
        A token that occurs several times.

    Returns
    -------
    tuple of list and str
        Five axes, top to bottom, of which the first four share a scale; LayerNorm's result has its own. And
        the finding that is written above them.
    """
    places = [place for place, token in enumerate(parts.tokens) if token == word]
    strips = {name: rows[places] for name, rows in parts.vectors().items()}
    alike = [name for name, rows in strips.items() if bool((rows == rows[0]).all())]
    stays = f"only the {' and '.join(alike)} vector stays" if alike else "no vector stays"
    finding = f"“{word}” at {len(places)} places: {stays} the same"
    with style():
        height = 0.3 * len(places) + 0.42
        figure, grid = plt.subplots(len(strips), 1, figsize=(9.0, len(strips) * height + 0.6))
        axes: list[Axes] = list(grid)
        images: list[AxesImage] = []
        shared = max(float(np.abs(rows).max()) for name, rows in strips.items() if name != "result")
        for ax, (name, rows) in zip(axes, strips.items(), strict=True):
            limit = None if name == "result" else shared  # None: its own largest number
            images.append(draw_cells(ax, rows, limit, aspect="auto", signed=True))
            write_ticks(ax.yaxis, range(len(places)), [f"{word}, place {place}" for place in places])
            bare(ax)
            ax.set_xticks([])
            for upper in range(1, len(places)):
                ax.axhline(upper - 0.5, color="white", linewidth=3)
            ax.set_title(_NAMES[name], fontsize=12, pad=5)
        for panels, image in ((axes[:-1], images[0]), (axes[-1:], images[-1])):
            bar = figure.colorbar(image, ax=panels, fraction=0.03, aspect=25 if len(panels) > 1 else 6)
            bar.outline.set_visible(False)
        headline(figure, finding)
    return axes, finding
