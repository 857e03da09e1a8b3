"""Exercises of chapter 02, input embeddings: from finding a mistake to building the layer.

In the order of the chapter: `which_is_broken`, `read_word`, `spoiled_positions`, `layer_norm`,
`embedding_layer`; for those who stay, `sinusoidal`.
"""

from bertviz_lite.chapters.chapter_02.exercises.diagnosis import which_is_broken
from bertviz_lite.chapters.chapter_02.exercises.fixed_positions import sinusoidal
from bertviz_lite.chapters.chapter_02.exercises.normalisation import layer_norm
from bertviz_lite.chapters.chapter_02.exercises.shared_sums import spoiled_positions
from bertviz_lite.chapters.chapter_02.exercises.whole_layer import embedding_layer
from bertviz_lite.chapters.chapter_02.exercises.word_in_a_sum import read_word

__all__ = [
    "embedding_layer",
    "layer_norm",
    "read_word",
    "sinusoidal",
    "spoiled_positions",
    "which_is_broken",
]
