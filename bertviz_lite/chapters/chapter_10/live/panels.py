"""Scores and losses of a live training, drawn above each other over the same steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.chapters.chapter_10.live.tiny_stories import kind_of
from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import describe_axes, headline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.chapters.chapter_10.live.training import Moment
    from bertviz_lite.world.events.text import Story

EVERY = 20
"""Each point of a loss is its mean over so many steps."""

# What is seen, in words: here, since a cell that asks for a prediction shows its code before its figure.
CURVES = "One line rises early, the other swings, as ten thin ones do."
STACK = "Across swings, then stays high; the loss of the words falls all along; that of the pairs only late."


def finding(scores: Sequence[Moment], unsure: int) -> str:
    """Say how soon *direct* was learned, and how low *across* still is at a step: a figure's title.

    Parameters
    ----------
    scores
        Those of a `LiveTraining`.
    unsure
        The step of one of them.
    """
    across = next(moment.across for moment in scores if moment.step == unsure)
    return f"Direct is learned soon; across is at {across:.0%} as late as step {unsure}"


def across_among_tokens(stories: Sequence[Story], tokenizer: PreTrainedTokenizerFast) -> float:
    """Return the share of the stories' tokens that are verbs across a toy of the other number."""
    across = sum(kind is not None and kind[1] for kind in map(kind_of, stories))
    tokens = tokenizer([str(story) for story in stories], add_special_tokens=False)["input_ids"]
    return across / sum(map(len, tokens))


def above_each_other(
    scores: Sequence[Moment], losses: Sequence[tuple[float, float]], *, mark: int, title: str = ""
) -> Axes:
    """Draw *across*, the loss of the hidden words, and that of the pairs, in three panels.

    Parameters
    ----------
    scores, losses
        Those of a `LiveTraining`.
    mark
        A step, marked in all three.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        The topmost.
    """
    full = len(losses) // EVERY * EVERY
    means = np.array(losses[:full]).reshape(-1, EVERY, 2).mean(axis=1)
    middles = EVERY * (np.arange(len(means)) + 0.5)
    with style():
        figure, panels = plt.subplots(3, 1, figsize=(8.0, 6.0), sharex=True)
        top: Axes
        top, words, pairs = panels
        top.plot([m.step for m in scores], [m.across for m in scores], color=CYCLE[1], linewidth=2.5)
        top.axhline(0.5, color="0.6", linewidth=1)
        top.set_ylim(0, 1.05)
        words.plot(middles, means[:, 0], color=CYCLE[0], linewidth=2.5)
        pairs.plot(middles, means[:, 1], color=CYCLE[2], linewidth=2.5)
        pairs.axhline(np.log(2), color="0.6", linewidth=1)
        for ax, name in zip(panels, ("across, accuracy", "loss, hidden words", "loss, pairs"), strict=True):
            ax.axvline(mark, color="#1a1a1a", linewidth=1.5, linestyle="--")
            describe_axes(ax, "", name)
        top.text(mark + 6, 0.06, f"step {mark}")
        pairs.set_xlabel("step")
        figure.align_ylabels()
        headline(figure, title)
    return top
