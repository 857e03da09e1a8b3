"""Exercises of chapter 13, a real BERT: a word sense by its neighbours."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _senses_cases() -> Iterator[Case]:
    vectors = torch.tensor([[0.0], [1.0], [4.0], [4.5], [5.0], [1.4]]).double()
    yield Case(vectors, torch.tensor([0, 0, 1, 1, 1, 1]))
    labels = torch.arange(12) % 2
    yield Case(normal(12, 3) + 0.6 * labels[:, None], labels, label="12 vectors of 3, two senses in turn")
    labels = torch.tensor([0, 1, 1, 0, 1, 1, 1, 0])
    yield Case(normal(8, 5, seed=4), labels, label="8 vectors of 5 at random, two senses, 3 and 5 of them")


@exercise(
    cases=_senses_cases,
    hints=(
        "For vector i, average the others of either label: keep = torch.arange(len(labels)) != i.",
        "(vectors[i] - centroid).norm() for both centroids; right where its own label's is smaller.",
    ),
    note="With few vectors the one that is left out matters much.",
)
def leave_one_out(vectors: Tensor, labels: Tensor) -> Tensor:
    """Give the share of the vectors whose nearest centroid is that of their own label.

    `vectors` is (n, size), `labels` (n,) of 0 and 1. The centroid of a label is the mean of its vectors,
    *without* the vector that is classified. Near is the Euclidean distance.
    """
    hits = []
    for i, label in enumerate(labels):
        others = torch.arange(len(labels)) != i
        means = torch.stack([vectors[others & (labels == sense)].mean(dim=0) for sense in (0, 1)])
        hits.append((vectors[i] - means).norm(dim=-1).argmin() == label)
    return torch.stack(hits).double().mean()


def _own_in(vectors: Tensor, labels: Tensor) -> Tensor:
    means = torch.stack([vectors[labels == sense].mean(dim=0) for sense in (0, 1)])
    return (torch.cdist(vectors, means).argmin(dim=1) == labels).double()


leave_one_out.mistake(
    "Each vector is part of the centroid that it is compared with: leave it out.",
    lambda vectors, labels: _own_in(vectors, labels).mean(),
)


@leave_one_out.mistake("That is the number of right ones; divide it by how many vectors there are.")
def _number(vectors: Tensor, labels: Tensor) -> Tensor:
    share = leave_one_out.reference(vectors, labels)
    assert isinstance(share, Tensor)
    return share * len(labels)


@leave_one_out.mistake("That takes the nearest single vector; a label's vectors are to be averaged first.")
def _neighbour(vectors: Tensor, labels: Tensor) -> Tensor:
    apart = torch.cdist(vectors, vectors).fill_diagonal_(torch.inf)
    return (labels[apart.argmin(dim=1)] == labels).double().mean()
