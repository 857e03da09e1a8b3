"""Exercises of chapter 02, input embeddings: from finding a mistake to building the layer.

In the order of the chapter: `which_is_broken`, `read_word`, `add_by_hand`, `layer_norm`, `nearest`,
`sinusoidal`, `embedding_layer`.
"""

from bertviz_lite.chapters.chapter_02.exercises.diagnosis import which_is_broken
from bertviz_lite.chapters.chapter_02.exercises.fixed_positions import sinusoidal
from bertviz_lite.chapters.chapter_02.exercises.normalisation import layer_norm
from bertviz_lite.chapters.chapter_02.exercises.similar_words import nearest
from bertviz_lite.chapters.chapter_02.exercises.sum_of_parts import add_by_hand
from bertviz_lite.chapters.chapter_02.exercises.whole_layer import embedding_layer
from bertviz_lite.chapters.chapter_02.exercises.word_in_a_sum import read_word

__all__ = [
    "add_by_hand",
    "embedding_layer",
    "layer_norm",
    "nearest",
    "read_word",
    "sinusoidal",
    "which_is_broken",
]
