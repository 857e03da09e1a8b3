"""Exercises of chapter 12, real weights and BERT's relatives: from a count to positions that rotate.

`factorised`, `sentence_vector`, `nearest`, `leave_one_out`, `roberta_positions`, `near_enough`, `rotate`.
"""

from bertviz_lite.chapters.chapter_12.exercises.factorised_table import factorised
from bertviz_lite.chapters.chapter_12.exercises.local_attention import near_enough
from bertviz_lite.chapters.chapter_12.exercises.mean_pooling import sentence_vector
from bertviz_lite.chapters.chapter_12.exercises.nearest_text import nearest
from bertviz_lite.chapters.chapter_12.exercises.positions import roberta_positions
from bertviz_lite.chapters.chapter_12.exercises.rotary import rotate
from bertviz_lite.chapters.chapter_12.exercises.senses import leave_one_out

__all__ = [
    "factorised",
    "leave_one_out",
    "near_enough",
    "nearest",
    "roberta_positions",
    "rotate",
    "sentence_vector",
]
