"""Exercises of chapter 08, the LM head: from one changed row to the gradient of a tied table.

`moved_logits`, `lm_head`, `fill_mask`, `retie`, `settled_layer`, `table_gradient`, `mask_predict`.
"""

from bertviz_lite.chapters.chapter_08.exercises.filling import fill_mask
from bertviz_lite.chapters.chapter_08.exercises.head import lm_head, moved_logits
from bertviz_lite.chapters.chapter_08.exercises.reading_layers import settled_layer
from bertviz_lite.chapters.chapter_08.exercises.rounds import mask_predict
from bertviz_lite.chapters.chapter_08.exercises.tied_gradient import table_gradient
from bertviz_lite.chapters.chapter_08.exercises.ties import retie

__all__ = [
    "fill_mask",
    "lm_head",
    "mask_predict",
    "moved_logits",
    "retie",
    "settled_layer",
    "table_gradient",
]
