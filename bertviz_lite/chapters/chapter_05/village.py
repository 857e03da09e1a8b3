"""The little story of chapter 05: in round two you can ask for what you had not heard of in round one.

And the same with words: induction, which takes two rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bertviz_lite.chapters.people import draw_box, draw_person, fit_line, scenes
from bertviz_lite.plots import CYCLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["induction", "rounds"]

_YOU, _LABEL, _PERSON = 1.0, 3.2, 4.4
"""Where the middle of each column is, in inches from the left of a panel."""
_TOKEN = 3.6
_ROW = 1.05
_LABELS = {"Eva": "the baker's\nsister", "Hugo": "worked for\nthe baker", "Vera": "milks the\ncow"}


class _Round(NamedTuple):
    """What you ask in a round, whose label fits, and what you hear."""

    name: str
    question: str
    fits: str
    heard: str


_ROUNDS = (
    _Round("round 1, a first layer", "Who worked\nfor the baker?", "Hugo", "“Ask the baker's sister.”"),
    _Round("round 2, a second layer", "Who is the\nbaker's sister?", "Eva", "“Me! Here's the recipe.”"),
)


def rounds(*, title: str = "") -> list[Axes]:
    """Draw the two rounds side by side: the same people and labels, another question.

    Parameters
    ----------
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a round, of one figure.
    """
    top = _ROW * len(_LABELS)
    names = [told.name for told in _ROUNDS]
    axes = scenes(names, figsize=(10.0, top + 1.05), xlim=(0, 4.8), ylim=(0.0, top + 0.05), title=title)
    for ax, told in zip(axes, _ROUNDS, strict=True):
        draw_person(ax, _YOU, top / 2 + 0.95, "you")
        draw_box(ax, (_YOU, top / 2), told.question, CYCLE[1], width=1.6)
        for number, (name, label) in enumerate(_LABELS.items()):
            height = top - _ROW * (number + 0.5)
            fit = 1.0 if name == told.fits else 0.05
            fit_line(ax, (_YOU + 0.82, top / 2), (_LABEL - 0.75, height), CYCLE[0], fit=fit)
            draw_box(ax, (_LABEL, height), label, CYCLE[0], width=1.5)
            draw_person(ax, _PERSON, height, name)
        heard = f"you hear:\n{told.heard}"
        ax.text(_YOU, top / 2 - 0.75, heard, ha="center", va="center", color=CYCLE[2], fontsize=12)
    return axes


_TOKENS = ("red", "ball", "…", "red", "[MASK]")
_BEFORE, _ELSE = "Who stands\nbefore me?", "Who else is\nafter “red”?"
_INDUCTION = {  # for each round: the tokens' labels, and who asks what, of whom, and what comes of it
    "round 1": (
        ("red", "ball", "…", "red", "[MASK]"),
        (
            (1, _BEFORE, 0, "ball writes down:\n“after red”"),
            (4, _BEFORE, 3, "the gap writes down:\n“after red”"),
        ),
    ),
    "round 2": (
        ("red", "ball,\nafter red", "…", "red", "[MASK],\nafter red"),
        ((4, _ELSE, 1, "the gap hears:\n“ball”"),),
    ),
}
_STEP = 0.95


def induction(*, title: str = "") -> list[Axes]:
    """Draw how two rounds find the word that followed the same word before: *red ball … red* and a gap.

    Parameters
    ----------
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One a round, of one figure. The tokens stand one below the other, on the right; who asks, on the left.
    """
    top = _STEP * len(_TOKENS)
    axes = scenes(list(_INDUCTION), figsize=(10.0, top + 1.0), xlim=(0, 4.8), ylim=(-0.3, top), title=title)
    for ax, (labels, questions) in zip(axes, _INDUCTION.values(), strict=True):
        heights = [top - _STEP * (number + 0.5) for number in range(len(_TOKENS))]
        for label, height in zip(labels, heights, strict=True):
            if label == "…":
                ax.text(_TOKEN, height, label, ha="center", va="center", fontsize=14)
            else:
                draw_box(ax, (_TOKEN, height), label, CYCLE[0], width=1.2)
        for asks, question, answers, heard in questions:
            start = _YOU + 0.72, heights[asks]
            fit_line(ax, start, (_TOKEN - 0.6, heights[answers]), CYCLE[0], fit=0.8)
            draw_box(ax, (_YOU, heights[asks]), question, CYCLE[1], width=1.4)
            ax.text(_YOU, heights[asks] - 0.66, heard, ha="center", va="center", color=CYCLE[2], fontsize=12)
    return axes
