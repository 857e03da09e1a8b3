"""An exam in people's own words beside the town's own: the same measures, the same simple rivals.

``python -m bertviz_lite.evaluation.scores.own_words [folder]`` prints the tables for a model folder.
"""

from bertviz_lite.evaluation.scores.own_words.exam import HALVES, Choice, Exam, Pair, read_exam
from bertviz_lite.evaluation.scores.own_words.marking import both_exams, mark
from bertviz_lite.evaluation.scores.own_words.results import OWN_WORDS_FILE, BothExams, Marks, Tally
from bertviz_lite.evaluation.scores.own_words.shared import (
    SharedSentences,
    forbidden_sentences,
    shared_sentences,
)
from bertviz_lite.evaluation.scores.own_words.tables import side_by_side

__all__ = [
    "HALVES",
    "OWN_WORDS_FILE",
    "BothExams",
    "Choice",
    "Exam",
    "Marks",
    "Pair",
    "SharedSentences",
    "Tally",
    "both_exams",
    "forbidden_sentences",
    "mark",
    "read_exam",
    "shared_sentences",
    "side_by_side",
]
