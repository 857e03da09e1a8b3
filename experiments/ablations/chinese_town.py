"""The four arms of Chinese: which characters are hidden together. Everything else is the same."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.training.finetuning import FineTuning
from bertviz_lite.training.pretraining.recipe import RECIPES
from experiments.ablations.tasks import Task
from experiments.ablations.variants import Variant
from experiments.chinese_masking.boundaries import CHARACTERS, SEGMENTER, SHUFFLED
from experiments.chinese_masking.labelled import LABELS, chinese_feelings, chinese_names

SEEDS = 3
WORDS = "whole words"
RECIPE = replace(
    RECIPES["pocket-zh"],
    steps=2_000,
    batch_size=64,
    stories=50_000,
    hidden_size=96,
    intermediate_size=384,
    num_layers=3,
    num_heads=4,
)
"""The recipe of ``pocket-zh``, for a smaller model and a shorter run: 128,000 inputs."""

CHINESE_VARIANTS = {
    WORDS: Variant("the characters of a word are hidden together, by the town's own words", beside=WORDS),
    "characters": Variant(
        "characters are hidden one by one, as in bert-base-chinese", boundaries=CHARACTERS, beside=WORDS
    ),
    "segmented words": Variant(
        "by the words of a segmenter that has learned from bare text", boundaries=SEGMENTER, beside=WORDS
    ),
    "shuffled words": Variant(
        "by pieces as long as the words of the same clause, in another order: often across their ends",
        boundaries=SHUFFLED,
        beside=WORDS,
    ),
}

CHINESE_TASKS = {
    "feelings": Task(chinese_feelings, 300, 500, labels=LABELS),
    "names": Task(chinese_names, 60, 500, recipe=FineTuning(epochs=12)),
}
