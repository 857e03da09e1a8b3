"""How often a search engine finds the right text among its first answers."""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn.functional import normalize

from bertviz_lite.chapters.chapter_07.exercises.all_candidates import (
    all_cosines,
    own_cosines,
    partners_of,
)
from bertviz_lite.exercises import Case, exercise, normal


def _search_cases() -> Iterator[Case]:
    queries = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], dtype=torch.float64)
    candidates = torch.tensor(
        [[[0.5, 0.1], [-1.0, 3.0]], [[1.0, 0.5], [9.0, 8.0]], [[-1.0, 0.9], [6.0, 1.0]]], dtype=torch.float64
    )
    for k in (1, 2):
        label = f"3 queries of 2 numbers, 2 candidates each, k = {k}"
        yield Case(queries, candidates, k, label=label)
    queries, candidates = normal(40, 6, seed=5), normal(40, 5, 6, seed=6)
    candidates = candidates * (normal(40, 5, 1, seed=7).abs() + 0.1)
    candidates[:25, 0] = queries[:25] + 0.9 * normal(25, 6, seed=8)
    yield Case(queries, candidates, 3, label="40 queries of 6 numbers, 5 candidates each, k = 3")


@exercise(
    cases=_search_cases,
    hints=(
        "All candidates on one heap: candidates.flatten(0, 1). Then one product compares all with all.",
        "Where does the heap have query i's partner? Each query before it brought several candidates.",
        "No need to sort: the partner is among the k nearest if fewer than k texts are closer than it is.",
    ),
    note="That's recall at k. Now try yours on the trained mean: the lines below do.",
)
def recall_at(queries: Tensor, candidates: Tensor, k: int) -> Tensor:
    """Say for which share of the queries the partner is among the k nearest of all candidates, by the cosine.

    `queries` is (questions, hidden_size), `candidates` (questions, how many, hidden_size): the first of each
    question is its query's partner. Every query searches the candidates of all questions.
    """
    heap = normalize(candidates, dim=-1).flatten(0, 1)
    cosines = normalize(queries, dim=-1) @ heap.T  # (questions, all candidates)
    partners = torch.arange(len(queries)) * candidates.shape[1]  # their places in the heap
    own = cosines[torch.arange(len(queries)), partners]
    closer = (cosines > own[:, None]).sum(dim=1)  # how many stand before the partner
    return (closer < k).double().mean()


def _share(cosines: Tensor, partners: Tensor, k: int) -> Tensor:
    own = cosines[torch.arange(len(cosines)), partners]
    return ((cosines > own[:, None]).sum(dim=1) < k).double().mean()


recall_at.mistake(
    "That's the dot product: long vectors come first. Divide by the lengths.",
    lambda queries, candidates, k: _share(queries @ candidates.flatten(0, 1).T, partners_of(candidates), k),
)
recall_at.mistake(
    "That goes by the distance; vectors that point the same way may differ in length.",
    lambda queries, candidates, k: _share(
        -torch.cdist(queries, candidates.flatten(0, 1)), partners_of(candidates), k
    ),
)
recall_at.mistake(
    "Each query searches its own candidates only; it should search those of all questions.",
    lambda queries, candidates, k: _share(
        own_cosines(queries, candidates), torch.zeros(len(queries), dtype=torch.long), k
    ),
)
recall_at.mistake(
    "The partner of query number i isn't number i of the heap: each query brings several candidates.",
    lambda queries, candidates, k: _share(all_cosines(queries, candidates), torch.arange(len(queries)), k),
)
recall_at.mistake(
    "One too many: with k texts closer than the partner, it's number k + 1.",
    lambda queries, candidates, k: _share(all_cosines(queries, candidates), partners_of(candidates), k + 1),
)
recall_at.mistake(
    "That counts any of the query's own candidates as found; only the first is its partner.",
    lambda queries, candidates, k: (
        (
            all_cosines(queries, candidates).topk(k).indices // candidates.shape[1]
            == torch.arange(len(queries))[:, None]
        )
        .any(dim=1)
        .double()
        .mean()
    ),
)
recall_at.mistake(
    "That's how many, not which share.",
    lambda queries, candidates, k: (
        len(queries) * _share(all_cosines(queries, candidates), partners_of(candidates), k)
    ),
)
