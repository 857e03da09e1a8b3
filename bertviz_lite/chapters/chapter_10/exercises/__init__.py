"""Exercises of chapter 10, pre-training: cost, schedule, logs, one step, processes, and a variant.

`days`, `learning_rate`, `diagnosis`, `adamw`, `training_step`, `global_loss`, `score_gain`.
"""

from bertviz_lite.chapters.chapter_10.exercises.cost import days
from bertviz_lite.chapters.chapter_10.exercises.diagnosis import diagnosis
from bertviz_lite.chapters.chapter_10.exercises.judging import score_gain
from bertviz_lite.chapters.chapter_10.exercises.one_step import training_step
from bertviz_lite.chapters.chapter_10.exercises.optimizer_step import adamw
from bertviz_lite.chapters.chapter_10.exercises.processes import global_loss
from bertviz_lite.chapters.chapter_10.exercises.schedule import learning_rate

__all__ = [
    "adamw",
    "days",
    "diagnosis",
    "global_loss",
    "learning_rate",
    "score_gain",
    "training_step",
]
