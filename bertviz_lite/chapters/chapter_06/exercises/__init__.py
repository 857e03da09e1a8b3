"""Exercises of chapter 06, masking: counting what is hidden, masking a batch, words, a fixed count, a bug.

In the order of the chapter: `masks_read`, `never_scored`, `replace_chosen`, `masked_loss`, `whole_words`,
`capped_choice`, `three_coins`.
"""

from bertviz_lite.chapters.chapter_06.exercises.choosing_tokens import capped_choice, whole_words
from bertviz_lite.chapters.chapter_06.exercises.coins import three_coins
from bertviz_lite.chapters.chapter_06.exercises.loss import masked_loss
from bertviz_lite.chapters.chapter_06.exercises.masked_batch import masks_read, never_scored, replace_chosen

__all__ = [
    "capped_choice",
    "masked_loss",
    "masks_read",
    "never_scored",
    "replace_chosen",
    "three_coins",
    "whole_words",
]
