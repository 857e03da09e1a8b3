"""Exercises of chapter 07, the pooler: what it is for, other poolings, their training and their test.

In the order of the chapter: `two_switches`, `fooled`, `max_pool`, `contrastive_loss`,
`through_tanh`, `last_token_pool`, `recall_at`.
"""

from bertviz_lite.chapters.chapter_07.exercises.contrastive import contrastive_loss
from bertviz_lite.chapters.chapter_07.exercises.fooling import fooled
from bertviz_lite.chapters.chapter_07.exercises.other_poolings import last_token_pool, max_pool
from bertviz_lite.chapters.chapter_07.exercises.pooler_itself import through_tanh, two_switches
from bertviz_lite.chapters.chapter_07.exercises.searching import recall_at

__all__ = [
    "contrastive_loss",
    "fooled",
    "last_token_pool",
    "max_pool",
    "recall_at",
    "through_tanh",
    "two_switches",
]
