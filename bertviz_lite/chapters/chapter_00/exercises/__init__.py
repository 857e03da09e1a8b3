"""Exercises of chapter 00: one to predict, two to write.

In the order of the chapter: `least_sure`, `gaps`, `clue`.
"""

from bertviz_lite.chapters.chapter_00.exercises.clues import clue
from bertviz_lite.chapters.chapter_00.exercises.hidden_words import gaps, least_sure

__all__ = ["clue", "gaps", "least_sure"]
