"""Exercises of chapter 03, attention: from counting weights to a head that sees only what came before.

In the order of the chapter: `weights_in_all`, `softmax_row`, `effect`, `one_head`, `split_heads`,
`weight_at_distance`, `causal_head`.
"""

from bertviz_lite.chapters.chapter_03.exercises.counting_weights import weight_at_distance, weights_in_all
from bertviz_lite.chapters.chapter_03.exercises.effect_of_a_swap import effect
from bertviz_lite.chapters.chapter_03.exercises.heads import causal_head, one_head
from bertviz_lite.chapters.chapter_03.exercises.softmax_by_hand import softmax_row
from bertviz_lite.chapters.chapter_03.exercises.splitting import split_heads

__all__ = [
    "causal_head",
    "effect",
    "one_head",
    "softmax_row",
    "split_heads",
    "weight_at_distance",
    "weights_in_all",
]
