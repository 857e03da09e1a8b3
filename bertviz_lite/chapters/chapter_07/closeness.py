"""Figures of chapter 07: cosines of two kinds of vectors, and what the loss makes of one query's cosines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.chapters.chapter_07.same_event import CHANGES
from bertviz_lite.plots import CYCLE, bars
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import HALO, headline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["one_query", "side_by_side"]


def side_by_side(
    panels: Mapping[str, npt.ArrayLike], labels: Sequence[str], *, title: str = "", label: str = ""
) -> list[Axes]:
    """Draw bars in a panel for each kind of vectors: cosines of one kind can't be compared with another's.

    Parameters
    ----------
    panels
        For each panel's name a number for each label.
    labels
        The names of the bars.
    title
        The finding, in a sentence.
    label
        What the numbers are.

    Returns
    -------
    list of Axes
        One for each panel, of one figure.
    """
    with style():
        figure, axes = plt.subplots(1, len(panels), figsize=(9.6, 2.6), sharey=True, squeeze=False)
        headline(figure, title)
        row: list[Axes] = list(axes[0])
        for ax, (name, numbers) in zip(row, panels.items(), strict=True):
            bars(numbers, labels, ax=ax)
            for text, cosine in zip(ax.texts, np.ravel(np.asarray(numbers, float)).tolist(), strict=True):
                text.set_text(f"{cosine:.3f}".replace("-", "−"))  # 0.995 isn't 1.00
            ax.set_title(name, fontsize=12, fontweight="normal")
        figure.supxlabel(label, fontsize=12)
        row[0].invert_yaxis()  # each panel has turned the axis that they share
    return row


def one_query(cosines: npt.ArrayLike, temperature: float, *, title: str = "") -> list[Axes]:
    """Draw one query's cosines with all candidates of a step, and beside them the softmax of these.

    Parameters
    ----------
    cosines
        Shape (candidates,): the query's own five first, as in ``same_event.CHANGES``.
    temperature
        What the cosines are divided by.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        That of the cosines, and that of the probabilities.
    """
    near = np.asarray(cosines, float)
    own, powers = len(CHANGES), np.exp((near - near.max()) / temperature)
    p = powers / powers.sum()
    rows = [*CHANGES, f"{len(near) - own} of other queries"]
    heights = np.minimum(np.arange(len(near)), own)
    heights = heights + np.where(heights == own, np.resize((-0.24, -0.08, 0.08, 0.24), len(near)), 0)
    colours = [CYCLE[2], *[CYCLE[1]] * (own - 1), CYCLE[6]]
    with style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.6), sharey=True)
        headline(figure, title)
        for k, (cosine, height) in enumerate(zip(near, heights, strict=True)):
            look: dict[str, Any] = {"color": colours[min(k, own)], "alpha": 1.0 if k < own else 0.55}
            left.plot(cosine, height, "o", markersize=10 if k < own else 6, **look)
        sums = [*p[:own], p[own:].sum()]
        drawn = right.barh(range(own + 1), sums, height=0.62, color=colours)
        written = [*(f"{share:.2f}" for share in p[:own]), f"{sums[-1]:.2f} (all {len(near) - own})"]
        right.bar_label(drawn, written, padding=4, path_effects=HALO)
        left.set_yticks(range(own + 1), [f"{rows[0]} (partner)", *rows[1:]])
        left.set(xlabel="cosine with the query", xlim=(min(-0.62, near.min() - 0.05), 1.05))
        left.set_ylim(own + 0.6, -0.6)
        right.set(
            xlabel=f"probability: softmax of cosine / {temperature:g}", xlim=(0, 1.12), xticks=(0, 0.5, 1)
        )
        for ax in (left, right):
            ax.tick_params(axis="y", length=0)
        left.grid(axis="y", color="#e5e8eb", linewidth=1)
        left.set_axisbelow(True)
    return [left, right]
