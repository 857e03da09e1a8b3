"""What a model is scored on, and its scores, by the town that it has read, in English or Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.evaluation.scores.all_scores import score
from bertviz_lite.evaluation.scores.chinese.all_scores import score_chinese
from bertviz_lite.evaluation.scores.chinese.texts import ChineseSet
from bertviz_lite.evaluation.scores.evaluation_set import EvaluationSet, size_of
from bertviz_lite.world.towns import CHINESE

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.evaluation.scores.results import Scores


def evaluation_set_of(
    town: str, tokenizer: PreTrainedTokenizerFast, *, quick: bool = False, training_seed: int = 0
) -> EvaluationSet:
    """Write and encode what a model is scored on that reads the texts of a town."""
    size = size_of(town, quick=quick)
    if town == CHINESE:
        return ChineseSet.write(tokenizer, size, training_seed)
    return EvaluationSet.make(tokenizer, size, training_seed=training_seed, town=town)


def score_on(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> Scores:
    """Measure a model on what ``evaluation_set_of`` returns."""
    if isinstance(evaluation_set, ChineseSet):
        return score_chinese(model, tokenizer, evaluation_set)
    return score(model, tokenizer, evaluation_set)
