"""The activation of the feed-forward network."""

import math
from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import gelu

from bertviz_lite.exercises import Case, exercise


def _gelu_cases() -> Iterator[Case]:
    yield Case(torch.tensor([-2.0, -0.5, 0.0, 1.0, 3.0], dtype=torch.float64))
    yield Case(torch.linspace(-4, 4, 21, dtype=torch.float64).reshape(3, 7), label="(3, 7) numbers, -4 to 4")


@exercise(
    cases=_gelu_cases,
    hints=(
        "It is x times the share of a standard normal distribution that lies below x.",
        "That share is (1 + erf(x / √2)) / 2; torch.erf works on tensors.",
    ),
    note="The same numbers as torch.nn.functional.gelu gives.",
)
def exact_gelu(x: Tensor) -> Tensor:
    """GELU in its exact form, for every number of a tensor of any shape.

    Hendrycks and Gimpel, 2016, "Gaussian Error Linear Units".
    """
    return x * (1 + torch.erf(x / math.sqrt(2))) / 2


exact_gelu.mistake(
    "This is the approximation by tanh: close, but not the exact form.", partial(gelu, approximate="tanh")
)
exact_gelu.mistake(
    "This is the approximation x · sigmoid(1.702 x), not the exact form.",
    lambda x: x * torch.sigmoid(1.702 * x),
)
exact_gelu.mistake(
    "This is the share alone, between 0 and 1: multiply it by x.",
    lambda x: (1 + torch.erf(x / math.sqrt(2))) / 2,
)
exact_gelu.mistake("erf is given x itself: divide by √2 first.", lambda x: x * (1 + torch.erf(x)) / 2)
exact_gelu.mistake("It is twice as large: divide by 2.", lambda x: x * (1 + torch.erf(x / math.sqrt(2))))
