"""The loss that pulls a text to its partner and away from all other candidates."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn.functional import normalize

from bertviz_lite.chapters.chapter_07.exercises.all_candidates import (
    all_cosines,
    own_cosines,
    partners_of,
)
from bertviz_lite.exercises import Case, exercise, normal


def _contrast_cases() -> Iterator[Case]:
    queries = torch.tensor([[1.0, 0.0], [0.0, 2.0]], dtype=torch.float64)
    candidates = torch.tensor(
        [[[3.0, 1.0], [0.0, 1.0]], [[1.0, 1.0], [-1.0, 0.5]]],
        dtype=torch.float64,
    )
    yield Case(queries, candidates, 0.5, label="2 queries of 2 numbers, 2 candidates each, temperature 0.5")
    queries, candidates = 3 * normal(6, 5, seed=11), normal(6, 3, 5, seed=12)
    candidates[:, 0] += queries
    yield Case(queries, candidates, 0.2, label="6 queries of 5 numbers, 3 candidates each, temperature 0.2")


@exercise(
    cases=_contrast_cases,
    hints=(
        "Cosines first: normalize(queries, dim=-1) gives vectors of length 1; so for the candidates.",
        "All candidates in one list: every = candidates.flatten(0, 1); queries @ every.T compares all.",
        "Divide, then log_softmax(dim=-1). With k candidates each, query i's partner is number i · k.",
    ),
    note="tuning.tune, which trained the chapter's models, computes just that at a temperature of 0.05.",
)
def contrastive_loss(queries: Tensor, candidates: Tensor, temperature: float) -> Tensor:
    """Give the mean over the queries of -ln p(partner), p being a softmax over all candidates of the batch.

    `queries` is (batch, hidden_size), `candidates` (batch, how many, hidden_size): the first of each query
    is its partner. What is softmaxed: cosines, divided by the temperature.
    """
    every = normalize(candidates, dim=-1).flatten(0, 1)
    log_p = (normalize(queries, dim=-1) @ every.T / temperature).log_softmax(dim=-1)
    partners = torch.arange(len(queries)) * candidates.shape[1]
    return -log_p[torch.arange(len(queries)), partners].mean()


def _loss(scores: Tensor, partners: Tensor) -> Tensor:
    return -scores.log_softmax(dim=-1)[torch.arange(len(scores)), partners].mean()


_Answer = Callable[[Tensor, Tensor, float], Tensor]


def _with(scores: Callable[[Tensor, Tensor, float], Tensor]) -> _Answer:
    return lambda queries, candidates, temperature: _loss(
        scores(queries, candidates, temperature), partners_of(candidates)
    )


contrastive_loss.mistake(
    "Those are dot products: long vectors count more. Divide by the lengths first.",
    _with(lambda queries, candidates, temperature: queries @ candidates.flatten(0, 1).T / temperature),
)
contrastive_loss.mistake(
    "The temperature is missing: divide the cosines by it.",
    _with(lambda queries, candidates, _: all_cosines(queries, candidates)),
)
contrastive_loss.mistake(
    "That multiplies by the temperature: divide by it.",
    _with(lambda queries, candidates, temperature: all_cosines(queries, candidates) * temperature),
)
contrastive_loss.mistake(
    "Each query is compared with its own candidates only; those of the others are wrong answers too.",
    lambda queries, candidates, temperature: _loss(
        own_cosines(queries, candidates) / temperature,
        torch.zeros(len(queries), dtype=torch.long),
    ),
)
contrastive_loss.mistake(
    "The partner of query number i is not number i of the list: each query brings several candidates.",
    lambda queries, candidates, temperature: _loss(
        all_cosines(queries, candidates) / temperature, torch.arange(len(queries))
    ),
)
contrastive_loss.mistake(
    "That is the sum over the queries; take the mean.",
    lambda queries, candidates, temperature: (
        len(queries) * _loss(all_cosines(queries, candidates) / temperature, partners_of(candidates))
    ),
)
contrastive_loss.mistake(
    "The sign: a loss is -ln p, never below 0.",
    lambda queries, candidates, temperature: (
        -_loss(all_cosines(queries, candidates) / temperature, partners_of(candidates))
    ),
)
