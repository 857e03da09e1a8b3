"""Exercises of chapter 06, the pooler: from counting it to the poolings around it, and a test of them.

`large_pooler`, `pool`, `mean_pool`, `max_pool`, `through_tanh`, `share_right`.
"""

from collections.abc import Callable, Iterator
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn.functional import gelu, normalize

from bertviz_lite.exercises import Case, exercise, loaded, question


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
large_pooler.mistake("Taking the first token costs nothing, but the linear map after it does.", 0)
large_pooler.mistake("There is one bias for each number that comes out, not one for all.", 1024 * 1024 + 1)
large_pooler.mistake("That is two linear maps; the pooler has one.", 2 * (1024 * 1024 + 1024))
large_pooler.mistake("tanh has no parameters: that is one gain a component too many.", 1024 * 1024 + 2 * 1024)
large_pooler.mistake(
    "That is a linear map up to intermediate_size; the pooler stays at hidden_size.", 1024 * 4096 + 4096
)


def _random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _read(*texts: str) -> tuple[Tensor, Tensor]:
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
    yield Case(_random(2, 7, 4), _random(4, 4, seed=1), _random(4, seed=2), label=label)
    hidden, _ = _read("a b", "a b a b")
    size = hidden.shape[-1]
    maps = _random(size, size, seed=3).float() / size**0.5, _random(size, seed=4).float()
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
pool.mistake("There is no linear map.", lambda states, _weight, _bias: torch.tanh(states[:, 0]))
pool.mistake(
    "That is the first token itself; a map and tanh follow.", lambda states, _weight, _: states[:, 0]
)
pool.mistake("The bias is missing.", lambda states, weight, _: torch.tanh(states[:, 0] @ weight.T))
pool.mistake(
    "The matrix is not transposed.", lambda states, weight, bias: torch.tanh(states[:, 0] @ weight + bias)
)
pool.mistake(
    "That pools every token; only the first is asked for.",
    lambda states, weight, bias: torch.tanh(states @ weight.T + bias),
)
pool.mistake(
    "states[0] is the first text; the first token of all texts is states[:, 0].",
    lambda states, weight, bias: torch.tanh(states[0] @ weight.T + bias),
)
pool.mistake(
    "That is the last place of every text, which is [SEP] or padding; take the first.",
    lambda states, weight, bias: torch.tanh(states[:, -1] @ weight.T + bias),
)
pool.mistake(
    "That is the token after [CLS]; places are counted from 0.",
    lambda states, weight, bias: torch.tanh(states[:, 1] @ weight.T + bias),
)
pool.mistake(
    "That pools the mean of all tokens; take the first.",
    lambda states, weight, bias: torch.tanh(states.mean(dim=1) @ weight.T + bias),
)
pool.mistake(
    "The activation is GELU; the pooler's is tanh.",
    lambda states, weight, bias: gelu(states[:, 0] @ weight.T + bias),
)
pool.mistake(
    "The activation is the sigmoid, between 0 and 1; the pooler's is tanh, between -1 and 1.",
    lambda states, weight, bias: torch.sigmoid(states[:, 0] @ weight.T + bias),
)
pool.mistake(
    "The activation is ReLU; the pooler's is tanh.",
    lambda states, weight, bias: torch.relu(states[:, 0] @ weight.T + bias),
)
pool.mistake(
    "tanh comes first; it belongs after the linear map.",
    lambda states, weight, bias: torch.tanh(states[:, 0]) @ weight.T + bias,
)
pool.mistake(
    "The bias is added after tanh.", lambda states, weight, bias: torch.tanh(states[:, 0] @ weight.T) + bias
)


def _masked_cases() -> Iterator[Case]:
    states = torch.tensor(
        [[[1.0, -4.0], [3.0, -2.0], [8.0, 6.0]], [[2.0, 1.0], [4.0, 5.0], [0.0, 3.0]]], dtype=torch.float64
    )
    yield Case(states, torch.tensor([[1, 1, 0], [1, 1, 1]]))
    mask = torch.tensor([[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0]])
    yield Case(_random(2, 7, 4) - 3, mask, label="states of shape (2, 7, 4), the second text padded by 4")
    yield Case(
        *_read("a b a", "a b a b a b"), label="the model's last hidden states of two texts, and the mask"
    )


