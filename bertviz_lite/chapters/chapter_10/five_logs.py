"""Five trainings of the live model, one as it should be and four with a slip: their curves, recorded.

The reader sees the curves without names, and says which is which. ``training`` makes each of them anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from bertviz_lite.chapters.chapter_10.live.training import LIVE, Batch, LiveTraining
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.plots import lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["EVERY", "LOGS", "RECIPE", "draw", "training"]

RECIPE = replace(LIVE, steps=160)
"""As for the live model, but shorter."""

EVERY = 5
"""Each number of a log is the mean loss of the hidden words over so many steps."""

LOGS = {
    "answers mixed up": (
        4.95, 4.39, 4.06, 3.92, 3.92, 3.87, 3.94, 3.90, 3.90, 3.82, 3.93, 3.92, 3.89, 3.84, 3.91, 3.85,
        3.93, 3.80, 3.92, 3.86, 3.80, 3.86, 3.85, 3.86, 3.84, 3.80, 3.82, 3.79, 3.77, 3.82, 3.75, 3.82,
    ),
    "every token scored": (
        4.68, 3.88, 3.18, 2.51, 1.96, 1.62, 1.35, 1.15, 0.92, 0.91, 0.78, 0.79, 0.72, 0.69, 0.74, 0.63,
        0.76, 0.57, 0.68, 0.58, 0.61, 0.59, 0.60, 0.61, 0.58, 0.52, 0.54, 0.51, 0.54, 0.60, 0.56, 0.46,
    ),
    "as it should be": (
        4.90, 4.24, 3.81, 3.50, 3.35, 3.02, 2.92, 2.92, 2.51, 2.62, 2.46, 2.43, 2.39, 2.29, 2.44, 2.08,
        2.45, 2.02, 2.28, 2.05, 2.01, 2.09, 2.06, 2.29, 1.96, 1.84, 1.71, 1.78, 1.84, 1.93, 1.78, 1.66,
    ),
    "one batch": (
        4.86, 3.52, 2.31, 1.45, 0.95, 0.50, 0.22, 0.09, 0.04, 0.02, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01,
        *(16 * (0.00,)),
    ),
    "rate too small": (
        5.01, 4.91, 4.89, 4.81, 4.77, 4.79, 4.73, 4.64, 4.53, 4.57, 4.54, 4.48, 4.44, 4.54, 4.40, 4.35,
        4.42, 4.35, 4.35, 4.40, 4.37, 4.37, 4.30, 4.29, 4.31, 4.26, 4.22, 4.25, 4.28, 4.41, 4.24, 4.27,
    ),
}  # fmt: skip
"""The five logs, in the order of their letters."""


class _OneBatch(LiveTraining):
    """The same batch at every step: the same stories, and the same gaps in them."""

    def batch(self, step: int) -> Batch:
        """Return the first batch, whatever the step."""
        del step
        return super().batch(0)


def _mixed_up(batch: Batch) -> Batch:
    """Give every chosen token the answer of another one of the batch."""
    labels = batch["labels"].clone()
    chosen = labels != IGNORED
    answers = labels[chosen]
    order = torch.randperm(len(answers), generator=torch.Generator().manual_seed(0))
    labels[chosen] = answers[order]
    return batch | {"labels": labels}


def _all_scored(batch: Batch) -> Batch:
    """Ask for the tokens in sight, too."""
    in_sight = (batch["labels"] == IGNORED) & (batch["attention_mask"] == 1)
    return batch | {"labels": torch.where(in_sight, batch["input_ids"], batch["labels"])}


def training(name: str) -> LiveTraining:
    """Return one of the five trainings, not yet begun; ``run(curve=False)`` does all its steps.

    Parameters
    ----------
    name
        One of ``LOGS``.
    """
    if name == "one batch":
        return _OneBatch(RECIPE, moments=1)
    if name == "rate too small":
        return LiveTraining(replace(RECIPE, learning_rate=RECIPE.learning_rate / 100), moments=1)
    change = {"answers mixed up": _mixed_up, "every token scored": _all_scored}.get(name)
    return LiveTraining(RECIPE, change=change, moments=1)


def draw(*, title: str = "") -> Axes:
    """Draw the five logs, each with a letter instead of its name.

    Parameters
    ----------
    title
        What is seen.
    """
    middles = [EVERY * (k + 0.5) for k in range(RECIPE.steps // EVERY)]
    ax = lines(middles, [*LOGS.values()], [*"ABCDE"], title=title, across="step")
    ax.set_ylabel("loss of the words, as logged")
    ax.set_ylim(bottom=-0.1)
    return ax
