"""What has the model learned? Scores against the truth of the town, on stories that training has not seen.

``python -m bertviz_lite.evaluation.scores [folder]`` prints the table for a model folder.
"""

from bertviz_lite.evaluation.scores.all_scores import score
from bertviz_lite.evaluation.scores.evaluation_set import (
    EVALUATION_SEED,
    FULL,
    QUICK,
    EvaluationSet,
    Size,
    size_of,
)
from bertviz_lite.evaluation.scores.misled_heads import heads_table, other_details
from bertviz_lite.evaluation.scores.results import NEEDED, TITLES, Score, Scores

__all__ = [
    "EVALUATION_SEED",
    "FULL",
    "NEEDED",
    "QUICK",
    "TITLES",
    "EvaluationSet",
    "Score",
    "Scores",
    "Size",
    "heads_table",
    "other_details",
    "score",
    "size_of",
]
