"""Train a variant from nothing, or go on with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from transformers import set_seed
from transformers.trainer_callback import PrinterCallback

from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.names import name_ids
from bertviz_lite.training.pretraining.checkpoints import last_checkpoint
from bertviz_lite.training.pretraining.inputs import recipe_collator
from bertviz_lite.training.pretraining.model import PretrainingModel
from bertviz_lite.training.pretraining.optimizer import muon_and_adamw
from bertviz_lite.training.pretraining.recipe import Recipe, pocket_config
from bertviz_lite.training.pretraining.run import Run
from bertviz_lite.training.pretraining.trainer import (
    PretrainingTrainer,
    fastest_attention,
    training_arguments,
)
from experiments.ablations.second_head.inputs import INPUTS
from experiments.ablations.texts import Texts
from experiments.ablations.variants import Variant
from experiments.chinese_masking.boundaries import with_boundaries

if TYPE_CHECKING:
    from transformers import BertConfig, PreTrainedTokenizerFast, TrainerCallback


def variant_inputs(variant: Variant, recipe: Recipe, texts: Texts) -> TrainingInputs:
    """Return all inputs of a run; the recipe is the variant's own."""
    tokenizer, corpus = texts.tokenizer, texts.corpus.first(recipe.stories)
    if corpus.continues is not None:
        corpus = with_boundaries(corpus, tokenizer, variant.boundaries)
    return INPUTS[variant.pairs](
        corpus,
        recipe.steps * recipe.batch_size,
        recipe.batch_size,
        recipe.seed,
        tokenizer.cls_token_id,
        tokenizer.sep_token_id,
        recipe.mix(name_ids(tokenizer)),
    )


def variant_collator(variant: Variant, recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> Collator:
    """Return what makes a batch and masks it as the variant does."""
    collator = recipe_collator(recipe, tokenizer)
    return replace(collator, masking=replace(collator.masking, **dict(variant.masking)))


def variant_config(variant: Variant, recipe: Recipe, vocab_size: int, dropout: float = 0.0) -> BertConfig:
    """Return the configuration of the variant's model; training runs without dropout."""
    config = pocket_config(recipe, vocab_size, dropout)
    config.tie_word_embeddings = variant.tied
    return config


def train(
    variant: Variant, recipe: Recipe, run: Run, texts: Texts, callbacks: Sequence[TrainerCallback] = ()
) -> tuple[PretrainingModel, list[Any]]:
    """Train a variant, or go on with it; return the model and what the Trainer logged.

    Parameters
    ----------
    variant, recipe
        What is changed, and the recipe with these changes.
    run
        Where the checkpoints are.
    texts
        What it reads.
    callbacks
        Told of every step.
    """
    set_seed(recipe.seed)
    model = PretrainingModel(variant_config(variant, recipe, len(texts.tokenizer)))
    model.set_attn_implementation(fastest_attention(recipe.bf16))
    trainer = PretrainingTrainer(
        model=model,
        args=training_arguments(recipe, run),
        train_dataset=variant_inputs(variant, recipe, texts),
        data_collator=variant_collator(variant, recipe, texts.tokenizer),
        optimizers=(muon_and_adamw(model, recipe) if recipe.matrix_learning_rate else None, None),
        callbacks=list(callbacks),
    )
    if not run.progress:
        trainer.remove_callback(PrinterCallback)
    checkpoint = last_checkpoint(run.output / "checkpoints")
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    model.train(mode=False)
    return model, trainer.state.log_history
