"""Exercises of chapter 09, the NSP head: the loss of pre-training, two means added."""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from bertviz_lite.exercises import Case, exercise, normal


def _loss_cases() -> Iterator[Case]:
    pairs = torch.tensor([[2.0, 0.0], [0.0, 1.0]], dtype=torch.float64)
    words = torch.tensor([[1, -100, -100], [-100, 2, 0]])
    yield Case(
        normal(2, 3, 4),
        words,
        pairs,
        torch.tensor([0, 1]),
        label="2 pairs of 3 tokens, 3 of 6 tokens masked",
    )
    words = torch.full((3, 5), -100)
    words[0, 1], words[2, 3], words[2, 4] = 6, 0, 2
    yield Case(
        normal(3, 5, 7, seed=1), words, normal(3, 2, seed=2), torch.tensor([1, 0, 0]),
        label="3 pairs of 5 tokens, none masked in the second",
    )  # fmt: skip


@exercise(
    cases=_loss_cases,
    hints=(
        "Two means, added: one over the masked tokens of the whole batch, one over the pairs.",
        "prediction_logits.log_softmax(-1)[labels != -100] has a row for each masked token.",
        "torch.nn.functional.cross_entropy leaves out −100 by itself; it wants (rows, classes) and (rows,).",
    ),
    note="The two are added as they are: no weight between them.",
)
def pretraining_loss(
    prediction_logits: Tensor, labels: Tensor, seq_relationship_logits: Tensor, next_sentence_label: Tensor
) -> Tensor:
    """Add up BERT's two losses of pre-training, and give one number.

    `prediction_logits` is (batch, seq_len, vocab_size), `labels` (batch, seq_len) with −100 where nothing is
    scored; `seq_relationship_logits` is (batch, 2), `next_sentence_label` (batch,).
    """
    words = cross_entropy(prediction_logits.flatten(0, 1), labels.flatten())
    pairs = cross_entropy(seq_relationship_logits, next_sentence_label)
    return words + pairs


def _words(prediction_logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    return cross_entropy(prediction_logits.flatten(0, 1), labels.flatten(), reduction=reduction)


pretraining_loss.mistake(
    "This is the loss of the masked words; that of the pairs is missing.", lambda p, y, *_: _words(p, y)
)
pretraining_loss.mistake(
    "This is the loss of the pairs; that of the masked words is missing.",
    lambda _p, _y, logits, label: cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "This is the mean of the two losses; BERT adds them.",
    lambda p, y, logits, label: (_words(p, y) + cross_entropy(logits, label)) / 2,
)
pretraining_loss.mistake(
    "The labels of the pairs are exchanged: column 0 belongs to label 0.",
    lambda p, y, logits, label: _words(p, y) + cross_entropy(logits, 1 - label),
)
pretraining_loss.mistake(
    "The loss of the words is summed; it is the mean over the masked tokens.",
    lambda p, y, logits, label: _words(p, y, "sum") + cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "The loss of the words is divided by all tokens; only the masked ones count.",
    lambda p, y, logits, label: _words(p, y, "sum") / y.numel() + cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "Both losses are summed; each is a mean.",
    lambda p, y, logits, label: _words(p, y, "sum") + cross_entropy(logits, label, reduction="sum"),
)
pretraining_loss.mistake(
    "The sign is wrong: a loss is −ln p.",
    lambda p, y, logits, label: -_words(p, y) - cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "Tokens labelled −100 are scored, as if −100 were an id counted from the end or 0: leave them out.",
    lambda p, y, logits, label: _words(p, y.clamp(min=0)) + cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "cross_entropy wants the classes on axis 1: flatten to (batch · seq_len, vocab_size), labels alike.",
    lambda p, y, logits, label: cross_entropy(p, y) + cross_entropy(logits, label),
)
pretraining_loss.mistake(
    "These are the two losses, one beside the other; BERT adds them.",
    lambda p, y, logits, label: (_words(p, y), cross_entropy(logits, label)),
)
pretraining_loss.mistake(
    "cross_entropy takes logits: it does the softmax itself, and here it is done twice.",
    lambda p, y, logits, label: _words(p.softmax(-1), y) + cross_entropy(logits.softmax(-1), label),
)
