"""How the eight kinds of pairs are made, drawn: which sentences stand in A and B, and whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch, Rectangle

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import entitle, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RECIPES", "Recipe", "made_pairs"]


@dataclass(frozen=True)
class Recipe:
    """How a kind of pair is made.

    Attributes
    ----------
    first, second : tuple of int
        The sentences of A and of B, by their numbers in the story that they come from.
    strange : bool
        Whether B comes from another story.
    changed : str
        What else has been done to B.
    in_training : str
        What the pocket model's training called them: "true", "false", "none made" or
        "false (met by chance)".
    """

    first: tuple[int, ...] = (1, 2, 3)
    second: tuple[int, ...] = (4, 5, 6)
    strange: bool = False
    changed: str = ""
    in_training: str = "none made"


RECIPES = {
    "as told": Recipe(in_training="true"),
    "sentences of B shuffled": Recipe(second=(6, 4, 5)),
    "B before A": Recipe(first=(4, 5, 6), second=(1, 2, 3), in_training="false"),
    "other names in B": Recipe(changed="names replaced by other ones"),
    "stranger": Recipe(strange=True, in_training="false"),
    "stranger, shared nouns": Recipe(
        strange=True, changed="chosen: the most of A's nouns", in_training="false (met by chance)"
    ),
    "stranger, A's names put in": Recipe(
        strange=True, changed="its names replaced by A's", in_training="false"
    ),
    "stranger, same people": Recipe(
        strange=True, changed="chosen: about A's people", in_training="false (met by chance)"
    ),
}
"""The kinds that the chapter tests, by the names that it gives them."""

_SIDE, _STEP, _LEFT, _SECOND, _NOTE, _TAUGHT = 0.62, 0.7, 4.0, 6.7, 9.0, 13.2
_OWN, _STRANGE = CYCLE[2:4]
_LOOKS = {"true": {"color": CYCLE[1], "weight": "bold"}, "false": {"color": CYCLE[0], "weight": "bold"}}


def made_pairs(*, title: str = "") -> Axes:
    """Draw a row for each kind of pair: green are the sentences of A's own story, pink a stranger's.

    What training called them has the colour that :func:`figures.axes.accepted` gives it.

    Parameters
    ----------
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(10.6, 4.6))
        ax.set(xlim=(0, 15.6), ylim=(len(RECIPES) * 0.95 + 0.45, -0.95))
        ax.set_axis_off()
        middle = 1.5 * _STEP - 0.04
        heads = ((_LEFT + middle, "A"), (_SECOND + middle, "B"), (_TAUGHT + 1.1, "in training"))
        for x, words in heads:
            _write(ax, x, -0.45, words, weight="bold", ha="center")
        for row, (name, recipe) in enumerate(RECIPES.items()):
            y = row * 0.95
            _write(ax, _LEFT - 0.3, y + _SIDE / 2, name, ha="right")
            _sentences(ax, (_LEFT, y), recipe.first, _OWN)
            _sentences(ax, (_SECOND, y), recipe.second, _STRANGE if recipe.strange else _OWN)
            _write(ax, _NOTE, y + _SIDE / 2, recipe.changed, size=11, color="0.35")
            look = _LOOKS.get(recipe.in_training, {"color": "0.45"})
            _write(ax, _TAUGHT + 1.1, y + _SIDE / 2, recipe.in_training, ha="center", **look)
        foot = len(RECIPES) * 0.95 + 0.2
        for x, colour, words in ((_NOTE, _OWN, "of A's own story"), (_NOTE + 3.4, _STRANGE, "of a stranger")):
            ax.add_patch(Rectangle((x, foot - 0.2), 0.4, 0.4, facecolor=colour, edgecolor="none"))
            _write(ax, x + 0.55, foot, words)
        entitle(ax, title)
    return ax


def _sentences(ax: Axes, corner: tuple[float, float], numbers: tuple[int, ...], colour: str) -> None:
    """Draw a square for each sentence, with its number in its own story."""
    for place, number in enumerate(numbers):
        at = corner[0] + place * _STEP, corner[1]
        patch = FancyBboxPatch(at, _SIDE, _SIDE, boxstyle="round,pad=0,rounding_size=0.08")
        patch.set(facecolor=colour, edgecolor="none")
        ax.add_patch(patch)
        _write(
            ax, at[0] + _SIDE / 2, at[1] + _SIDE / 2, str(number), ha="center", color="white", weight="bold"
        )


_write = partial(write, ha="left", size=12)
