"""How often the right text is nearest."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn.functional import normalize

from bertviz_lite.exercises import Case, exercise, normal


def _nearest_cases() -> Iterator[Case]:
    queries = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [3.0, -1.0]], dtype=torch.float64)
    candidates = torch.tensor(
        [
            [[0.5, 0.1], [4.0, 4.0], [-1.0, 0.0]],
            [[1.0, 0.5], [0.1, 0.6], [9.0, 9.5]],
            [[2.0, 1.9], [0.0, 8.0], [1.0, -1.0]],
            [[0.6, -0.2], [-9.0, 1.0], [6.0, 2.0]],
        ],
        dtype=torch.float64,
    )
    yield Case(queries, candidates, label="4 queries of 2 numbers, with 3 candidates each")
    queries, candidates = normal(40, 6, seed=5), normal(40, 5, 6, seed=6)
    candidates = candidates * (normal(40, 5, 1, seed=7).abs() + 0.1)
    candidates[:25, 0] = queries[:25] + 0.9 * normal(25, 6, seed=8)
    yield Case(queries, candidates, label="40 queries of 6 numbers, with 5 candidates each")


@exercise(
    cases=_nearest_cases,
    hints=(
        "The cosine: make every vector as long as 1 (divide by its norm), multiply, add up.",
        "queries[:, None] has a place for the candidates: shape (questions, 1, hidden_size).",
        "argmax(dim=1) says which candidate is nearest; the right one is number 0.",
    ),
    note="That is the score of this chapter.",
)
def share_right(queries: Tensor, candidates: Tensor) -> Tensor:
    """Say for which share of the questions the first candidate is nearest to the query, by the cosine.

    `queries` is (questions, hidden_size), `candidates` (questions, how many, hidden_size).
    """
    cosines = (normalize(queries, dim=-1)[:, None] * normalize(candidates, dim=-1)).sum(dim=-1)
    return (cosines.argmax(dim=1) == 0).double().mean()


_Similar = Callable[[Tensor, Tensor], Tensor]


def _cosine(queries: Tensor, candidates: Tensor) -> Tensor:
    return (normalize(queries, dim=-1)[:, None] * normalize(candidates, dim=-1)).sum(dim=-1)


def _share_by(similar: _Similar, right: int = 0) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda queries, candidates: (similar(queries, candidates).argmax(dim=1) == right).double().mean()


share_right.mistake(
    "That is the dot product: long vectors win. Divide by the lengths.",
    _share_by(lambda queries, candidates: (queries[:, None] * candidates).sum(dim=-1)),
)
share_right.mistake(
    "That takes the smallest distance; vectors that point the same way can differ in length.",
    _share_by(lambda queries, candidates: -(queries[:, None] - candidates).norm(dim=-1)),
)
share_right.mistake(
    "That is the share of all candidates of which this is true; take argmax over a question's candidates.",
    lambda queries, candidates: (_cosine(queries, candidates).argmax(dim=0) == 0).double().mean(),
)
share_right.mistake(
    "That is which candidate is nearest, for every question; the question is the share of the first.",
    lambda queries, candidates: _cosine(queries, candidates).argmax(dim=1),
)
share_right.mistake(
    "That is right or wrong for every question; take the mean.",
    lambda queries, candidates: _cosine(queries, candidates).argmax(dim=1) == 0,
)
share_right.mistake(
    "That is how many, not which share.",
    lambda queries, candidates: (_cosine(queries, candidates).argmax(dim=1) == 0).double().sum(),
)
