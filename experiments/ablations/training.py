"""Train a variant from nothing, or go on with it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from transformers import set_seed

from bertviz_lite.data.masking import Masking
from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.pairs import Mix
from bertviz_lite.models import POCKET
from bertviz_lite.models.loading import load
from bertviz_lite.training.pretraining.checkpoints import last_checkpoint
from bertviz_lite.training.pretraining.model import PretrainingModel
from bertviz_lite.training.pretraining.recipe import Recipe, pocket_config
from bertviz_lite.training.pretraining.run import Run
from bertviz_lite.training.pretraining.trainer import (
    PretrainingTrainer,
    fastest_attention,
    training_arguments,
)
from bertviz_lite.training.pretraining.vocabulary import make_masking
from experiments.ablations.inputs import OrderInputs, TrueInputs
from experiments.ablations.variants import BUDGET, Variant

_INPUTS = {"other story": TrainingInputs, "swapped order": OrderInputs, "nothing": TrueInputs}


def train(variant: Variant, recipe: Recipe, run: Run, stories: Path) -> tuple[PretrainingModel, list[Any]]:
    """Train a variant, or go on with it; return the model and what the Trainer logged."""
    tokenizer: Any = load("pocket")[0]
    recipe = replace(recipe, **dict(variant.recipe))
    corpus = Corpus.prepare(stories, POCKET, 0, BUDGET.stories, os.cpu_count() or 1, run.progress)
    inputs = _INPUTS[variant.pairs](
        corpus.first(recipe.stories),
        recipe.steps * recipe.batch_size,
        recipe.batch_size,
        recipe.seed,
        tokenizer.cls_token_id,
        tokenizer.sep_token_id,
        Mix() if variant.pairs == "other story" else Mix(other=0.0),
    )
    set_seed(recipe.seed)
    config = pocket_config(recipe, len(tokenizer), dropout=0.0)
    config.tie_word_embeddings = variant.tied
    model = PretrainingModel(config)
    model.set_attn_implementation(fastest_attention(recipe.bf16))
    masking: Masking = replace(make_masking(tokenizer, recipe), **dict(variant.masking))
    trainer = PretrainingTrainer(
        model=model,
        args=training_arguments(recipe, run),
        train_dataset=inputs,
        data_collator=Collator(masking, recipe.seed),
    )
    checkpoint = last_checkpoint(run.output / "checkpoints")
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    model.train(mode=False)
    return model, trainer.state.log_history
