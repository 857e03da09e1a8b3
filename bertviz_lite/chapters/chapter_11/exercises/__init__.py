"""Exercises of chapter 11, fine-tuning: scores, labels, a broken job, answers, weights, a counterfactual.

`names_f1`, `word_labels`, `broken_job`, `best_answer`, `label_weights`, `last_four`, `trained_names`,
`names_exchanged`.
"""

from bertviz_lite.chapters.chapter_11.exercises.answer_span import best_answer
from bertviz_lite.chapters.chapter_11.exercises.broken_job import broken_job
from bertviz_lite.chapters.chapter_11.exercises.frozen_layers import trained_names
from bertviz_lite.chapters.chapter_11.exercises.labels_of_words import word_labels
from bertviz_lite.chapters.chapter_11.exercises.layers_as_features import last_four
from bertviz_lite.chapters.chapter_11.exercises.name_scores import names_f1
from bertviz_lite.chapters.chapter_11.exercises.names_exchanged import names_exchanged
from bertviz_lite.chapters.chapter_11.exercises.rare_labels import label_weights

__all__ = [
    "best_answer",
    "broken_job",
    "label_weights",
    "last_four",
    "names_exchanged",
    "names_f1",
    "trained_names",
    "word_labels",
]
