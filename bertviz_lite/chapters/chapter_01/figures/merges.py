"""How word pieces grow: the most frequent neighbours fuse, step by step, drawn as boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.chapters.chapter_01.figures.word_boxes import GAP, HIGH, draw_word, room_of
from bertviz_lite.data.wordpiece import learn
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import entitle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

__all__ = ["draw_merges"]


def draw_merges(counts: Mapping[str, int], steps: int, *, title: str) -> Axes:
    """Draw some words in letters, and below that after each step, with what the step has made filled.

    Parameters
    ----------
    counts
        Each word, and how often it occurs.
    steps
        How many pairs are joined.
    title
        The finding, in a sentence.
    """
    stages = [learn(counts, merges=step) for step in range(steps + 1)]
    rooms = {word: room_of(word, pieces) for word, pieces in stages[0].words.items()}
    names = ["letters", *(f"{merge.count} times\n{merge.left} {merge.right}" for merge in stages[-1].merges)]
    with style():
        figure, ax = plt.subplots(figsize=(9.0, 0.72 * len(stages) + 1.0))
        wide = sum(rooms.values()) + GAP * (len(rooms) - 1)
        ax.set(xlim=(-0.1, wide + 0.1), ylim=(len(stages) - 0.5, -0.95))
        ax.set_yticks(range(len(stages)), names)
        for label in ax.get_yticklabels():
            label.set_parse_math(False)
        ax.tick_params(left=False, bottom=False, labelbottom=False)
        ax.spines[:].set_visible(False)
        for row, stage in enumerate(stages):
            x = 0.0
            new = stage.merges[-1].piece if stage.merges else ""
            for word, room in rooms.items():
                draw_word(ax, word, stage.words[word], x, row, room, new=new)
                if row == 0:
                    above = -HIGH / 2 - 0.3
                    ax.text(x + room / 2, above, f"{word}, {counts[word]} times", ha="center", color=INK)
                x += room + GAP
        entitle(ax, title)
        figure.canvas.draw_idle()
    return ax
