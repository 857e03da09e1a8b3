"""Exercises of chapter 13, a real BERT: the nearest text."""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn.functional import normalize

from bertviz_lite.exercises import Case, exercise, normal


def _table_cases() -> Iterator[Case]:
    yield Case(torch.tensor([[1.0, 0.0], [9.0, 9.0], [2.0, 0.5], [-1.0, 0.0]]).double(), 0, 2)
    yield Case(normal(30, 5), 7, 4, label="a table of 30 rows of 5, row 7, 4 neighbours")
    yield Case(normal(12, 3, seed=2) + 1, 11, 3, label="a table of 12 rows of 3, the last row, 3 neighbours")


@exercise(
    cases=_table_cases,
    hints=(
        "Bring all rows to length 1; then table @ table[row] is the cosine of every row with that one.",
        "A row is its own nearest: set its cosine to -inf before topk(count).indices.",
    ),
)
def nearest(table: Tensor, row: int, count: int) -> Tensor:
    """Find the `count` rows of a table with the largest cosine to row number `row`, itself left out.

    `table` is (vocab_size, hidden_size). Give their numbers, the nearest first.
    """
    unit = normalize(table, dim=-1)
    cosines = unit @ unit[row]
    cosines[row] = -torch.inf
    return cosines.topk(count).indices


@nearest.mistake("Each row is its own nearest neighbour: leave it out.")
def _itself(table: Tensor, row: int, count: int) -> Tensor:
    unit = normalize(table, dim=-1)
    return (unit @ unit[row]).topk(count).indices


@nearest.mistake("Those are the largest dot products: long rows win. Bring the rows to length 1 first.")
def _dots(table: Tensor, row: int, count: int) -> Tensor:
    dots = table @ table[row]
    dots[row] = -torch.inf
    return dots.topk(count).indices


@nearest.mistake("Those are the smallest distances; take the largest cosines.")
def _distances(table: Tensor, row: int, count: int) -> Tensor:
    apart = (table - table[row]).norm(dim=-1)
    apart[row] = torch.inf
    smallest: Tensor = apart.topk(count, largest=False).indices
    return smallest


@nearest.mistake("Those are the farthest: the smallest cosines.")
def _farthest(table: Tensor, row: int, count: int) -> Tensor:
    unit = normalize(table, dim=-1)
    return (unit @ unit[row]).topk(count, largest=False).indices


@nearest.mistake("Those are the cosines; give the numbers of the rows (`.indices`).")
def _values(table: Tensor, row: int, count: int) -> Tensor:
    unit = normalize(table, dim=-1)
    cosines = unit @ unit[row]
    cosines[row] = -torch.inf
    return cosines.topk(count).values
