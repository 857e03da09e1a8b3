"""The loss over the tokens that are scored."""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from bertviz_lite.exercises import Case, exercise, uniform


def _loss_cases() -> Iterator[Case]:
    logits = torch.tensor([[[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [1.0, 1.0, 4.0]]], dtype=torch.float64)
    yield Case(logits, torch.tensor([[0, -100, 1]]))
    labels = torch.where(uniform(2, 7, seed=3) < 0.4, torch.arange(14).reshape(2, 7) % 5, -100)
    yield Case(4 * uniform(2, 7, 5), labels, label="logits (2, 7, 5), labels (2, 7)")


@exercise(
    cases=_loss_cases,
    hints=(
        "Take the rows of `logits` where the label is not -100: logits[labels != -100].",
        "log_softmax over the last axis; of each row the entry at its label; minus their mean.",
    ),
    note="The same as torch.nn.functional.cross_entropy on what is not -100.",
)
def masked_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Give the loss: the mean of -ln p(label) over the tokens that are scored.

    `logits` is (batch, seq_len, vocab_size), `labels` (batch, seq_len) with -100 where nothing is scored.
    """
    scored = labels != -100
    log_probabilities = logits[scored].log_softmax(dim=-1)
    return -log_probabilities[torch.arange(len(log_probabilities)), labels[scored]].mean()


def _each(logits: Tensor, labels: Tensor) -> Tensor:
    """Give -ln p(label) at every token, 0 where nothing is scored."""
    matches = logits.log_softmax(dim=-1).gather(-1, labels.clamp(min=0)[..., None])[..., 0]
    return -matches * (labels != -100)


masked_loss.forbid(
    "cross_entropy",
    "nll_loss",
    feedback="The number is right, but torch's own loss has made it: build it from log_softmax() and mean().",
)
masked_loss.mistake(
    "That is the sum: divide by the number of tokens that are scored.",
    lambda logits, labels: _each(logits, labels).sum(),
)
masked_loss.mistake(
    "It is divided by the number of all tokens, not of those that are scored.",
    lambda logits, labels: _each(logits, labels).mean(),
)
masked_loss.mistake(
    "Tokens without a label count too, as if their label were 0: -100 means that they are left out.",
    lambda logits, labels: _each(logits, labels.clamp(min=0)).mean(),
)
masked_loss.mistake(
    "cross_entropy takes axis 1 for the vocabulary: join batch and seq_len to one axis before.",
    cross_entropy,
)
masked_loss.mistake("The sign is missing: a loss is -ln p.", lambda *given: -masked_loss.reference(*given))  # type: ignore[operator]
masked_loss.mistake(
    "The softmax is missing: logits are not yet logarithms of probabilities.",
    lambda logits, labels: -logits[labels != -100].gather(-1, labels[labels != -100][:, None]).mean(),
)
masked_loss.mistake(
    "The softmax goes along another axis: over the vocabulary it is the last one.",
    lambda logits, labels: (
        -logits[labels != -100].log_softmax(dim=0).gather(-1, labels[labels != -100][:, None]).mean()
    ),
)
masked_loss.mistake(
    "Every scored token is paired with every label. Take from each row one entry: "
    "rows[torch.arange(len(rows)), answers].",
    lambda logits, labels: -logits[labels != -100].log_softmax(dim=-1)[:, labels[labels != -100]].mean(),
)
masked_loss.mistake(
    "-100 is no id, so nothing can be looked up with it: leave these tokens out first.",
    lambda logits, labels: -logits.log_softmax(dim=-1).gather(-1, labels[..., None]).mean(),
)
masked_loss.mistake(
    "That is one number for each token that is scored: give their mean.",
    lambda logits, labels: _each(logits, labels)[labels != -100],
)
