"""Exercises of chapter 11, fine-tuning: the gradients of a head, for a batch with labels left out."""

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


@exercise(
    cases=lambda: [
        Case(
            torch.tensor([[1.0, 2.0], [3.0, 1.0]], dtype=torch.float64),
            torch.zeros(3, 2).double(),
            torch.zeros(3).double(),
            torch.tensor([0, -100]),
        ),
        Case(
            normal(5, 4, seed=1), normal(3, 4, seed=2), normal(3, seed=3), torch.tensor([2, -100, 0, 1, -100])
        ),
        Case(normal(4, 3, seed=4), normal(3, 3, seed=5), normal(3, seed=6), torch.tensor([-100, 1, 1, 2])),
    ],
    hints=(
        "Leave out what isn't scored: scored = labels != -100, then vectors[scored] and labels[scored].",
        "p is the softmax of vectors @ weight.T + bias, a row a vector. Take 1 off p at the true label.",
        "The loss is the mean over the scored ones: divide by how many they are, not by all.",
        "The bias gets the sum of these rows; the weight gets gradient.T @ vectors, of the scored ones.",
    ),
    note="For the head, output.loss.backward() gives the same numbers; then it goes on, down into BERT.",
)
def head_gradients(vectors: Tensor, weight: Tensor, bias: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Give the gradients of the mean of -ln p: one for the weight, one for the bias, of their shapes.

    `vectors` is (n, size), `weight` (num_labels, size), `bias` (num_labels,). `labels` (n,) has the number of
    each vector's true label, or -100: these are left out, of the mean, too.
    """
    scored = labels != -100
    gradient = (vectors[scored] @ weight.T + bias).softmax(dim=-1)
    gradient[range(len(gradient)), labels[scored]] -= 1
    gradient /= len(gradient)
    return gradient.T @ vectors[scored], gradient.sum(dim=0)


def _of_logits(vectors: Tensor, weight: Tensor, bias: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Return the scored vectors, and p - y of each, not yet divided."""
    scored = labels != -100
    gradient = (vectors[scored] @ weight.T + bias).softmax(dim=-1)
    gradient[range(len(gradient)), labels[scored]] -= 1
    return vectors[scored], gradient


def _both(vectors: Tensor, gradient: Tensor, count: int | None = None) -> tuple[Tensor, Tensor]:
    gradient = gradient / (count or len(gradient))
    return gradient.T @ vectors, gradient.sum(dim=0)


def _gradients(*given: Tensor) -> tuple[Tensor, Tensor]:
    """Return what is right."""
    return _both(*_of_logits(*given))


def _probabilities(vectors: Tensor, weight: Tensor, bias: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Forget to take 1 off at the true label."""
    scored = labels != -100
    return _both(vectors[scored], (vectors[scored] @ weight.T + bias).softmax(dim=-1))


head_gradients.mistake(
    "This is y - p, the way downhill. The gradient is p - y, and a step goes against it.",
    lambda *given: tuple(-found for found in _gradients(*given)),
)
head_gradients.mistake("The true label is missing: take 1 off p there.", _probabilities)
head_gradients.mistake(
    "It's divided by all vectors; the mean is over those that are scored.",
    lambda vectors, weight, bias, labels: _both(*_of_logits(vectors, weight, bias, labels), len(labels)),
)
head_gradients.mistake(
    "These are sums; the loss is a mean over the scored vectors.",
    lambda *given: _both(*_of_logits(*given), 1),
)
head_gradients.mistake(
    "The vectors with label -100 count: as a place in a row, -100 mustn't be used, nor silently be label 0.",
    lambda vectors, weight, bias, labels: _both(
        *_of_logits(vectors, weight, bias, labels.clamp(min=0)), len(labels)
    ),
)
head_gradients.mistake(
    "The logits lack the bias.",
    lambda vectors, weight, bias, labels: _both(*_of_logits(vectors, weight, 0 * bias, labels)),
)
head_gradients.mistake(
    "The weight's gradient is transposed: it has a row for each label, a column for each entry of a vector.",
    lambda *given: (_gradients(*given)[0].T, _gradients(*given)[1]),
)
head_gradients.mistake(
    "The two are exchanged: the weight's gradient comes first.",
    lambda *given: _gradients(*given)[::-1],
)
