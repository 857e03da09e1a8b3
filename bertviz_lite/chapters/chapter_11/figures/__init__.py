"""Figures of chapter 11: old heads and new, where each head reads, how a training went, what was right."""

from bertviz_lite.chapters.chapter_11.figures.heads import where_heads_read
from bertviz_lite.chapters.chapter_11.figures.methods import old_and_new
from bertviz_lite.chapters.chapter_11.figures.results import confusion, curve, epochs, rivals

__all__ = ["confusion", "curve", "epochs", "old_and_new", "rivals", "where_heads_read"]
