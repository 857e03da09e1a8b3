"""Exercises of chapter 11, the whole BERT, and the capstone: six patients, each with one sick part.

`head_parameters`, `standard_name`, `first_wrong`; `part_1` to `part_6` name the sick parts, `repair_1` to
`repair_6` mend them. What the parts do is in `bertviz_lite.chapters.chapter_11.patients`.
"""

from bertviz_lite.chapters.chapter_11.exercises.first_difference import first_wrong
from bertviz_lite.chapters.chapter_11.exercises.heads import head_parameters
from bertviz_lite.chapters.chapter_11.exercises.names_in_files import standard_name
from bertviz_lite.chapters.chapter_11.exercises.patient_1 import repair_1
from bertviz_lite.chapters.chapter_11.exercises.patient_2 import repair_2
from bertviz_lite.chapters.chapter_11.exercises.patient_3 import repair_3
from bertviz_lite.chapters.chapter_11.exercises.patient_4 import repair_4
from bertviz_lite.chapters.chapter_11.exercises.patient_5 import repair_5
from bertviz_lite.chapters.chapter_11.exercises.patient_6 import repair_6
from bertviz_lite.chapters.chapter_11.exercises.sick_parts import (
    part_1,
    part_2,
    part_3,
    part_4,
    part_5,
    part_6,
)

__all__ = [
    "first_wrong",
    "head_parameters",
    "part_1",
    "part_2",
    "part_3",
    "part_4",
    "part_5",
    "part_6",
    "repair_1",
    "repair_2",
    "repair_3",
    "repair_4",
    "repair_5",
    "repair_6",
    "standard_name",
]
