"""How good is a fine-tuned model? Scores with their intervals, and every wrong answer to look at.

Left out: training (``training.finetuning``) and the form of the inputs (``data.task_inputs``).
"""

from bertviz_lite.evaluation.task_scores.metrics import name_f1, spans_of, word_f1
from bertviz_lite.evaluation.task_scores.predictions import LONGEST_ANSWER
from bertviz_lite.evaluation.task_scores.results import Answer, Result
from bertviz_lite.evaluation.task_scores.scoring import evaluate, labels_of

__all__ = ["LONGEST_ANSWER", "Answer", "Result", "evaluate", "labels_of", "name_f1", "spans_of", "word_f1"]
