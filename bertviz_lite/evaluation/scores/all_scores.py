"""All scores of a model in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.evaluation.checks import check_model_and_tokenizer
from bertviz_lite.evaluation.scores.evaluation_set import EvaluationSet, size_of
from bertviz_lite.evaluation.scores.masked_words import score_determined, score_masked_words
from bertviz_lite.evaluation.scores.minimal_pairs import score_minimal_pairs
from bertviz_lite.evaluation.scores.next_part import score_next_part
from bertviz_lite.evaluation.scores.probed import probed_heads, probed_senses
from bertviz_lite.evaluation.scores.results import Scores
from bertviz_lite.world.towns import TOWN

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast


def score(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    evaluation_set: EvaluationSet | None = None,
    *,
    quick: bool = False,
) -> Scores:
    """Measure a ``BertForPreTraining``.

    Parameters
    ----------
    model
        The model; its mode and kind of attention are left as they were.
    tokenizer
        Its tokenizer.
    evaluation_set
        Stories and pairs to score it on; made for this tokenizer when missing.
    quick
        Without ``evaluation_set``: a smaller one, for a first impression.

    Returns
    -------
    Scores
        See ``TITLES``.
    """
    check_model_and_tokenizer(model, tokenizer)
    evaluation_set = evaluation_set or EvaluationSet.make(tokenizer, size_of(TOWN, quick=quick))
    mask_id = tokenizer.mask_token_id
    return Scores(
        score_determined(model, evaluation_set, mask_id)
        | {
            "masked_words": score_masked_words(model, evaluation_set, mask_id),
            "next_part": score_next_part(model, tokenizer, evaluation_set),
            "minimal_pairs": score_minimal_pairs(model, tokenizer, evaluation_set.pairs),
            "senses": probed_senses(model, evaluation_set),
        }
        | probed_heads(model, evaluation_set)
    )
