"""Score a fine-tuned model on examples of its task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.task_inputs import encode, kind_of
from bertviz_lite.evaluation.checks import check_model_and_tokenizer
from bertviz_lite.evaluation.task_scores.metrics import accuracy, exact_match, name_f1
from bertviz_lite.evaluation.task_scores.predictions import (
    answer_label,
    answer_question,
    answer_tags,
    class_probabilities,
)
from bertviz_lite.evaluation.task_scores.results import Result
from bertviz_lite.world.tasks.sets import Labelled, Pair, Question, Tagged

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerFast

    from bertviz_lite.world.tasks.sets import Example

_ENDS = {
    Labelled: "SequenceClassification",
    Pair: "SequenceClassification",
    Tagged: "TokenClassification",
    Question: "QuestionAnswering",
}


def evaluate(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, examples: Sequence[Example]
) -> Result:
    """Score a fine-tuned model.

    Accuracy for labels, exact match for questions, each with Wilson's interval; F1 of whole names for tags
    (a name counts only with both ends and its kind right), with a bootstrap interval over texts.

    Raises
    ------
    ValueError
        Where the model's head does not fit the examples.
    """
    check_model_and_tokenizer(model, tokenizer)
    kind = kind_of(examples)
    if not type(model).__name__.endswith(f"For{_ENDS[kind]}"):
        raise ArgumentError(
            f"{type(model).__name__} has no head for {kind.__name__} examples: fine_tune() a "
            f"BertFor{_ENDS[kind]} on such examples first"
        )
    names = labels_of(model)
    rows = encode(examples, tokenizer, names)
    outputs = class_probabilities(model, rows, tokenizer.pad_token_id)
    scored: Any = examples
    together = zip(scored, rows, outputs, strict=True)
    if kind is Question:
        return exact_match([answer_question(example, row, output) for example, row, output in together])
    if kind is Tagged:
        return name_f1([answer_tags(example, row, output, names) for example, row, output in together])
    return accuracy([answer_label(example, output, names) for example, _, output in together])


def labels_of(model: PreTrainedModel) -> list[str]:
    """Return the labels of a model's head, in the order of its outputs."""
    return list(dict(model.config.id2label or {}).values())
