"""Is a model good on the stories that it learned from only? Losses on those, and on stories it never read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from bertviz_lite.chapters.chapter_10.live.step import two_losses
from bertviz_lite.chapters.chapter_10.live.tiny_stories import tiny_stories
from bertviz_lite.chapters.chapter_10.live.training import LiveTraining

if TYPE_CHECKING:
    from bertviz_lite.world.events.text import Story

_UNREAD_SEED = 1


def unread_stories(count: int, unlike: Sequence[Story]) -> list[Story]:
    """Write ``count`` tiny stories from another seed, and leave out those whose text is in ``unlike``."""
    read = {str(story) for story in unlike}
    return [story for story in tiny_stories(_UNREAD_SEED, count) if str(story) not in read]


def loss_on(stories: Sequence[Story], training: LiveTraining, steps: int = 4) -> float:
    """Return the mean loss of hidden words on some batches of stories, with masks that no training drew."""
    fresh = LiveTraining(replace(training.recipe, steps=steps, seed=5), stories=stories)
    with torch.no_grad():
        losses = [two_losses(training.model, fresh.batch(step))[0].item() for step in range(steps)]
    return sum(losses) / steps