@exercise(
    cases=_masked_cases,
    hints=(
        "Give the mask a last axis of length 1, attention_mask[..., None], and multiply: padding becomes 0.",
        "Add up along the tokens, then divide by how many tokens are real: the sum of the mask.",
    ),
    note="The result of a text no longer depends on the texts beside it.",
)
def mean_pool(states: Tensor, attention_mask: Tensor) -> Tensor:
    """Average the vectors of the real tokens of every text: -> (batch, hidden_size).

    `states` is (batch, seq_len, hidden_size); `attention_mask`, (batch, seq_len), is 1 for tokens, 0 for
    padding.
    """
    weights = attention_mask[..., None].to(states.dtype)
    return (states * weights).sum(dim=1) / weights.sum(dim=1)


def _weights(states: Tensor, attention_mask: Tensor) -> Tensor:
    return attention_mask[..., None].to(states.dtype)


mean_pool.mistake("Padding is averaged in: use the mask.", lambda states, _: states.mean(dim=1))
mean_pool.mistake(
    "Padding is set to 0, but still counted: divide by the number of real tokens.",
    lambda states, mask: (states * _weights(states, mask)).mean(dim=1),
)
mean_pool.mistake(
    "That is the sum of the real tokens; divide by how many they are.",
    lambda states, mask: (states * _weights(states, mask)).sum(dim=1),
)
mean_pool.mistake(
    "Divided by the real tokens, but padding is in the sum.",
    lambda states, mask: states.sum(dim=1) / _weights(states, mask).sum(dim=1),
)
mean_pool.mistake(
    "That averages over the numbers of each vector; average over the tokens, axis 1.",
    lambda states, _: states.mean(dim=-1),
)
mean_pool.mistake(
    "That averages over the texts; average over the tokens, axis 1.", lambda states, _: states.mean(dim=0)
)
mean_pool.mistake(
    "[CLS] is left out; it is one of the tokens.",
    lambda states, mask: mean_pool.reference(states[:, 1:], mask[:, 1:]),
)
mean_pool.mistake(
    "The mask is the wrong way round: it is 1 for tokens, 0 for padding.",
    lambda states, mask: mean_pool.reference(states, 1 - mask),
)
mean_pool.mistake("That is [CLS] alone.", lambda states, _: states[:, 0])
mean_pool.mistake(
    "Divided by all real tokens of the batch: each text has its own number.",
    lambda states, mask: (states * _weights(states, mask)).sum(dim=1) / mask.sum(),
)
mean_pool.mistake(
    "That is one mean over the tokens of all texts; each text has its own.",
    lambda states, mask: states[mask == 1].mean(dim=0),
)
mean_pool.mistake(
    "The counts meet the wrong axis: keep theirs, attention_mask.sum(dim=1, keepdim=True).",
    lambda states, mask: (states * _weights(states, mask)).sum(dim=1) / mask.sum(dim=1),
)


@exercise(
    cases=_masked_cases,
    hints=(
        "Multiplying by the mask makes padding 0, which may be larger than what the tokens have.",
        "states.masked_fill(attention_mask[..., None] == 0, -torch.inf), then .amax(dim=1).",
    ),
    note="Minus infinity is never the largest: padding is out, whatever its numbers are.",
)
def max_pool(states: Tensor, attention_mask: Tensor) -> Tensor:
    """Take the largest number of every component over the real tokens: -> (batch, hidden_size).

    `states` and `attention_mask` are as in `mean_pool`.
    """
    return states.masked_fill(attention_mask[..., None] == 0, -torch.inf).amax(dim=1)


