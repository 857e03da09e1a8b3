"""Exercises of chapter 05, depth: how far news travels, one-way readers, and a clue followed.

In the order of the chapter: `layers_needed`, `rollout`, `left_only`, `glue`, `swap_vector`.
"""

from bertviz_lite.chapters.chapter_05.exercises.following import swap_vector
from bertviz_lite.chapters.chapter_05.exercises.one_way_readers import glue, left_only
from bertviz_lite.chapters.chapter_05.exercises.travelling import layers_needed, rollout

__all__ = ["glue", "layers_needed", "left_only", "rollout", "swap_vector"]
