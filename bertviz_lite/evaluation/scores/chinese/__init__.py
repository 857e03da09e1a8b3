"""Scores of a model of Chinese, each beside simple rivals, on texts of seeds that training does not use.

``python -m bertviz_lite.evaluation.scores.chinese FOLDER`` prints the table.
"""

from bertviz_lite.evaluation.scores.chinese.all_scores import guess_at_once, score_chinese
from bertviz_lite.evaluation.scores.chinese.any_town import evaluation_set_of, score_on
from bertviz_lite.evaluation.scores.chinese.texts import ChineseSet

__all__ = ["ChineseSet", "evaluation_set_of", "guess_at_once", "score_chinese", "score_on"]
