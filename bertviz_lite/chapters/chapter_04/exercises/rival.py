"""A fair rival of any part of a network: the linear map that comes nearest to it."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _cases() -> Iterator[Case]:
    points = torch.tensor([[0.0], [1.0], [2.0], [3.0]], dtype=torch.float64)
    yield Case(points, 2 * points + 1, label="four points on the line 2x + 1")
    yield Case(points, points**2, label="four points of x squared, which no line fits")
    vectors = normal(40, 3) + 1
    wanted = torch.tanh(vectors @ normal(3, 2, seed=1)) + normal(2, seed=2)
    yield Case(vectors, wanted, label="40 vectors of 3 numbers, 2 wanted for each")


@exercise(
    cases=_cases,
    hints=(
        "A bias is the weight of one more number that is always 1: put a column of ones beside the vectors.",
        "torch.linalg.lstsq(A, B).solution is the X for which A @ X is nearest to B.",
        "Its last row belongs to the ones: the bias. The other rows are the weight, turned.",
    ),
    note="That's how *Fair rivals* fits every FFN.",
)
def nearest_linear_map(vectors: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Return weight and bias of the linear map from `vectors` that comes nearest to `wanted`.

    `vectors` is (n, in), `wanted` (n, out). The weight is (out, in), the bias (out,), as in `nn.Linear`; of
    all such maps it has the least squared error, summed over everything.
    """
    ones = torch.ones(len(vectors), 1, dtype=vectors.dtype)
    solution = torch.linalg.lstsq(torch.cat([vectors, ones], dim=-1), wanted).solution
    return solution[:-1].T, solution[-1]


def _solved(vectors: Tensor, wanted: Tensor) -> Tensor:
    ones = torch.ones(len(vectors), 1, dtype=vectors.dtype)
    solution: Tensor = torch.linalg.lstsq(torch.cat([vectors, ones], dim=-1), wanted).solution
    return solution


def _through_origin(vectors: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    weight = torch.linalg.lstsq(vectors, wanted).solution.T
    return weight, torch.zeros(len(weight), dtype=weight.dtype)


def _bias_of_means(vectors: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    return _solved(vectors, wanted)[:-1].T, wanted.mean(dim=0)


def _not_turned(vectors: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    solution = _solved(vectors, wanted)
    return solution[:-1], solution[-1]


def _first_row(vectors: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    solution = _solved(vectors, wanted)
    return solution[1:].T, solution[0]


def _leftover(vectors: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    solution = _solved(vectors, wanted - wanted.mean(dim=0))
    return solution[:-1].T, solution[-1]


nearest_linear_map.mistake("The map has no bias, so it must send 0 to 0: give it one.", _through_origin)
nearest_linear_map.mistake(
    "The bias is the mean of what is wanted; that's right only for vectors whose own mean is 0.",
    _bias_of_means,
)
nearest_linear_map.mistake(
    "The weight is (in, out); torch keeps it as (out, in): return its transpose.", _not_turned
)
nearest_linear_map.mistake("The bias is the row of the ones, which you put last: the last row.", _first_row)
nearest_linear_map.mistake(
    "The mean of what is wanted was taken away first and never given back: add it to the bias.", _leftover
)
