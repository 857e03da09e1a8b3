"""Scores of a model of Chinese, each beside simple rivals, on texts of seeds that training does not use.

``python -m bertviz_lite.evaluation.scores FOLDER --town chinese`` prints the table.
"""

from bertviz_lite.evaluation.scores.chinese.all_scores import score_chinese
from bertviz_lite.evaluation.scores.chinese.texts import ChineseSet

__all__ = ["ChineseSet", "score_chinese"]
