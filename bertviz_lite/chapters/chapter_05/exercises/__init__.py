"""Exercises of chapter 05, depth: how far news travels, one-way readers, and clues followed.

In the order of the chapter: `glue`, `swap_vector`, `own_twins`; for those who stay,
`left_only`, `layers_needed` and `rollout`.
"""

from bertviz_lite.chapters.chapter_05.exercises.following import swap_vector
from bertviz_lite.chapters.chapter_05.exercises.one_way_readers import glue, left_only
from bertviz_lite.chapters.chapter_05.exercises.own_twins import own_twins
from bertviz_lite.chapters.chapter_05.exercises.travelling import layers_needed, rollout

__all__ = ["glue", "layers_needed", "left_only", "own_twins", "rollout", "swap_vector"]
