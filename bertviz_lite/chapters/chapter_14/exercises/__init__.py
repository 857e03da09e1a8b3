"""Exercises of chapter 14, from the course to the library: from a count to a report that is read by a script.

`new_numbers`, `made_up`, `without_a_trace`, `may_be_used`; and for those who stay `planted`, `windows`.
"""

from bertviz_lite.chapters.chapter_14.exercises.colleague import planted
from bertviz_lite.chapters.chapter_14.exercises.in_use import without_a_trace
from bertviz_lite.chapters.chapter_14.exercises.long_texts import windows
from bertviz_lite.chapters.chapter_14.exercises.names_in_files import made_up, new_numbers
from bertviz_lite.chapters.chapter_14.exercises.the_report import may_be_used

__all__ = [
    "made_up",
    "may_be_used",
    "new_numbers",
    "planted",
    "windows",
    "without_a_trace",
]