max_pool.mistake("Padding takes part: use the mask.", lambda states, _: states.amax(dim=1))
max_pool.mistake(
    "Padding is set to 0, which wins wherever all tokens are below 0.",
    lambda states, mask: (states * _weights(states, mask)).amax(dim=1),
)
max_pool.mistake(
    "max(dim=1) gives two things, the numbers and their places; use amax, or take the first.",
    lambda states, mask: states.masked_fill(mask[..., None] == 0, -torch.inf).max(dim=1),
)
max_pool.mistake(
    "max(dim=1) gives two things, of which the numbers are the first; and padding takes part.",
    lambda states, _: states.max(dim=1),
)
max_pool.mistake(
    "max(dim=1) gives two things, of which the numbers are the first; and 0 is larger than what is below 0.",
    lambda states, mask: (states * _weights(states, mask)).max(dim=1),
)
max_pool.mistake(
    "Those are the places of the largest numbers, not the numbers.",
    lambda states, mask: states.masked_fill(mask[..., None] == 0, -torch.inf).argmax(dim=1),
)
max_pool.mistake(
    "That is the smallest number.",
    lambda states, mask: states.masked_fill(mask[..., None] == 0, torch.inf).amin(dim=1),
)
max_pool.mistake(
    "That is the largest by absolute value.",
    lambda states, mask: (states * _weights(states, mask)).abs().amax(dim=1),
)
max_pool.mistake(
    "That is the largest of each vector; take it over the tokens, axis 1.",
    lambda states, _: states.amax(dim=-1),
)
max_pool.mistake("That is the mean.", mean_pool.reference)
max_pool.mistake("That is [CLS] alone.", lambda states, _: states[:, 0])
max_pool.mistake(
    "The mask is the wrong way round: it is 1 for tokens, 0 for padding.",
    lambda states, mask: states.masked_fill(mask[..., None] == 1, -torch.inf).amax(dim=1),
)


def _tanh_cases() -> Iterator[Case]:
    pooled = torch.tensor([0.0, 0.5, -0.5, 0.9, 0.999], dtype=torch.float64)
    yield Case(torch.ones(5, dtype=torch.float64), pooled)
    label = "numbers of shape (2, 4), pooled between -1 and 1"
    yield Case(_random(2, 4), torch.tanh(_random(2, 4, seed=1)), label=label)


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
through_tanh.mistake("The gradient goes through unchanged.", lambda gradient, _: gradient)
through_tanh.mistake(
    "That multiplies by tanh itself; multiply by its slope.", lambda gradient, pooled: gradient * pooled
)
through_tanh.mistake(
    "That runs tanh forwards, on the gradient.", lambda gradient, _pooled: torch.tanh(gradient)
)
through_tanh.mistake("Divided by the slope; multiply.", lambda gradient, pooled: gradient / (1 - pooled**2))
through_tanh.mistake("The 1 is missing.", lambda gradient, pooled: -gradient * pooled**2)
through_tanh.mistake("The sign is turned: 1 - pooled².", lambda gradient, pooled: gradient * (pooled**2 - 1))


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
    queries, candidates = _random(40, 6, seed=5), _random(40, 5, 6, seed=6)
    candidates = candidates * (_random(40, 5, 1, seed=7).abs() + 0.1)
    candidates[:25, 0] = queries[:25] + 0.9 * _random(25, 6, seed=8)
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
    "That takes the smallest cosine.",
    _share_by(lambda queries, candidates: -_cosine(queries, candidates)),
)
share_right.mistake(
    "That takes the smallest distance; vectors that point the same way can differ in length.",
    _share_by(lambda queries, candidates: -(queries[:, None] - candidates).norm(dim=-1)),
)
share_right.mistake(
    "The right candidate is the first, number 0.",
    _share_by(_cosine, right=1),
)
share_right.mistake(
    "That is the share of all candidates of which this is true; take argmax over a question's candidates.",
    lambda queries, candidates: (_cosine(queries, candidates).argmax(dim=0) == 0).double().mean(),
)
share_right.mistake(
    "That is which candidate is nearest, for every question; asked is the share of the first.",
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
share_right.mistake(
    "That is the share of the wrong ones.",
    lambda queries, candidates: (_cosine(queries, candidates).argmax(dim=1) != 0).double().mean(),
)
share_right.mistake(
    "That is the mean cosine of the right candidates; asked is how often they are nearest.",
    lambda queries, candidates: _cosine(queries, candidates)[:, 0].mean(),
)
share_right.mistake(
    "Those are the cosines; say for which share of the questions the first is the largest.", _cosine
)
