"""Exercises of chapter 04, the encoder: from one number changed to the whole layer, and a variant.

In the order of the chapter: `wider`, `exact_gelu`, `feed_forward`, `count_parameters`, `crossover`,
`pre_norm_layer`, `encoder_layer`.
"""

from bertviz_lite.chapters.chapter_04.exercises.feeding_forward import exact_gelu, feed_forward
from bertviz_lite.chapters.chapter_04.exercises.norm_before import pre_norm_layer
from bertviz_lite.chapters.chapter_04.exercises.sizes import count_parameters, crossover, wider
from bertviz_lite.chapters.chapter_04.exercises.whole_layer import encoder_layer

__all__ = [
    "count_parameters",
    "crossover",
    "encoder_layer",
    "exact_gelu",
    "feed_forward",
    "pre_norm_layer",
    "wider",
]
