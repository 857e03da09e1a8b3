"""Exercises of chapter 14, from the course to the library: from a count to a batch in use.

`new_numbers`, `made_up`, `planted`, `without_a_trace`, `best_words`, `windows`, `dead_lines`.
"""

from bertviz_lite.chapters.chapter_14.exercises.colleague import planted
from bertviz_lite.chapters.chapter_14.exercises.dead_lines import dead_lines
from bertviz_lite.chapters.chapter_14.exercises.in_use import best_words, without_a_trace
from bertviz_lite.chapters.chapter_14.exercises.long_texts import windows
from bertviz_lite.chapters.chapter_14.exercises.names_in_files import made_up, new_numbers

__all__ = [
    "best_words",
    "dead_lines",
    "made_up",
    "new_numbers",
    "planted",
    "windows",
    "without_a_trace",
]
