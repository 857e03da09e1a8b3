"""One token's vector on its way through a layer, as arrows: each half in a plane of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import CYCLE
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import HALO, headline

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["Half", "way"]

_PALE = "#f2b48a"
"""LayerNorm's answer, which lies under the sum."""


@dataclass(frozen=True)
class Half:
    """What goes into one half of a layer, what is added to it, and what LayerNorm makes of the sum.

    Each is a vector of shape (hidden_size,), with its name.
    """

    before: tuple[str, npt.ArrayLike]
    added: tuple[str, npt.ArrayLike]
    after: tuple[str, npt.ArrayLike]

    def flat(self) -> tuple[Floats, Floats, Floats]:
        """Return the three in the plane of the first two, shape (2,) each; the first points to the right.

        The first two and their sum keep their lengths and angles; of the third, this is its shadow.
        """
        before, added, after = (np.asarray(each[1], float) for each in (self.before, self.added, self.after))
        right = before / np.linalg.norm(before)
        up = added - (added @ right) * right
        plane = np.stack([right, up / np.linalg.norm(up)])
        return plane @ before, plane @ added, plane @ after


def way(halves: Sequence[Half], *, title: str = "") -> list[Axes]:
    """Draw the halves of a layer side by side, in one scale: two arrows, their sum, and LayerNorm's answer.

    Parameters
    ----------
    halves
        Attention's and the FFN's.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a half, of one figure.
    """
    drawn = [half.flat() for half in halves]
    corners = [np.array([before, before + added, after, 0 * after]) for before, added, after in drawn]
    widths = [float(np.ptp(points[:, 0])) + 4 for points in corners]
    top = max(float(points[:, 1].max()) for points in corners) + 2.2
    with style():
        size = 11.0, 0.7 + 10.4 * (top + 2) / sum(widths)
        figure, grid = plt.subplots(1, len(halves), figsize=size, width_ratios=widths)
        headline(figure, title)
        axes: list[Axes] = list(np.atleast_1d(grid))
        for ax, half, (before, added, after), points in zip(axes, halves, drawn, corners, strict=True):
            _arrow(ax, (0, 0), after, _PALE, 7)
            _arrow(ax, (0, 0), before, CYCLE[0], 3)
            _arrow(ax, before, before + added, CYCLE[2], 3)
            _arrow(ax, (0, 0), before + added, INK, 1.6)
            far = np.linalg.norm(after) > np.linalg.norm(before + added)
            _name(ax, before * (0.5 if far else 0.75), half.before, (0, -0.5), "top", "center", CYCLE[0])
            _name(ax, before + added / 2, half.added, (0.4, 0), "center", "left", CYCLE[2])
            total = "sum", before + added
            _name(ax, (before + added) * (0.5 if far else 0.72), total, (-0.5, 0.4), "bottom", "right", INK)
            true = float(np.linalg.norm(np.asarray(half.after[1], float)))
            turned = np.degrees(np.arccos(np.linalg.norm(after) / true))
            note = f"(shadow; sticks out by {turned:.0f}°)"
            if far:
                _name(ax, after, half.after, (0, 1.1), "bottom", "center", CYCLE[1])
                ax.text(after[0], after[1] + 0.5, note, va="bottom", ha="center", color=CYCLE[1], fontsize=11)
            else:
                _name(ax, after, half.after, (0.4, 0.35), "center", "left", CYCLE[1])
                ax.text(
                    after[0] + 0.4, after[1] - 0.35, note, va="center", ha="left", color=CYCLE[1], fontsize=11
                )
            ax.set(xlim=(points[:, 0].min() - 1, points[:, 0].max() + 3), ylim=(-2, top), aspect="equal")
            ax.axis("off")
    return axes


def _arrow(ax: Axes, tail: npt.ArrayLike, tip: npt.ArrayLike, colour: str, width: float) -> None:
    look = {"arrowstyle": f"-|>,head_width={0.12 * width**0.6:.2f},head_length={0.24 * width**0.6:.2f}"}
    ends = tuple(np.asarray(tip, float)), tuple(np.asarray(tail, float))
    ax.annotate(
        "", *ends,
        arrowprops={**look, "color": colour, "lw": width, "shrinkA": 0, "shrinkB": 0,
                    "mutation_scale": 14},
    )  # fmt: skip


def _name(
    ax: Axes,
    at: Floats,
    what: tuple[str, npt.ArrayLike],
    off: tuple[float, float],
    va: str,
    ha: str,
    colour: str,
) -> None:
    length = np.linalg.norm(np.asarray(what[1], float))
    where = at[0] + off[0], at[1] + off[1]
    ax.text(*where, f"{what[0]}: {length:.1f}", color=colour, va=va, ha=ha, fontsize=12, path_effects=HALO)
