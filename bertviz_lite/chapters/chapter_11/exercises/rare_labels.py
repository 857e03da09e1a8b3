"""Exercises of chapter 11, fine-tuning: weights for rare labels."""

from collections import Counter

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [
        Case([0, 0, 0, 0, 0, 0, 1, 1, 2], 3),
        Case([1, 1, 1, 0], 2),
        Case([2, 0, 0, 1, 1, 2, 2, 0, 0, 0], 3),
        Case([0, 3, 1, 2, 0, 0, 1], 4),
    ],
    hints=(
        "torch.bincount(torch.tensor(labels), minlength=num_labels) counts how often each label occurs.",
        "A label twice as rare weighs twice as much: 1 / count.",
        "Divide by the mean of these, so that the mean weight is 1 and the loss keeps its size.",
    ),
    note="cross_entropy(logits, labels, weights) multiplies each example's loss by its label's weight.",
)
def label_weights(labels: list[int], num_labels: int) -> Tensor:
    """Give each label a weight proportional to 1 / (how often it occurs), with a mean over the labels of 1.

    Every label occurs at least once. The result is (num_labels,), float64.
    """
    weights = 1 / torch.bincount(torch.tensor(labels), minlength=num_labels).double()
    return weights / weights.mean()


def _inverse(labels: list[int], num_labels: int) -> Tensor:
    return 1 / torch.bincount(torch.tensor(labels), minlength=num_labels).double()


label_weights.mistake(
    "Frequent labels weigh more here; the rare ones should.",
    lambda labels, n: 1 / _inverse(labels, n) / (1 / _inverse(labels, n)).mean(),
)
label_weights.mistake("The mean weight is not 1: divide by the mean.", _inverse)
label_weights.mistake(
    "These are 1 / share, whose mean is not 1: divide by the mean.",
    lambda labels, n: len(labels) * _inverse(labels, n),
)
label_weights.mistake(
    "The weights have the sum 1; they should have the mean 1.",
    lambda labels, n: _inverse(labels, n) / _inverse(labels, n).sum(),
)
label_weights.mistake(
    "These have a mean of 1 over the examples, 1 / (share · num_labels); it is to be 1 over the labels.",
    lambda labels, n: len(labels) * _inverse(labels, n) / n,
)
label_weights.mistake(
    "This has a weight for each example; give one for each label.",
    lambda labels, n: (_inverse(labels, n) / _inverse(labels, n).mean())[torch.tensor(labels)],
)


def _by_frequency(labels: list[int], _: int) -> Tensor:
    counts = torch.tensor([count for _, count in Counter(labels).most_common()], dtype=torch.float64)
    return (1 / counts) / (1 / counts).mean()


label_weights.mistake(
    "The weights are in the order of how often the labels occur; entry k belongs to label k.", _by_frequency
)
