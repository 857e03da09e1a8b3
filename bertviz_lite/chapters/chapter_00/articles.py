"""Two sentences that differ in one letter: the likeliest words of each, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import Patch

from bertviz_lite.basics.text import percent
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import drawable, take_literally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

__all__ = ["two_gaps"]

_VOWELS = "aeiou"


def two_gaps(found: Mapping[str, Mapping[str, float]], *, k: int = 5) -> list[Axes]:
    """Draw the likeliest words at each gap as bars, one panel a gap; words that begin with a vowel stand out.

    Parameters
    ----------
    found
        What is said of a gap, as its panel's title -> word -> probability, the likeliest word first.
    k
        How many words a panel has.
    """
    most = max(max(words.values()) for words in found.values())
    with style():
        figure, panels = plt.subplots(1, len(found), figsize=(9.0, 0.42 * k + 1.5), squeeze=False)
        for ax, (title, words) in zip(panels[0], found.items(), strict=True):
            best = list(words.items())[:k]
            colours = [CYCLE[1] if word[0] in _VOWELS else CYCLE[0] for word, _ in best]
            ax.barh(range(len(best)), [chance for _, chance in best], color=colours, height=0.62)
            for row, (word, chance) in enumerate(best):
                ax.text(-0.03, row, drawable(word), ha="right", va="center", fontsize=14, parse_math=False)
                ax.text(chance + 0.02, row, percent(chance), va="center", fontsize=11, color=INK)
            ax.set(xlim=(-0.45, most + 0.2), ylim=(len(best) - 0.4, -0.6))
            ax.axis("off")
            ax.set_title(title, loc="left", parse_math=False)
        names = {CYCLE[0]: "begins with a consonant", CYCLE[1]: "begins with a vowel"}
        handles = [Patch(color=colour, label=name) for colour, name in names.items()]
        take_literally(figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False))
    return list(panels[0])
