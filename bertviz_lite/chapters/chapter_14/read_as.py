"""A text as it is written, as a model of another tokenizer reads it, and its answer, read back by its id."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.chapters.chapter_14.boxes import FIT, GONE, MADE_UP, draw_box
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import drawable, entitle, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from transformers import PreTrainedTokenizerBase

__all__ = ["misread", "misread_in_words", "read_as"]

_LEFT, _GAP, _TALL, _WAY = 19.0, 0.5, 0.6, 11.0
_ANSWER = 3.4
_PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
_NAMES = {0.0: "you write", 1.0: "the id", 2.0: "the model reads", _ANSWER: "the model says"}


def read_as(
    written: Sequence[str],
    ids: Sequence[int],
    read: Sequence[str],
    *,
    answer: tuple[int, str, int, str],
    title: str,
) -> Axes:
    """Draw each token with its id, and below it what the model has in that row of its table; then its answer.

    Parameters
    ----------
    written, read
        A token for each id: by the tokenizer that cut the text, and by the model's own.
    ids
        What the model is given.
    answer
        The gap's place in the lists above; the word that the model says there, its id, and the word that you
        read, by the tokenizer that cut the text.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        Two boxes for each id, and two for the answer's; where two tokens differ, the model's is orange.
    """
    place, said, number_said, heard = answer
    middles = []
    with style():
        _, ax = plt.subplots(figsize=(11.0, 3.6))
        left = _LEFT
        for above, number, below in zip(written, ids, read, strict=True):
            wide = _width(above, below, str(number))
            for row, token in ((0.0, above), (2.0, below)):
                colours = MADE_UP if row and below != above else FIT
                draw_box(ax, (left, row - _TALL / 2), (wide, _TALL), colours)
                write(ax, left + wide / 2, row, drawable(token), size=11)
            middle = left + wide / 2
            ax.plot([middle, middle], [_TALL / 2, 2 - _TALL / 2], color=GONE[0], linewidth=1.2)
            write(ax, middle, 1.0, str(number), size=10, color=GONE[0], bbox=_PAPER)
            middles.append(middle)
            left += wide + _GAP
        _draw_answer(ax, middles[place], said, number_said, heard)
        for row, name in _NAMES.items():
            write(ax, 0.0, row, name, ha="left", weight="bold", size=12, color=INK if row != 1 else GONE[0])
        ax.set(xlim=(-0.1, left), ylim=(_ANSWER + _TALL, -_TALL))
        ax.set_axis_off()
        entitle(ax, title)
    return ax


def misread(
    own: PreTrainedTokenizerBase, wrong: PreTrainedTokenizerBase, ids: Sequence[int], best: int, *, title: str
) -> Axes:
    """Draw a text with one gap that was cut by another tokenizer than the model's own.

    Parameters
    ----------
    own, wrong
        The model's tokenizer, and the one that cut the text.
    ids
        What the model is given, with [CLS] and [SEP].
    best
        The id of its answer.
    title
        The finding, in a sentence.
    """
    inner = list(ids)[1:-1]
    written, read, said, heard = _both_ways(own, wrong, inner, best)
    answer = inner.index(own.mask_token_id), said, best, heard
    return read_as(written, inner, read, answer=answer, title=title)


def misread_in_words(
    own: PreTrainedTokenizerBase, wrong: PreTrainedTokenizerBase, ids: Sequence[int], best: int
) -> str:
    """Say what you write, what the model reads, what it says, and what you read."""
    written, read, said, heard = _both_ways(own, wrong, list(ids)[1:-1], best)
    return (
        f"You write “{' '.join(written)}”, the model reads “{' '.join(read)}”. "
        f"It says “{said}”, you read “{heard}”."
    )


def _both_ways(
    own: PreTrainedTokenizerBase, wrong: PreTrainedTokenizerBase, ids: list[int], best: int
) -> tuple[list[str], list[str], str, str]:
    """Return a text as it is written and as the model reads it, its answer, and that as it is read back."""
    written, read = ([*each.convert_ids_to_tokens(ids)] for each in (wrong, own))
    said, heard = (str(each.decode(best)) for each in (own, wrong))
    return written, read, said, heard


def _width(*words: str) -> float:
    """Return how wide a box must be for the longest of the words."""
    return 1.1 * max(map(len, words)) + 1.0


def _draw_answer(ax: Axes, middle: float, said: str, number: int, heard: str) -> None:
    """Draw the answer below its gap: the model's word, its id, and the word of that id that you read."""
    wide, low = _width(said), _ANSWER - _TALL / 2
    look = {"arrowstyle": "-|>", "color": GONE[0], "linewidth": 1.2}
    ax.annotate("", (middle, low), (middle, 2 + _TALL / 2), arrowprops=look)
    draw_box(ax, (middle - wide / 2, low), (wide, _TALL), FIT if said == heard else MADE_UP)
    write(ax, middle, _ANSWER, drawable(said), size=11)
    start = middle + wide / 2
    end = start + _WAY
    ax.annotate("", (end, _ANSWER), (start, _ANSWER), arrowprops=look)
    write(ax, (start + end) / 2, _ANSWER, str(number), size=10, color=GONE[0], bbox=_PAPER)
    draw_box(ax, (end, low), (_width(heard), _TALL), FIT)
    write(ax, end + _width(heard) / 2, _ANSWER, drawable(heard), size=11)
    write(ax, end + _width(heard) + 1.0, _ANSWER, "you read", ha="left", weight="bold", size=12)
