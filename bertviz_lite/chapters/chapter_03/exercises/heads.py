"""A head that reads another text, and a decoder's head."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _mask(query_len: int, *lengths: int) -> Tensor:
    """Make an additive mask (batch, query_len, key_len) that leaves each text its first tokens."""
    visible = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    mask = torch.zeros(visible.shape, dtype=torch.float64).masked_fill(~visible, -1e30)
    return mask[:, None, :].repeat(1, query_len, 1)


def _head_cases() -> Iterator[Case]:
    query = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]], dtype=torch.float64)
    key = torch.tensor([[1.0, 0, 0, 0], [0, 2.0, 0, 0], [1.0, 1.0, 0, 0]], dtype=torch.float64)
    value = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], dtype=torch.float64)
    yield Case(query, key, value, torch.zeros(2, 3, dtype=torch.float64))
    hidden = torch.tensor([[0.0, 0.0, -1e30], [0.0, -1e30, 0.0]], dtype=torch.float64)
    yield Case(query, key, value, hidden)
    yield Case(query, key, value, torch.tensor([[0.0, -2.0, 2.0], [2.0, 0.0, -2.0]], dtype=torch.float64))
    yield Case(
        2 * normal(2, 3, 6),
        normal(2, 5, 6, seed=1),
        normal(2, 5, 4, seed=2),
        _mask(3, 5, 2),
        label="query (2, 3, 6), key (2, 5, 6), value (2, 5, 4); of the second text 2 tokens are no padding",
    )


_Scores: TypeAlias = Callable[[Tensor, Tensor], Tensor]


@exercise(
    cases=_head_cases,
    hints=(
        "Scores: query @ key.transpose(-1, -2), one row for each query, divided by the root of head_size.",
        "Add the mask to the scores, then softmax over the keys: the last axis.",
        "The weights, (query_len, key_len), times the values, (key_len, head_size).",
    ),
    note="Three lines: they are the whole of attention.",
)
def cross_head(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    """Let every query read from the values: (…, query_len, head_size) -> (…, query_len, size of a value).

    `key` is (…, key_len, head_size), `value` (…, key_len, any size), `mask` (…, query_len, key_len) is added
    to the scaled scores. Vaswani et al., 2017, "Attention Is All You Need", section 3.2.1.
    """
    scores = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
    weights: Tensor = (scores + mask).softmax(dim=-1)
    return weights @ value


def _scores(query: Tensor, key: Tensor, root: float = 0.5, axis: int = -1) -> Tensor:
    scores: Tensor = query @ key.transpose(-1, -2) / key.shape[axis] ** root
    return scores


def _head(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, *, scores: _Scores = _scores) -> Tensor:
    return (scores(query, key) + mask).softmax(dim=-1) @ value


cross_head.mistake(
    "The division by the root of head_size is missing.", partial(_head, scores=partial(_scores, root=0))
)
cross_head.mistake(
    "The scores are divided by head_size itself: take its square root.",
    partial(_head, scores=partial(_scores, root=1)),
)
cross_head.mistake(
    "The scores are divided by the root of the number of keys; it is that of head_size, the last axis.",
    partial(_head, scores=partial(_scores, axis=-2)),
)
cross_head.mistake(
    "The mask is not used: padding is read like a word.", lambda q, k, v, b: _head(q, k, v, 0 * b)
)
cross_head.mistake(
    "Softmax runs over the queries; the weights of one query, over the keys, should sum to one.",
    lambda q, k, v, b: (_scores(q, k) + b).softmax(dim=-2) @ v,
)
cross_head.mistake(
    "The softmax is missing: the scores themselves mix the values.",
    lambda q, k, v, b: (_scores(q, k) + b) @ v,
)
cross_head.mistake(
    "The mask is added after the softmax: it belongs to the scores.",
    lambda q, k, v, b: (_scores(q, k).softmax(dim=-1) + b) @ v,
)
cross_head.mistake(
    "Padding is set to zero after the softmax, so the rest of its row no longer sums to one.",
    lambda q, k, v, b: (_scores(q, k).softmax(dim=-1) * (b == 0)) @ v,
)
cross_head.mistake(
    "These are the weights; multiply them with the values.",
    lambda q, k, v, b: (_scores(q, k) + b).softmax(dim=-1),
)


def _causal_cases() -> Iterator[Case]:
    query = torch.tensor(
        [[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]], dtype=torch.float64
    )
    key = torch.tensor([[1.0, 0, 0, 0], [0, 2.0, 0, 0], [1.0, 1.0, 0, 0]], dtype=torch.float64)
    yield Case(query, key, torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], dtype=torch.float64))
    query, key, value = (2 * normal(2, 5, 6, seed=seed) for seed in range(3))
    yield Case(query, key, value, label="query, key and value of shape (2, 5, 6)")


@exercise(
    cases=_causal_cases,
    hints=(
        "A square of ones with zeros above the diagonal: torch.ones(n, n).tril().",
        "Query i may see key j where j <= i: row i of that square.",
        "scores.masked_fill(that square == 0, very negative), before the softmax.",
    ),
    note="GPT's heads are like this: such a model can write from left to right. BERT's look both ways.",
)
def causal_head(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Build a head of a decoder: every token reads from itself and those before it, never from later ones.

    All three are (…, seq_len, head_size), and so is the result.
    """
    scores = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
    seen = torch.ones(scores.shape[-2:]).tril() == 1
    weights: Tensor = scores.masked_fill(~seen, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return weights @ value


def _causal(query: Tensor, key: Tensor, value: Tensor, *, keep: Callable[[Tensor], Tensor]) -> Tensor:
    scores = _scores(query, key)
    seen = keep(torch.ones(scores.shape[-2:])) == 1
    return scores.masked_fill(~seen, torch.finfo(scores.dtype).min).softmax(dim=-1) @ value


causal_head.mistake(
    "Every token sees all others: nothing is masked.",
    lambda q, k, v: _causal(q, k, v, keep=lambda ones: ones),
)
causal_head.mistake(
    "A token does not see itself (and the first one sees nobody): the diagonal belongs to it.",
    lambda q, k, v: _causal(q, k, v, keep=lambda ones: ones.tril(-1)),
)
causal_head.mistake(
    "The tokens see the later ones: the triangle is the wrong way round.",
    lambda q, k, v: _causal(q, k, v, keep=torch.triu),
)
causal_head.mistake(
    "The mask is inverted: it hides the token itself and those before it, which are what should be seen.",
    lambda q, k, v: _causal(q, k, v, keep=lambda ones: ones.triu(1)),
)
causal_head.mistake(
    "The mask is inverted: it hides what should be seen, and the last token, left with -inf alone, gets NaN.",
    lambda q, k, v: (
        _scores(q, k).masked_fill(torch.ones(_scores(q, k).shape[-2:]).tril() == 1, -math.inf).softmax(dim=-1)
        @ v
    ),
)
causal_head.mistake(
    "The mask is inverted, and what is added to the last row, all of it hidden, cancels out again.",
    lambda q, k, v: (
        (_scores(q, k) - 1e9 * torch.ones(_scores(q, k).shape[-2:]).tril().double()).softmax(dim=-1) @ v
    ),
)
causal_head.mistake(
    "Each token sees one token too many: the one right after it.",
    lambda q, k, v: _causal(q, k, v, keep=lambda ones: ones.tril(1)),
)
causal_head.mistake(
    "Later tokens get the score 0, and exp(0) is 1: they need a very negative one.",
    lambda q, k, v: _scores(q, k).tril().softmax(dim=-1) @ v,
)
causal_head.mistake(
    "Later tokens are cut off after the softmax, so the rest of a row no longer sums to one.",
    lambda q, k, v: _scores(q, k).softmax(dim=-1).tril() @ v,
)
causal_head.mistake(
    "The division by the root of head_size is missing.",
    lambda q, k, v: _causal(q * k.shape[-1] ** 0.5, k, v, keep=torch.tril),
)
