"""The inputs of a recipe: its stories, cut, paired and masked as it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.names import name_ids
from bertviz_lite.training.pretraining.recipe import Recipe
from bertviz_lite.training.pretraining.vocabulary import make_masking

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.data.pretraining.corpus import Corpus


def recipe_inputs(
    recipe: Recipe, corpus: Corpus, tokenizer: PreTrainedTokenizerFast, group: int
) -> TrainingInputs:
    """Return all inputs of a run; ``group`` is the number of inputs per step over all processes."""
    return TrainingInputs(
        corpus,
        recipe.steps * group,
        group,
        recipe.seed,
        tokenizer.cls_token_id,
        tokenizer.sep_token_id,
        recipe.mix(name_ids(tokenizer, recipe.town)),
    )


def recipe_collator(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> Collator:
    """Return what makes a batch of inputs and masks it."""
    return Collator(make_masking(tokenizer, recipe), recipe.seed, recipe.independent_masks)
