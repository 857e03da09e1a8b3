"""One sentence in the middle, others around it: the larger their cosine, the nearer to the middle."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import HALO, bare, entitle, write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw"]

_CIRCLES = (30, 60, 90)
_DIRECTIONS = (118, 48, 172, 0)
"""Where each sentence is put around the middle, in degrees: no more than room for the names."""
_LETTERS = 24
"""How many letters of a sentence stand in a line."""


def draw(cosines: Mapping[str, float], sentences: Sequence[str], *, middle: str, title: str = "") -> Axes:
    """Draw up to four sentences at their angles to the one in the middle; their direction says nothing.

    Parameters
    ----------
    cosines
        A cosine to the one in the middle, by name.
    sentences
        The sentence of each name.
    middle
        What stands in the middle.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        A degree of angle between two vectors is 1 from the middle; circles stand at 30, 60 and 90 degrees.
    """
    with style():
        _, ax = plt.subplots(figsize=(8.0, 5.2))
        for circle in _CIRCLES:
            ax.add_patch(Circle((0, 0), circle, fill=False, color="#b0b0b0", linewidth=1.2))
            write(ax, 0, -circle, f"{circle}°", size=11, path_effects=HALO)
        ax.plot([0], [0], "*", color=INK, markersize=18)
        write(ax, 0, -11, middle, size=12, path_effects=HALO)
        rows = zip(cosines.items(), sentences, _DIRECTIONS[: len(sentences)], strict=True)
        for k, ((name, cosine), sentence, direction) in enumerate(rows):
            angle = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
            x, y = angle * np.cos(np.radians(direction)), angle * np.sin(np.radians(direction))
            ax.plot([0, x], [0, y], color=CYCLE[k], linewidth=1.5, alpha=0.5)
            ax.plot([x], [y], "o", color=CYCLE[k], markersize=11)
            side = "left" if x > 0 else "right"
            nudge = 5 if x > 0 else -5
            look = {"size": 12, "ha": side, "va": "bottom", "path_effects": HALO}
            words = textwrap.fill(sentence, _LETTERS)
            write(ax, x + nudge, y + 1, f"{name}: {angle:.0f}°\n{words}", **look)
        ax.set(xlim=(-175, 175), ylim=(-97, 97), aspect="equal", xticks=[], yticks=[])
        bare(ax)
        entitle(ax, title)
    return ax
