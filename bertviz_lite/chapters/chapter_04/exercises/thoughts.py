"""A thought that a sum cannot have: one of two facts, but not both."""

from collections.abc import Callable, Iterator
from typing import TypeAlias, cast

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise

Weights: TypeAlias = tuple[Tensor, Tensor, Tensor]

_CORNERS = {
    "thirsty 0, glass 0": (0.0, 0.0),
    "thirsty 1, glass 0": (1.0, 0.0),
    "thirsty 0, glass 1": (0.0, 1.0),
    "thirsty 1, glass 1": (1.0, 1.0),
}

_SHAPES = {"up": (2, 2), "up_bias": (2,), "down": (2,)}


def _corner_cases() -> Iterator[Case]:
    for label, facts in _CORNERS.items():
        yield Case(torch.tensor(facts, dtype=torch.float64), label=label)


def _think(answer: Callable[[], object], facts: Tensor) -> object:
    """Run facts, (..., 2), through the answer's weights: up, ReLU, down."""
    weights = answer()
    if weights is None or weights is ...:
        return weights
    if not isinstance(weights, tuple | list) or len(weights) != len(_SHAPES):
        raise ValueError("three tensors are needed: up, up_bias, down.")
    given = [torch.as_tensor(cast(Tensor, part)).double() for part in weights]
    for (name, shape), part in zip(_SHAPES.items(), given, strict=True):
        if tuple(part.shape) != shape:
            raise ValueError(f"{name} has the shape {tuple(part.shape)}; {shape} is needed.")
    up, up_bias, down = given
    return torch.relu(facts @ up.T + up_bias) @ down


@exercise(
    cases=_corner_cases,
    call=_think,
    hints=(
        "Let the first inner number count the facts: 0, 1, 1, 2. Where is that wrong?",
        "Only at both. The chapter's inner number speaks there alone; `down` may be negative.",
        "ReLU(thirsty + glass) − 2 · ReLU(thirsty + glass − 1).",
    ),
    note="There are other ways: one inner number for each fact alone, added up.",
)
def one_but_not_both() -> Weights:
    """Return `up`, `up_bias` and `down` of a tiny FFN: 1 if exactly one of two facts holds, else 0.

    `up` is (2, 2), a row for each inner number; `up_bias` and `down` are (2,). The activation is ReLU.
    """
    up = torch.tensor([[1.0, 1.0], [1.0, 1.0]])  # both inner numbers count the facts
    up_bias = torch.tensor([0.0, -1.0])  # the second begins to speak above 1
    down = torch.tensor([1.0, -2.0])
    return up, up_bias, down


def _counting(bias: tuple[float, float], down: tuple[float, float]) -> Callable[[], Weights]:
    """Weights with two inner numbers that both count the facts."""
    return lambda: (torch.ones(2, 2), torch.tensor(bias), torch.tensor(down))


one_but_not_both.mistake("This is *and*: it speaks only at both.", _counting((0, -1), (0, 1)))
one_but_not_both.mistake(
    "This is *or*: it speaks at both, too. Not enough is taken away there.", _counting((0, -1), (1, -1))
)
one_but_not_both.mistake("This counts the facts: at both it gives 2.", _counting((0, -1), (1, 0)))
one_but_not_both.mistake(
    "The second inner number is added; at both, it has to take something away.", _counting((0, -1), (1, 2))
)
one_but_not_both.mistake(
    "Both inner numbers are the same: without a bias they are cut off at the same place.",
    _counting((0, 0), (1, -2)),
)
one_but_not_both.mistake(
    "This is the opposite: it speaks at none and at both.",
    lambda: (torch.tensor([[-1.0, -1.0], [1.0, 1.0]]), torch.tensor([1.0, -1.0]), torch.ones(2)),
)
one_but_not_both.mistake(
    "This is *thirsty, but no glass*. The other way round is missing.",
    lambda: (torch.tensor([[1.0, -1.0], [-1.0, 1.0]]), torch.zeros(2), torch.tensor([1.0, 0.0])),
)
one_but_not_both.mistake(
    "This is *a glass, but not thirsty*. The other way round is missing.",
    lambda: (torch.tensor([[1.0, -1.0], [-1.0, 1.0]]), torch.zeros(2), torch.tensor([0.0, 1.0])),
)
