"""Exercises of chapter 00: one to predict, two to write.

In the order of the chapter: `which_form`, `gaps`, `clue`.
"""

from bertviz_lite.chapters.chapter_00.exercises.clues import clue
from bertviz_lite.chapters.chapter_00.exercises.hidden_words import gaps, which_form

__all__ = ["clue", "gaps", "which_form"]
