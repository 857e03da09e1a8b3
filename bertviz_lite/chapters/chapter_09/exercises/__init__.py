"""Exercises of chapter 09, the NSP head: giveaways, its loss, what it goes by.

`pair_cost`, `giveaway`, `pretraining_loss`, `falls`.
"""

from bertviz_lite.chapters.chapter_09.exercises.giveaways import giveaway
from bertviz_lite.chapters.chapter_09.exercises.labels import pair_cost
from bertviz_lite.chapters.chapter_09.exercises.loss import pretraining_loss
from bertviz_lite.chapters.chapter_09.exercises.occlusion import falls

__all__ = [
    "falls",
    "giveaway",
    "pair_cost",
    "pretraining_loss",
]
