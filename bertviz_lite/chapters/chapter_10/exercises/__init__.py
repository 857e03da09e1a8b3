"""Exercises of chapter 10, pre-training: cost, schedule, loop, logs, rules, gradients, AdamW, a change.

`days`, `learning_rate`, `diagnosis`, `which_rule`, `adamw`, `gradients`, `global_loss`, `clear`,
`training_loop`.
"""

from bertviz_lite.chapters.chapter_10.exercises.cost import days
from bertviz_lite.chapters.chapter_10.exercises.diagnosis import diagnosis
from bertviz_lite.chapters.chapter_10.exercises.judging import clear
from bertviz_lite.chapters.chapter_10.exercises.optimizer_step import adamw
from bertviz_lite.chapters.chapter_10.exercises.processes import global_loss
from bertviz_lite.chapters.chapter_10.exercises.schedule import learning_rate
from bertviz_lite.chapters.chapter_10.exercises.training_loop import training_loop
from bertviz_lite.chapters.chapter_10.exercises.way_back import gradients
from bertviz_lite.chapters.chapter_10.exercises.which_rule import which_rule

__all__ = [
    "adamw",
    "clear",
    "days",
    "diagnosis",
    "global_loss",
    "gradients",
    "learning_rate",
    "training_loop",
    "which_rule",
]
