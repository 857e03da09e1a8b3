"""Exercises of chapter 09, the NSP head: giveaways, its loss, what it goes by, a variant.

`pair_cost`, `giveaway`, `pretraining_loss`, `falls`, `swap_parts`.
"""

from bertviz_lite.chapters.chapter_09.exercises.giveaways import giveaway
from bertviz_lite.chapters.chapter_09.exercises.labels import pair_cost
from bertviz_lite.chapters.chapter_09.exercises.loss import pretraining_loss
from bertviz_lite.chapters.chapter_09.exercises.occlusion import falls
from bertviz_lite.chapters.chapter_09.exercises.sentence_order import swap_parts

__all__ = [
    "falls",
    "giveaway",
    "pair_cost",
    "pretraining_loss",
    "swap_parts",
]
