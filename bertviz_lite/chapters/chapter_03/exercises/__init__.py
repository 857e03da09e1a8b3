"""Exercises of chapter 03, attention: from the softmax by hand to a head that is a cause.

In the order of the chapter: `softmax_row`, `weights_of_query`, `cross_head`, `split_heads`, `cause`; for
those who stay, `weight_at_distance`, `causal_head`, `weights_in_all`.
"""

from bertviz_lite.chapters.chapter_03.exercises.causes import cause
from bertviz_lite.chapters.chapter_03.exercises.counting_weights import weight_at_distance, weights_in_all
from bertviz_lite.chapters.chapter_03.exercises.heads import causal_head, cross_head
from bertviz_lite.chapters.chapter_03.exercises.query_and_weights import weights_of_query
from bertviz_lite.chapters.chapter_03.exercises.softmax_by_hand import softmax_row
from bertviz_lite.chapters.chapter_03.exercises.splitting import split_heads

__all__ = [
    "causal_head",
    "cause",
    "cross_head",
    "softmax_row",
    "split_heads",
    "weight_at_distance",
    "weights_in_all",
    "weights_of_query",
]
