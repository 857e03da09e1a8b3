"""Figures of chapter 12: marks, the ward round, two runs side by side, classes on the map.

And in words: the classes as a tree.
"""

from bertviz_lite.chapters.chapter_12.figures.class_tree import class_tree
from bertviz_lite.chapters.chapter_12.figures.marks import draw_marks, in_words, unnoticed
from bertviz_lite.chapters.chapter_12.figures.on_the_map import classes_on_the_map
from bertviz_lite.chapters.chapter_12.figures.side_by_side import side_by_side
from bertviz_lite.chapters.chapter_12.figures.ward_round import round_in_words, ward_round

__all__ = [
    "class_tree",
    "classes_on_the_map",
    "draw_marks",
    "in_words",
    "round_in_words",
    "side_by_side",
    "unnoticed",
    "ward_round",
]
