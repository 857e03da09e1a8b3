"""Exercises of chapter 13, real weights and BERT's relatives: from a mean to positions that rotate.

`sentence_vector`, `leave_one_out`, `rotate`.
"""

from bertviz_lite.chapters.chapter_13.exercises.mean_pooling import sentence_vector
from bertviz_lite.chapters.chapter_13.exercises.rotary import rotate
from bertviz_lite.chapters.chapter_13.exercises.senses import leave_one_out

__all__ = [
    "leave_one_out",
    "rotate",
    "sentence_vector",
]
