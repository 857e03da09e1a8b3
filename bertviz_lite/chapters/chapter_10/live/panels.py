"""Scores and losses of a live training, drawn above each other over the same steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.chapters.chapter_10.live import ten_seeds
from bertviz_lite.chapters.chapter_10.live.tiny_stories import kind_of
from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import describe_axes, headline, legend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.chapters.chapter_10.live.training import Moment
    from bertviz_lite.world.events.text import Story

EVERY = 20
"""Each point of a loss is its mean over so many steps."""

# What is seen, in words: here, since a cell that asks for a prediction shows its code before its figure.
STACK = "Above, direct is high at once, across swings and then stays high; below, the loss falls all along."


def across_among_tokens(stories: Sequence[Story], tokenizer: PreTrainedTokenizerFast) -> float:
    """Return the share of the stories' tokens that are verbs across a toy of the other number."""
    across = sum(kind is not None and kind[1] for kind in map(kind_of, stories))
    tokens = tokenizer([str(story) for story in stories], add_special_tokens=False)["input_ids"]
    return across / sum(map(len, tokens))


def above_each_other(
    scores: Sequence[Moment], losses: Sequence[tuple[float, float]], *, mark: int, title: str = ""
) -> Axes:
    """Draw *direct* and *across*, with those of ten seeds behind, and below the loss of the hidden words.

    Parameters
    ----------
    scores, losses
        Those of a `LiveTraining`.
    mark
        A step, marked in both panels.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        The upper one.
    """
    full = len(losses) // EVERY * EVERY
    means = np.array(losses[:full]).reshape(-1, EVERY, 2).mean(axis=1)
    middles = EVERY * (np.arange(len(means)) + 0.5)
    steps = [moment.step for moment in scores]
    with style():
        figure, panels = plt.subplots(2, 1, figsize=(8.0, 6.4), sharex=True, height_ratios=(3, 2))
        top: Axes
        top, words = panels
        direct, across = [m.direct for m in scores], [m.across for m in scores]
        top.plot(steps, direct, color=CYCLE[0], linewidth=3, label="direct: right after its subject")
        top.plot(
            steps,
            across,
            color=CYCLE[1],
            linewidth=3,
            linestyle="--",
            label="across a toy of the other number",
        )
        ten_seeds.behind(top)
        top.axhline(0.5, color="0.6", linewidth=1)
        top.set_ylim(0, 1.05)
        words.plot(middles, means[:, 0], color=CYCLE[2], linewidth=3)
        words.set_ylim(0, None)
        for ax, name in zip(panels, ("accuracy", "loss, hidden words"), strict=True):
            ax.axvline(mark, color="#1a1a1a", linewidth=1.5, linestyle="--")
            describe_axes(ax, "", name)
        top.text(mark + 6, 0.05, f"step {mark}")
        words.set_xlabel("step")
        legend(top, loc="lower right")
        figure.align_ylabels()
        headline(figure, title)
    return top
