"""Is a model good on the stories that it learned from only? Losses on those, and on stories it never read.

Recorded for five seeds by ``python -m bertviz_lite.chapters.chapter_10.homework``, in about a minute on one
core.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from bertviz_lite.chapters.chapter_10.live.step import two_losses
from bertviz_lite.chapters.chapter_10.live.tiny_stories import tiny_stories
from bertviz_lite.chapters.chapter_10.live.training import LIVE, LiveTraining

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bertviz_lite.world.events.text import Story

FILE = Path(__file__).with_name("homework.json")
AMOUNTS = (20, 200, 4_000)
"""How many stories a model learns from."""

SHORT = replace(LIVE, steps=2 * (LIVE.steps // 6), batch_size=LIVE.batch_size // 2)
"""The live recipe with a third of the steps and half of the batch: as many readings for every amount."""

SEEDS = (0, 2, 3, 4, 6)
"""Neither that of the unread stories, nor that of the masks they are tested with."""

UNREAD_SEED = 1
MASKS_SEED = 5


def unread_stories(count: int, unlike: Sequence[Story]) -> list[Story]:
    """Write ``count`` tiny stories from another seed, and leave out those whose text is in ``unlike``."""
    read = {str(story) for story in unlike}
    return [story for story in tiny_stories(UNREAD_SEED, count) if str(story) not in read]


def loss_on(stories: Sequence[Story], training: LiveTraining, steps: int = 4) -> float:
    """Return the mean loss of hidden words on some batches of stories, with masks that no training drew."""
    fresh = LiveTraining(replace(training.recipe, steps=steps, seed=MASKS_SEED), stories=stories)
    with torch.no_grad():
        losses = [two_losses(training.model, fresh.batch(step))[0].item() for step in range(steps)]
    return sum(losses) / steps


def learned_from(amount: int, stories: Sequence[Story], *, seed: int = LIVE.seed) -> LiveTraining:
    """Train on the first ``amount`` of some stories."""
    training = LiveTraining(replace(SHORT, seed=seed), stories=stories[:amount], moments=1)
    training.run(curve=False)
    return training


def recorded() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the losses on stories that were learned from, and on unread ones: float64, (seeds, amounts)."""
    own, new = (np.array(losses) for losses in json.loads(FILE.read_text(encoding="utf-8")).values())
    return own, new


def main() -> None:
    """Train with five seeds on each amount, and write the record."""
    made: dict[str, list[list[float]]] = {"own": [], "new": []}
    for seed in SEEDS:
        stories = tiny_stories(seed, max(AMOUNTS))
        unread = unread_stories(400, unlike=stories)
        trainings = [learned_from(amount, stories, seed=seed) for amount in AMOUNTS]
        made["own"].append([round(loss_on(each.stories[:400], each), 4) for each in trainings])
        made["new"].append([round(loss_on(unread, each), 4) for each in trainings])
        FILE.write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
