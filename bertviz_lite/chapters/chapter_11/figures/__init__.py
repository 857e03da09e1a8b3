"""Figures of chapter 11: where each head reads, how a training went, what was right, beside which rivals."""

from bertviz_lite.chapters.chapter_11.figures.heads import where_heads_read
from bertviz_lite.chapters.chapter_11.figures.results import confusion, curve, epochs, rivals

__all__ = ["confusion", "curve", "epochs", "rivals", "where_heads_read"]
