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

__all__ = ["draw_spike", "ends"]

_GREY = "#5d646d"


def ends(tokens: Sequence[str]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where a vocabulary's single letters at its beginning lie, and its learned pieces at its end.

    Special tokens and marks at the beginning count with the letters. The end begins with the first ## behind
    them; an end that is more than half of the vocabulary is none: it is empty.

    >>> ends(["[CLS]", "a", "##a", "key", "keys", "lock", "locks", "##ed", "lo"])
    ((0, 3), (7, 9))
    """
    first = 0
    while first < len(tokens) and (len(tokens[first].removeprefix("##")) == 1 or tokens[first][0] == "["):
        first += 1
    last = next((row for row in range(first, len(tokens)) if tokens[row].startswith("##")), len(tokens))
    if last < len(tokens) / 2:
        last = len(tokens)
    if first > len(tokens) / 2:
        first = 0
    return (0, first), (last, len(tokens))


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
        middle = float(np.median(values))
        ax.axhline(middle, color=_GREY, linewidth=1.6, linestyle="--", zorder=1.5)
        half = f"dashed: half of all rows reach {middle:.2f}".replace("-", "−")
        ax.text(
            *(len(values) / 2, -0.17, half),
            ha="center",
            va="center",
            fontsize=12,
            color=_GREY,
            path_effects=HALO,
        )
        ax.set(xlim=(0, len(values)), ylim=(min(-0.25, values.min() - 0.05), max(values) + 0.12))
        for (start, stop), what, side in zip(
            ends(tokens), ("letters", "pieces"), ("left", "right"), strict=True
        ):
            if stop - start > 0.01 * len(values):
                ax.axvspan(start, stop, color="0.9", zorder=0)
                x = start if side == "left" else stop
                ax.text(x, -0.17, what, ha=side, va="center", fontsize=11, color=_GREY, path_effects=HALO)
        describe_axes(ax, "row of the word table (token id)", "cosine with the sum")
        entitle(ax, finding)
    return ax, finding
