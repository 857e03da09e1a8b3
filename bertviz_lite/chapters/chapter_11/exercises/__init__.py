"""Exercises of chapter 11, fine-tuning: gradients, scores, a broken job, answers, weights, a counterfactual.

`head_gradients`, `accuracy_and_macro_f1`, `broken_job`, `best_answer`, `label_weights`, `trained_names`,
`names_exchanged`.
"""

from bertviz_lite.chapters.chapter_11.exercises.answer_span import best_answer
from bertviz_lite.chapters.chapter_11.exercises.broken_job import broken_job
from bertviz_lite.chapters.chapter_11.exercises.frozen_layers import trained_names
from bertviz_lite.chapters.chapter_11.exercises.head_by_hand import head_gradients
from bertviz_lite.chapters.chapter_11.exercises.names_exchanged import names_exchanged
from bertviz_lite.chapters.chapter_11.exercises.rare_labels import label_weights
from bertviz_lite.chapters.chapter_11.exercises.square_scores import accuracy_and_macro_f1

__all__ = [
    "accuracy_and_macro_f1",
    "best_answer",
    "broken_job",
    "head_gradients",
    "label_weights",
    "names_exchanged",
    "trained_names",
]
