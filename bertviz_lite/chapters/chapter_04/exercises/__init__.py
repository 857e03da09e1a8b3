"""Exercises of chapter 04, the encoder: from a thought of two facts to the whole layer, and a variant.

In the order of the chapter: `one_but_not_both`, `which_part_is_missing`, `count_parameters`,
`encoder_layer`; for those who stay `nearest_linear_map`, `pre_norm_layer`, `exact_gelu`.
"""

from bertviz_lite.chapters.chapter_04.exercises.activation import exact_gelu
from bertviz_lite.chapters.chapter_04.exercises.missing import which_part_is_missing
from bertviz_lite.chapters.chapter_04.exercises.norm_before import pre_norm_layer
from bertviz_lite.chapters.chapter_04.exercises.rival import nearest_linear_map
from bertviz_lite.chapters.chapter_04.exercises.sizes import count_parameters
from bertviz_lite.chapters.chapter_04.exercises.thoughts import one_but_not_both
from bertviz_lite.chapters.chapter_04.exercises.whole_layer import encoder_layer

__all__ = [
    "count_parameters",
    "encoder_layer",
    "exact_gelu",
    "nearest_linear_map",
    "one_but_not_both",
    "pre_norm_layer",
    "which_part_is_missing",
]
