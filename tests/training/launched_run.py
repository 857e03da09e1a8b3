"""The beginning of a finished run of `pretraining`, made again: its first weights, its inputs, its masks."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import AutoTokenizer, set_seed

from bertviz_lite.chapters.chapter_10.live.step import optimizer_of
from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.forbidden import TrainingTown
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.training.pretraining.inputs import recipe_collator, recipe_inputs
from bertviz_lite.training.pretraining.model import PretrainingModel
from bertviz_lite.training.pretraining.recipe import Recipe, pocket_config


@dataclass(frozen=True)
class Launched:
    """What each process of a finished run began with.

    Attributes
    ----------
    recipe, model, optimizer, schedule
        As the processes had them before the first step.
    inputs
        All inputs of the run.
    collator
        Hides tokens of a batch.
    """

    recipe: Recipe
    model: PretrainingModel
    optimizer: torch.optim.AdamW
    schedule: torch.optim.lr_scheduler.LambdaLR
    inputs: TrainingInputs
    collator: Collator

    def batch(self, step: int, part: int, parts: int) -> dict[str, Tensor]:
        """Return one of the equal parts of a step's inputs, as a process of its own would get it."""
        size = self.inputs.group // parts
        start = step * self.inputs.group + part * size
        return self.collator([self.inputs[index] for index in range(start, start + size)])


def as_launched(folder: str | os.PathLike[str]) -> Launched:
    """Make the first weights, inputs and masks of a run of `pretraining` again, from its output folder.

    Raises
    ------
    FileNotFoundError
        Where the folder holds no such run.
    """
    path = Path(folder)
    settings = json.loads((path / "recipe.json").read_text(encoding="utf-8"))
    processes = settings.pop("processes")
    settings.pop("forbidden_sentences", None)
    recipe = Recipe(**settings)
    tokenizer: Any = AutoTokenizer.from_pretrained(path / "tokenizer")
    stories, vocabulary = path / "stories", path / "tokenizer"
    corpus = Corpus.prepare(
        stories, vocabulary, recipe.seed, recipe.stories, 1, False, town=TrainingTown(recipe.town)
    )
    inputs = recipe_inputs(recipe, corpus, tokenizer, recipe.batch_size * processes)
    set_seed(recipe.seed)
    model = PretrainingModel(pocket_config(recipe, len(tokenizer), dropout=0.0))
    model.train()
    optimizer, schedule = optimizer_of(model, recipe)
    return Launched(recipe, model, optimizer, schedule, inputs, recipe_collator(recipe, tokenizer))
