"""Exercises of chapter 05, masking: counting what is hidden, masking a batch, whole words, a fixed count.

In the order of the chapter: `masks_read`, `never_scored`, `replace_chosen`, `masked_loss`, `whole_words`,
`capped_choice`.
"""

from bertviz_lite.chapters.chapter_05.exercises.choosing_tokens import capped_choice, whole_words
from bertviz_lite.chapters.chapter_05.exercises.loss import masked_loss
from bertviz_lite.chapters.chapter_05.exercises.masked_batch import masks_read, never_scored, replace_chosen

__all__ = [
    "capped_choice",
    "masked_loss",
    "masks_read",
    "never_scored",
    "replace_chosen",
    "whole_words",
]
