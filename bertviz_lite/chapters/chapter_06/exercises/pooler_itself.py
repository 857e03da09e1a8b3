"""The pooler of BERT: its size, what it computes, and its gradient."""

from collections.abc import Iterator
from typing import Any, cast

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, loaded, normal, question


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


def last_states(*texts: str) -> tuple[Tensor, Tensor]:
    """Run the chapters' model; last hidden states and attention mask."""
    tokenizer, model = loaded()
    batch = tokenizer(list(texts), padding=True, return_tensors="pt")
    with torch.no_grad():
        hidden = cast(Any, model.base_model)(**batch).last_hidden_state
    return hidden, batch["attention_mask"]


def _pool_cases() -> Iterator[Case]:
    states = torch.tensor([[[1.0, 0.0], [5.0, 5.0], [3.0, 1.0]]], dtype=torch.float64)
    weight = torch.tensor([[0.5, 1.0], [0.0, 2.0]], dtype=torch.float64)
    bias = torch.tensor([0.25, -0.5], dtype=torch.float64)
    yield Case(states, weight, bias)
    label = "states of shape (2, 7, 4), weight (4, 4), bias (4,)"
    yield Case(normal(2, 7, 4), normal(4, 4, seed=1), normal(4, seed=2), label=label)
    hidden, _ = last_states("a b", "a b a b")
    size = hidden.shape[-1]
    maps = normal(size, size, seed=3).float() / size**0.5, normal(size, seed=4).float()
    yield Case(hidden, *maps, label="the model's last hidden states of two texts, a random weight and bias")


@exercise(
    cases=_pool_cases,
    hints=(
        "The first token of every text: states[:, 0], of shape (batch, hidden_size).",
        "A linear map keeps its matrix as (numbers out, numbers in): multiply by its transpose, `.T`.",
    ),
    note="With the weight and bias of model.base_model.pooler.dense it is the library's pooler_output.",
)
def pool(states: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Make the pooled vector of every text: (batch, seq_len, hidden_size) -> (batch, hidden_size).

    `weight` is (hidden_size, hidden_size) and `bias` (hidden_size,), as `torch.nn.Linear` keeps them.
    """
    return torch.tanh(states[:, 0] @ weight.T + bias)


pool.mistake("There is no tanh.", lambda states, weight, bias: states[:, 0] @ weight.T + bias)
pool.mistake(
    "That is the first token itself; a map and tanh follow.", lambda states, _weight, _: states[:, 0]
)
pool.mistake("The bias is missing.", lambda states, weight, _: torch.tanh(states[:, 0] @ weight.T))
pool.mistake(
    "The matrix is not transposed.", lambda states, weight, bias: torch.tanh(states[:, 0] @ weight + bias)
)
pool.mistake(
    "That pools every token; only the first is needed.",
    lambda states, weight, bias: torch.tanh(states @ weight.T + bias),
)
pool.mistake(
    "states[0] is the first text; the first token of all texts is states[:, 0].",
    lambda states, weight, bias: torch.tanh(states[0] @ weight.T + bias),
)
pool.mistake(
    "That pools the mean of all tokens; take the first.",
    lambda states, weight, bias: torch.tanh(states.mean(dim=1) @ weight.T + bias),
)


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
