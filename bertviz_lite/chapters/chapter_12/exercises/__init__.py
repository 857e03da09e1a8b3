"""Exercises of chapter 12, the whole BERT, and the capstone: eight patients, each with one sick part.

`head_parameters`, `standard_name`, `first_wrong`; `part_1` to `part_7` name the sick parts; `repair_1`, `_4`,
`_5` and `_7` mend them, `unused_2` and `untrained_6` say what follows from two of the others; `right_ids`
treats patient 8, whose tokenizer is another model's; `finds_all` and `misses_5` are tests for the seven, and
`patient_9` is a patient for a test. What the parts do is in `bertviz_lite.chapters.chapter_12.patients`.
"""

from bertviz_lite.chapters.chapter_12.exercises.consequences import untrained_6, unused_2
from bertviz_lite.chapters.chapter_12.exercises.first_difference import first_wrong
from bertviz_lite.chapters.chapter_12.exercises.heads import head_parameters
from bertviz_lite.chapters.chapter_12.exercises.names_in_files import standard_name
from bertviz_lite.chapters.chapter_12.exercises.patient_9 import patient_9
from bertviz_lite.chapters.chapter_12.exercises.repairs.patient_1 import repair_1
from bertviz_lite.chapters.chapter_12.exercises.repairs.patient_4 import repair_4
from bertviz_lite.chapters.chapter_12.exercises.repairs.patient_5 import repair_5
from bertviz_lite.chapters.chapter_12.exercises.repairs.patient_7 import repair_7
from bertviz_lite.chapters.chapter_12.exercises.right_ids import right_ids
from bertviz_lite.chapters.chapter_12.exercises.sick_parts import (
    part_1,
    part_2,
    part_3,
    part_4,
    part_5,
    part_6,
    part_7,
)
from bertviz_lite.chapters.chapter_12.exercises.smallest_tests import finds_all, misses_5

__all__ = [
    "finds_all",
    "first_wrong",
    "head_parameters",
    "misses_5",
    "part_1",
    "part_2",
    "part_3",
    "part_4",
    "part_5",
    "part_6",
    "part_7",
    "patient_9",
    "repair_1",
    "repair_4",
    "repair_5",
    "repair_7",
    "right_ids",
    "standard_name",
    "untrained_6",
    "unused_2",
]
