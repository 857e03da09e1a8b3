"""Exercises of chapter 07, the pooler: from counting it to other poolings, their training and their test.

In the order of the chapter: `large_pooler`, `last_token_pool`, `max_pool`, `through_tanh`,
`contrastive_loss`, `share_right`.
"""

from bertviz_lite.chapters.chapter_07.exercises.contrastive import contrastive_loss
from bertviz_lite.chapters.chapter_07.exercises.nearest_candidate import share_right
from bertviz_lite.chapters.chapter_07.exercises.other_poolings import last_token_pool, max_pool
from bertviz_lite.chapters.chapter_07.exercises.pooler_itself import large_pooler, through_tanh

__all__ = [
    "contrastive_loss",
    "large_pooler",
    "last_token_pool",
    "max_pool",
    "share_right",
    "through_tanh",
]
