"""Exercises of chapter 00: two to predict, two to write.

In the order of the chapter: `which_form`, `least_sure`, `gaps`, `clue`.
"""

from bertviz_lite.chapters.chapter_00.exercises.clues import clue
from bertviz_lite.chapters.chapter_00.exercises.hidden_words import gaps, least_sure, which_form

__all__ = ["clue", "gaps", "least_sure", "which_form"]
