"""Exercises of chapter 03, attention: from counting weights to a head that sees only what came before.

In the order of the chapter: `weights_in_all`, `softmax_row`, `weights_of_query`, `cross_head`,
`split_heads`, `weight_at_distance`, `causal_head`.
"""

from bertviz_lite.chapters.chapter_03.exercises.counting_weights import weight_at_distance, weights_in_all
from bertviz_lite.chapters.chapter_03.exercises.heads import causal_head, cross_head
from bertviz_lite.chapters.chapter_03.exercises.query_and_weights import weights_of_query
from bertviz_lite.chapters.chapter_03.exercises.softmax_by_hand import softmax_row
from bertviz_lite.chapters.chapter_03.exercises.splitting import split_heads

__all__ = [
    "causal_head",
    "cross_head",
    "softmax_row",
    "split_heads",
    "weight_at_distance",
    "weights_in_all",
    "weights_of_query",
]
