"""Eighty steps of the live training with a warm-up and without, ten seeds each, at two rates: recorded.

Made by ``python -m bertviz_lite.chapters.chapter_10.live.no_warm_up``, in about two minutes on one core.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.chapters.chapter_10.live.training import LIVE, LiveTraining
from bertviz_lite.plots import CYCLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from bertviz_lite.training.pretraining.recipe import Recipe
    from bertviz_lite.world.events.text import Story

FILE = Path(__file__).with_name("no_warm_up.json")
SEEDS = 10
EVERY = 5
"""Each number is the mean loss of the hidden words over so many steps."""

TIMES = (4, 1)
"""How many times the learning rate of `LIVE`."""


def recipes(times: float, seed: int = LIVE.seed) -> tuple[Recipe, Recipe]:
    """Return two recipes of eighty steps at so many times the rate: a warm-up of eight steps, none."""
    with_it = replace(LIVE, steps=80, learning_rate=times * LIVE.learning_rate, seed=seed)
    return with_it, replace(with_it, warmup=0.0)


def losses(recipe: Recipe, stories: Sequence[Story] | None = None, steps: int | None = None) -> list[float]:
    """Train, and return the loss of the hidden words, a number for each five steps."""
    training = LiveTraining(recipe, stories=stories, moments=1)
    training.run(steps, curve=False)
    words = np.array([words for words, _ in training.losses]).reshape(-1, EVERY)
    return [float(mean) for mean in words.mean(axis=1).round(4)]


@lru_cache(maxsize=1)
def _record() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return made


def recorded(times: int) -> NDArray[np.float64]:
    """Return the ten seeds' losses at so many times the rate: float64, shape (with or without, seeds, 16)."""
    return np.array(_record()[str(times)])


def behind(ax: Axes, times: int) -> None:
    """Draw the ten seeds, thin, behind what an axes shows."""
    for colour, curves in zip(CYCLE, recorded(times), strict=False):
        for curve in curves:
            middles = EVERY * (np.arange(len(curve)) + 0.5)
            ax.plot(middles, curve, color=colour, alpha=0.45, linewidth=0.9, zorder=1.5)


def main() -> None:
    """Train forty times, and write the record."""
    made: dict[str, list[list[list[float]]]] = {str(times): [[], []] for times in TIMES}
    for seed in range(SEEDS):
        stories = None
        for times in TIMES:
            for curves, recipe in zip(made[str(times)], recipes(times, seed), strict=True):
                curves.append(losses(recipe, stories))
    FILE.write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
