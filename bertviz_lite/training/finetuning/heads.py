"""A fresh head of the standard class on a copy of a model's body; and a tuned body under the old heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import (
    BertConfig,
    BertForPreTraining,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    PreTrainedModel,
)

from bertviz_lite.basics.arguments import ArgumentError, instance, shown
from bertviz_lite.data.task_inputs import LABELS
from bertviz_lite.world.tasks.sets import Labelled, Pair, Question, Tagged

HEADS: dict[type, type[PreTrainedModel]] = {
    Labelled: BertForSequenceClassification,
    Pair: BertForSequenceClassification,
    Tagged: BertForTokenClassification,
    Question: BertForQuestionAnswering,
}


def new_model(
    body: PreTrainedModel,
    kind: type,
    labels: Sequence[str] | None = None,
    *,
    pretrained: bool = True,
    dropout: float | None = None,
    seed: int = 0,
) -> PreTrainedModel:
    """Put a fresh head of the standard class on a copy of a model's body.

    Parameters
    ----------
    body
        Any BERT: its ``base_model`` is copied, and stays as it is.
    kind
        ``Labelled``, ``Tagged``, ``Question`` or ``Pair``.
    labels
        Of the head, in the order of its outputs; those of the task where None.
    pretrained
        Copy the body's weights; with False it starts from random ones, the same architecture.
    dropout
        See ``FineTuning``.
    seed
        For all weights that are not copied.

    Returns
    -------
    PreTrainedModel
        What ``HEADS[kind].from_pretrained(folder of the body)`` gives, in evaluation mode.
    """
    if kind not in HEADS:
        kinds = ", ".join(known.__name__ for known in HEADS)
        raise ArgumentError(f"kind={shown(kind)}: one of the classes {kinds} is needed.")
    instance("body", body, PreTrainedModel, "a BERT, as load() returns it,")
    names = tuple(labels or LABELS.get(kind, ()))
    config: Any = BertConfig.from_dict(body.config.to_dict())
    if names:
        config.id2label = dict(enumerate(names))
        config.label2id = {name: number for number, name in enumerate(names)}
    if dropout is not None:
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = dropout
        config.classifier_dropout = None  # the head's: that of the body
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        config._attn_implementation = "sdpa"
        model: Any = HEADS[kind](config)
    if pretrained:
        weights = dict(body.base_model.state_dict().items())
        wanted = model.base_model.state_dict().keys()
        model.base_model.load_state_dict(
            {key: value for key, value in weights.items() if key in wanted}, strict=False
        )
    ready: PreTrainedModel = model.eval()
    return ready


def with_old_heads(tuned: PreTrainedModel, pretrained: BertForPreTraining) -> BertForPreTraining:
    """Put a fine-tuned body back under the heads of pre-training, to measure what it has forgotten.

    A body without a pooler (of the heads for words and for answers) keeps the pre-trained one.
    """
    model: Any = BertForPreTraining(pretrained.config)
    model.load_state_dict(pretrained.state_dict())
    body = dict(tuned.base_model.state_dict().items())
    model.bert.load_state_dict({**model.bert.state_dict(), **body})
    ready: BertForPreTraining = model.eval()
    return ready
