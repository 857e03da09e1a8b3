"""Exercises of chapter 06, the pooler: from counting it to the poolings around it, and a test of them.

In the order of the chapter: `large_pooler`, `pool`, `mean_pool`, `max_pool`, `through_tanh`, `share_right`.
"""

from bertviz_lite.chapters.chapter_06.exercises.nearest_candidate import share_right
from bertviz_lite.chapters.chapter_06.exercises.other_poolings import max_pool, mean_pool
from bertviz_lite.chapters.chapter_06.exercises.pooler_itself import large_pooler, pool, through_tanh

__all__ = [
    "large_pooler",
    "max_pool",
    "mean_pool",
    "pool",
    "share_right",
    "through_tanh",
]
