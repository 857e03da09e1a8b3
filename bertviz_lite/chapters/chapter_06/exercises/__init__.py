"""Exercises of chapter 06, masking: counting what is hidden, masking a batch, words, a diagnosis.

In the order of the chapter: `masks_read`, `masked_loss`, `word_in_sight`, `diagnosis`; and for those who stay
`never_scored`, `replace_chosen`, `whole_words`, `capped_choice`.
"""

from bertviz_lite.chapters.chapter_06.exercises.belief import word_in_sight
from bertviz_lite.chapters.chapter_06.exercises.choosing_tokens import capped_choice, whole_words
from bertviz_lite.chapters.chapter_06.exercises.diagnosis import diagnosis
from bertviz_lite.chapters.chapter_06.exercises.loss import masked_loss
from bertviz_lite.chapters.chapter_06.exercises.masked_batch import masks_read, never_scored, replace_chosen

__all__ = [
    "capped_choice",
    "diagnosis",
    "masked_loss",
    "masks_read",
    "never_scored",
    "replace_chosen",
    "whole_words",
    "word_in_sight",
]
