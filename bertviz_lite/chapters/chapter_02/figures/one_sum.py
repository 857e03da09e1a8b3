"""The cosines of one sum with every row of the word table: its own row a spike, and the best rival."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import HALO, describe_axes, drawable, entitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw_spike"]


def draw_spike(cosines: npt.ArrayLike, own: int, tokens: Sequence[str], *, name: str) -> tuple[Axes, str]:
    """Draw the cosine of a sum with each row, in the order of the ids, and name its own row and the rival.

    Parameters
    ----------
    cosines
        Of the sum with every row of the table, shape (vocab_size,).
    own
        The id of the word that is in the sum.
    tokens
        The token of every row.
    name
        What the sum is, such as "“key” at place 8".

    Returns
    -------
    tuple of Axes and str
        The axes, and the finding that is their title.
    """
    values = np.asarray(cosines, dtype=np.float64)
    others = np.where(np.arange(len(values)) == own, -np.inf, values)
    rival = int(others.argmax())
    written = {i: f"{values[i]:.2f}".replace("-", "−") for i in (own, rival)}
    finding = f"{name}: cosine {written[own]} with its own row, at most {written[rival]} with any other"
    with style():
        _, ax = plt.subplots(figsize=(9.0, 3.6))
        ax.vlines(np.arange(len(values)), 0, others.clip(min=values.min()), color=CYCLE[0], linewidth=0.4)
        for row, colour, what in ((rival, CYCLE[0], "best rival"), (own, CYCLE[1], "its own row")):
            ax.vlines(row, 0, values[row], color=colour, linewidth=3, zorder=2)
            ax.plot(row, values[row], "o", color=colour, markersize=8, zorder=3)  # they may be neighbours
            across = row / len(values)  # its name stands away from the other line, if there is room
            left = across > 0.7 or (across > 0.3 and row == min(own, rival))
            ax.annotate(
                drawable(f"{tokens[row]}, {what}: {written[row]}"),
                (row, values[row]),
                (-10 if left else 10, 0),
                textcoords="offset points",
                ha="right" if left else "left",
                va="center",
                color=colour,
                fontsize=12,
                fontweight="bold",
                path_effects=HALO,
                parse_math=False,
            )
        ax.axhline(0, color="0.4", linewidth=0.8)
        ax.set(xlim=(0, len(values)), ylim=(min(-0.25, values.min() - 0.05), max(values) + 0.12))
        describe_axes(ax, "row of the word table (token id)", "cosine with the sum")
        entitle(ax, finding)
    return ax, finding
