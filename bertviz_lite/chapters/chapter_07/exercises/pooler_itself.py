"""The pooler of BERT: its size, and its gradient."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal, question


@question(
    hints=(
        "The pooler is one linear map and a tanh; tanh has nothing to learn.",
        "A linear map from a numbers to b numbers has a · b weights and b biases. Here a and b are equal.",
    ),
    note="A third of a percent of the model.",
    rtol=1e-9,
)
def large_pooler() -> int:
    """Say how many parameters the pooler of BERT-Large has; its hidden_size is 1,024."""
    hidden_size = 1024
    return hidden_size * hidden_size + hidden_size


large_pooler.mistake("The biases are missing.", 1024 * 1024)
large_pooler.mistake("That is the pooler of BERT-Base; Large has a hidden_size of 1,024.", 590_592)
large_pooler.mistake("There is one bias for each number of the result, not one for all.", 1024 * 1024 + 1)


def _tanh_cases() -> Iterator[Case]:
    pooled = torch.tensor([0.0, 0.5, -0.5, 0.9, 0.999], dtype=torch.float64)
    yield Case(torch.ones(5, dtype=torch.float64), pooled)
    label = "numbers of shape (2, 4), pooled between -1 and 1"
    yield Case(normal(2, 4), torch.tanh(normal(2, 4, seed=1)), label=label)


@exercise(
    cases=_tanh_cases,
    hints=(
        "The slope of tanh at x is 1 - tanh(x)². What is tanh(x) here?",
        "`pooled` is tanh(x) already. Chain rule: what arrives, times the slope.",
    ),
    note="Where pooled is 0.999, two thousandths of the gradient are left.",
)
def through_tanh(gradient: Tensor, pooled: Tensor) -> Tensor:
    """Send a gradient back through tanh: from the pooled vector to what the linear map has given.

    `gradient` is that of the loss with respect to `pooled`, which is what tanh has given; of equal shape.
    """
    return gradient * (1 - pooled**2)


through_tanh.mistake(
    "tanh is applied once more: `pooled` is what tanh has given already.",
    lambda gradient, pooled: gradient * (1 - torch.tanh(pooled) ** 2),
)
through_tanh.mistake(
    "That is the slope alone: multiply it by the gradient that arrives.", lambda _, pooled: 1 - pooled**2
)
through_tanh.mistake("The square is missing.", lambda gradient, pooled: gradient * (1 - pooled))
through_tanh.mistake(
    "That is the slope of the sigmoid, p (1 - p).", lambda gradient, pooled: gradient * pooled * (1 - pooled)
)
through_tanh.mistake(
    "That multiplies by tanh itself; multiply by its slope.", lambda gradient, pooled: gradient * pooled
)
