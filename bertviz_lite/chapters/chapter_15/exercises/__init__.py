"""Exercises of chapter 15, Chinese: from the four arms and the two languages to a segmenter.

`which_arm`, `in_another_order`, `torn_words`, `own_vectors`, `word_vectors`, `longest_match`.
"""

from bertviz_lite.chapters.chapter_15.exercises.characters import own_vectors, word_vectors
from bertviz_lite.chapters.chapter_15.exercises.compared import in_another_order, which_arm
from bertviz_lite.chapters.chapter_15.exercises.words import longest_match, torn_words

__all__ = ["in_another_order", "longest_match", "own_vectors", "torn_words", "which_arm", "word_vectors"]
