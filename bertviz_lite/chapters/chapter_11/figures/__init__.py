"""Figures of chapter 11: heads old and new and what they read, how a training went, what was right."""

from bertviz_lite.chapters.chapter_11.figures.choices import tags_given
from bertviz_lite.chapters.chapter_11.figures.heads import where_heads_read
from bertviz_lite.chapters.chapter_11.figures.methods import old_and_new
from bertviz_lite.chapters.chapter_11.figures.results import confusion, curve, epochs, rivals
from bertviz_lite.chapters.chapter_11.figures.vectors import clouds

__all__ = [
    "clouds",
    "confusion",
    "curve",
    "epochs",
    "old_and_new",
    "rivals",
    "tags_given",
    "where_heads_read",
]
