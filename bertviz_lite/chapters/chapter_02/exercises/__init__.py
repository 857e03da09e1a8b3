"""Exercises of chapter 02, input embeddings: from changing one number to building the layer.

In the order of the chapter: `which_part_changes`, `lengths`, `add_by_hand`, `layer_norm`, `nearest`,
`sinusoidal`, `embedding_layer`.
"""

from bertviz_lite.chapters.chapter_02.exercises.fixed_positions import sinusoidal
from bertviz_lite.chapters.chapter_02.exercises.normalisation import layer_norm
from bertviz_lite.chapters.chapter_02.exercises.similar_words import nearest
from bertviz_lite.chapters.chapter_02.exercises.sum_of_parts import add_by_hand, lengths, which_part_changes
from bertviz_lite.chapters.chapter_02.exercises.whole_layer import embedding_layer

__all__ = [
    "add_by_hand",
    "embedding_layer",
    "layer_norm",
    "lengths",
    "nearest",
    "sinusoidal",
    "which_part_changes",
]
