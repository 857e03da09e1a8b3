"""From a token's vector to its query, and from the query to the weights."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _weights_cases() -> Iterator[Case]:
    by_hand = torch.tensor([[1.0, 0.0], [1.0, 1.0]]).double()
    keys = torch.tensor([[1.0, -1.0], [1.0, 1.0], [-1.0, -1.0]]).double()
    yield Case(torch.ones(2).double(), by_hand, torch.zeros(2).double(), keys)
    yield Case(torch.tensor([0.0, 2.0]).double(), by_hand, torch.tensor([1.0, -1.0]).double(), keys)
    yield Case(
        normal(6),
        normal(6, 3, seed=1),
        normal(3, seed=2),
        normal(4, 3, seed=3),
        label="random numbers: vector (6,), matrix (6, 3), bias (3,), keys (4, 3)",
    )


@exercise(
    cases=_weights_cases,
    hints=(
        "The query: vector @ matrix + bias, of shape (head_size,).",
        "One dot product for each key: keys @ query. Divide them by the root of head_size.",
        "Softmax turns the scores into weights: scores.softmax(dim=-1).",
    ),
    note="Keys and values are made in the same way, each with a matrix and a bias of its own.",
)
def weights_of_query(vector: Tensor, matrix: Tensor, bias: Tensor, keys: Tensor) -> Tensor:
    """Make the query of a token's vector, then its weight on each key: (n, head_size) keys -> (n,) weights.

    `vector` is (hidden_size,), `matrix` (hidden_size, head_size), `bias` (head_size,).
    """
    query = vector @ matrix + bias
    scores = keys @ query / query.shape[-1] ** 0.5
    weights: Tensor = scores.softmax(dim=-1)
    return weights


weights_of_query.mistake(
    "The bias is missing: it is added to the query.", lambda x, m, b, k: _weights(k @ (x @ m), m.shape[1])
)
weights_of_query.mistake(
    "The matrix is the wrong way round: vector @ matrix adds up its rows, not its columns.",
    lambda x, m, b, k: _weights(k @ (m @ x + b), m.shape[1]),
)
weights_of_query.mistake(
    "The division by the root of head_size is missing.", lambda x, m, b, k: _weights(k @ (x @ m + b), 1)
)
weights_of_query.mistake(
    "The scores are divided by head_size itself: take its square root.",
    lambda x, m, b, k: _weights(k @ (x @ m + b), m.shape[1] ** 2),
)
weights_of_query.mistake(
    "The scores are divided by the root of hidden_size; it is that of head_size, as long as a query is.",
    lambda x, m, b, k: _weights(k @ (x @ m + b), m.shape[0]),
)
weights_of_query.mistake(
    "These are the scores: softmax turns them into weights.",
    lambda x, m, b, k: k @ (x @ m + b) / m.shape[1] ** 0.5,
)
weights_of_query.mistake("This is the query: compare it with each key.", lambda x, m, b, _k: x @ m + b)


def _weights(dots: Tensor, size: int) -> Tensor:
    weights: Tensor = (dots / size**0.5).softmax(dim=-1)
    return weights
