"""Exercises of chapter 15, Chinese: from the four arms and words hidden whole to a segmenter and a shuffle.

`which_arm`, `choose_words`, `word_vectors`, `longest_match`, `in_another_order`.
"""

from bertviz_lite.chapters.chapter_15.exercises.characters import word_vectors
from bertviz_lite.chapters.chapter_15.exercises.compared import in_another_order, which_arm
from bertviz_lite.chapters.chapter_15.exercises.words import choose_words, longest_match

__all__ = ["choose_words", "in_another_order", "longest_match", "which_arm", "word_vectors"]
