"""Exercises of chapter 11, fine-tuning: the gradients of a head, for one text."""

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


@exercise(
    cases=lambda: [
        Case(
            torch.tensor([1.0, 2.0], dtype=torch.float64),
            torch.zeros(3, 2).double(),
            torch.zeros(3).double(),
            0,
        ),
        Case(normal(4, seed=1), normal(3, 4, seed=2), normal(3, seed=3), 2),
        Case(normal(3, seed=4), normal(3, 3, seed=5), normal(3, seed=6), 1),
    ],
    hints=(
        "First p: the softmax of weight @ vector + bias.",
        "Take 1 off p at the true label: that is p - y, the gradient of the logits, and of the bias.",
        "Weight k, j gets the gradient of logit k times entry j of vector: torch.outer(gradient, vector).",
    ),
    note="For the head, output.loss.backward() gives the same numbers; then it goes on, down into BERT.",
)
def head_gradients(vector: Tensor, weight: Tensor, bias: Tensor, label: int) -> tuple[Tensor, Tensor]:
    """Give the gradients of -ln p of the true label: one for the weight, one for the bias, of their shapes.

    `vector` is (size,), `weight` (num_labels, size), `bias` (num_labels,); `label` is the number of the true
    one.
    """
    gradient = (weight @ vector + bias).softmax(dim=-1)
    gradient[label] -= 1
    return torch.outer(gradient, vector), gradient


def _of_logits(vector: Tensor, weight: Tensor, bias: Tensor, label: int) -> Tensor:
    gradient = (weight @ vector + bias).softmax(dim=-1)
    gradient[label] -= 1
    return gradient


def _both(gradient: Tensor, vector: Tensor) -> tuple[Tensor, Tensor]:
    return torch.outer(gradient, vector), gradient


head_gradients.mistake(
    "This is y - p, the way downhill. The gradient is p - y, and a step goes against it.",
    lambda vector, weight, bias, label: _both(-_of_logits(vector, weight, bias, label), vector),
)
head_gradients.mistake(
    "The true label is missing: take 1 off p there.",
    lambda vector, weight, bias, label: _both((weight @ vector + bias).softmax(dim=-1), vector),
)
head_gradients.mistake(
    "The 1 is taken off the logit; take it off p, after the softmax.",
    lambda vector, weight, bias, label: _both(
        (weight @ vector + bias - torch.eye(len(bias), dtype=bias.dtype)[label]).softmax(dim=-1), vector
    ),
)
head_gradients.mistake(
    "The logits lack the bias.",
    lambda vector, weight, bias, label: _both(_of_logits(vector, weight, 0 * bias, label), vector),
)
head_gradients.mistake(
    "The weight's gradient is transposed: it has a row for each label, a column for each entry of vector.",
    lambda vector, weight, bias, label: (
        torch.outer(vector, _of_logits(vector, weight, bias, label)),
        _of_logits(vector, weight, bias, label),
    ),
)
head_gradients.mistake(
    "The two are exchanged: the weight's gradient comes first.",
    lambda vector, weight, bias, label: _both(_of_logits(vector, weight, bias, label), vector)[::-1],
)
head_gradients.mistake(
    "For the weight, the gradient of logit k is to be multiplied by each entry of vector, not by the weight.",
    lambda vector, weight, bias, label: (
        _of_logits(vector, weight, bias, label)[:, None] * weight,
        _of_logits(vector, weight, bias, label),
    ),
)
