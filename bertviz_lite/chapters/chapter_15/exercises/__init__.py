"""Exercises of chapter 15, Chinese: from the four arms and the two languages to a segmenter.

`which_arm`, `in_another_order`, `continues`, `torn_words`, `own_vectors`, `longest_match`.
"""

from bertviz_lite.chapters.chapter_15.exercises.characters import own_vectors
from bertviz_lite.chapters.chapter_15.exercises.compared import in_another_order, which_arm
from bertviz_lite.chapters.chapter_15.exercises.words import continues, longest_match, torn_words

__all__ = ["continues", "in_another_order", "longest_match", "own_vectors", "torn_words", "which_arm"]
