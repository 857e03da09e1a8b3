"""Exercises of chapter 11, fine-tuning: accuracy and macro F1, from a confusion square."""

from collections.abc import Callable

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


def _square(*rows: list[int]) -> Case:
    return Case(torch.tensor(rows, dtype=torch.float64))


@exercise(
    cases=lambda: [
        _square([6, 4], [2, 8]),
        _square([88, 2], [7, 3]),
        _square([5, 1, 0], [2, 3, 2], [0, 0, 9]),
        _square([9, 0], [3, 0]),
    ],
    hints=(
        "Right answers stand on the diagonal: counts.diagonal(). Accuracy is their sum over the sum of all.",
        "A row's sum is how often the label is true, a column's sum how often the model says it.",
        "F1 of a label is 2 · right / (called + true); macro F1 is the mean over the labels.",
    ),
    note="Where one label is nearly everywhere, accuracy is high for a model that knows it alone.",
)
def accuracy_and_macro_f1(counts: Tensor) -> tuple[Tensor, Tensor]:
    """Give accuracy and macro F1 of a square whose entry i, j counts texts of label i that were called j.

    `counts` is (num_labels, num_labels), in floating point; each label occurs.
    """
    right = counts.diagonal()
    f1 = 2 * right / (counts.sum(dim=0) + counts.sum(dim=1))
    return right.sum() / counts.sum(), f1.mean()


def _precision(counts: Tensor) -> Tensor:
    return counts.diagonal() / counts.sum(dim=0).clamp(min=1)


def _recall(counts: Tensor) -> Tensor:
    return counts.diagonal() / counts.sum(dim=1)


def _with_f1(macro: Callable[[Tensor], Tensor]) -> Callable[[Tensor], tuple[Tensor, Tensor]]:
    return lambda counts: (counts.diagonal().sum() / counts.sum(), macro(counts))


def _f1(counts: Tensor) -> Tensor:
    return 2 * counts.diagonal() / (counts.sum(dim=0) + counts.sum(dim=1))


def _f1_of_means(counts: Tensor) -> Tensor:
    precision, recall = _precision(counts).mean(), _recall(counts).mean()
    return 2 * precision * recall / (precision + recall)


accuracy_and_macro_f1.mistake(
    "The two are exchanged: accuracy comes first.",
    lambda counts: (_f1(counts).mean(), counts.diagonal().sum() / counts.sum()),
)
accuracy_and_macro_f1.mistake(
    "The first is the mean recall; accuracy is all right answers over all texts.",
    lambda counts: (_recall(counts).mean(), _f1(counts).mean()),
)
accuracy_and_macro_f1.mistake(
    "The second is the mean recall: it forgives a label that is called too often.",
    _with_f1(lambda counts: _recall(counts).mean()),
)
accuracy_and_macro_f1.mistake(
    "The second is the mean precision: it forgives a label that is missed.",
    _with_f1(lambda counts: _precision(counts).mean()),
)
accuracy_and_macro_f1.mistake(
    "In F1, the factor 2 is missing.", _with_f1(lambda counts: _f1(counts).mean() / 2)
)
accuracy_and_macro_f1.mistake(
    "The second takes the mean of precision and recall for F1; it is their harmonic mean.",
    _with_f1(lambda counts: (_precision(counts).mean() + _recall(counts).mean()) / 2),
)
accuracy_and_macro_f1.mistake(
    "The second is the F1 of the mean precision and the mean recall; take each label's F1, then the mean.",
    _with_f1(_f1_of_means),
)
accuracy_and_macro_f1.mistake(
    "Here frequent labels count more; in macro F1 all labels count alike.",
    _with_f1(lambda counts: (_f1(counts) * counts.sum(dim=1)).sum() / counts.sum()),
)
accuracy_and_macro_f1.mistake("The second is each label's F1; macro F1 is their mean.", _with_f1(_f1))
accuracy_and_macro_f1.mistake(
    "These are sums over the labels; macro F1 is the mean.", _with_f1(lambda counts: _f1(counts).sum())
)
