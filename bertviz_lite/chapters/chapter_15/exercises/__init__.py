"""Exercises of chapter 15, Chinese: from counting tokens to a segmenter.

`how_many_tokens`, `nothing_hidden`, `continues`, `torn_words`, `own_vectors`, `longest_match`.
"""

from bertviz_lite.chapters.chapter_15.exercises.characters import (
    how_many_tokens,
    nothing_hidden,
    own_vectors,
)
from bertviz_lite.chapters.chapter_15.exercises.words import continues, longest_match, torn_words

__all__ = ["continues", "how_many_tokens", "longest_match", "nothing_hidden", "own_vectors", "torn_words"]
