"""Exercises of chapter 03, attention: from counting weights to a head that sees only what came before.

`weights_in_all`, `softmax_row`, `additive_mask`, `one_head`, `split_heads`, `weight_at_distance`,
`causal_head`.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=(
        "One head of one layer makes a square: a row for every token that asks, a column for every token.",
        "Tokens times tokens, times heads, times layers.",
    ),
    note="With twice as many tokens it is four times as many: the square is what makes long texts dear.",
)
def weights_in_all() -> int:
    """Say how many attention weights 3 layers of 5 heads make for a text of 7 tokens."""
    return 3 * 5 * 7 * 7


weights_in_all.mistake("Every token looks at every token: 7 times 7 for one head.", 3 * 5 * 7)
weights_in_all.mistake("That is one layer; there are three.", 5 * 7 * 7)
weights_in_all.mistake("That is one head a layer; there are five.", 3 * 7 * 7)
weights_in_all.mistake("That is one head of one layer.", 7 * 7)
weights_in_all.mistake("A token also looks at itself: a row has 7 weights, not 6.", 3 * 5 * 7 * 6)


def _random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _softmax_cases() -> Iterator[Case]:
    yield Case(torch.tensor([0.0, math.log(3.0)], dtype=torch.float64))
    yield Case(torch.tensor([[2.0, 1.0, 0.0], [1.0, 1.0, 4.0]], dtype=torch.float64))
    yield Case(3 * _random(2, 4, 5), label="random scores of shape (2, 4, 5)")
    yield Case(torch.tensor([[1000.0, 1001.0, 999.0], [0.0, 1.0, 2.0]], dtype=torch.float64))


@exercise(
    cases=_softmax_cases,
    hints=(
        "exp() of every score, then divide each by the sum of its own row; keepdim=True keeps the axis.",
        "exp(1000) is infinite. Scores that are all smaller by the same number give the same weights.",
        "So subtract the largest score of the row first: scores - scores.amax(dim=-1, keepdim=True).",
    ),
    note="The same numbers as torch.softmax gives, large scores too.",
)
def softmax_row(scores: Tensor) -> Tensor:
    """Turn scores into weights along the last axis, without torch.softmax: the shape stays the same."""
    shares = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    return shares / shares.sum(dim=-1, keepdim=True)


softmax_row.mistake(
    "exp() of a large score is infinite: subtract the largest of the row first, the weights stay the same.",
    lambda scores: scores.exp() / scores.exp().sum(dim=-1, keepdim=True),
)
softmax_row.mistake(
    "The largest of the whole tensor is subtracted: far below it every exp() is 0. Take each row's own.",
    lambda x: (x - x.max()).exp() / (x - x.max()).exp().sum(dim=-1, keepdim=True),
)
softmax_row.mistake(
    "The weights of the whole tensor sum to one; those of each row should.",
    lambda scores: (scores - scores.max()).exp() / (scores - scores.max()).exp().sum(),
)
softmax_row.mistake(
    "exp() is missing: these are shares of the scores.", lambda x: x / x.sum(-1, keepdim=True)
)
softmax_row.mistake(
    "exp() is there, but nothing divides by the sum of the row.",
    lambda scores: (scores - scores.amax(dim=-1, keepdim=True)).exp(),
)
softmax_row.mistake(
    "This runs along the first axis; a row runs along the last.", lambda scores: scores.softmax(dim=0)
)
softmax_row.mistake(
    "These are logarithms of the weights: exp() is missing at the end.", lambda x: x.log_softmax(dim=-1)
)


def _mask_cases() -> Iterator[Case]:
    short = torch.tensor([[1, 1, 1], [1, 0, 0]])
    yield Case(short, torch.float32, label="attention_mask = [[1, 1, 1], [1, 0, 0]], dtype = torch.float32")
    yield Case(short, torch.float16, label="attention_mask = [[1, 1, 1], [1, 0, 0]], dtype = torch.float16")
    long = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [1, 0, 0, 0, 0]])
    yield Case(long, torch.float64, label="an attention_mask of shape (4, 5), dtype = torch.float64")


@exercise(
    cases=_mask_cases,
    hints=(
        "torch.finfo(dtype).min is the most negative number that the dtype can hold.",
        "torch.zeros(…, dtype=dtype).masked_fill(attention_mask == 0, number) fills where the mask is 0.",
        "attention_mask[:, None, None, :] has an axis for the heads and one for the queries.",
    ),
    note="Added to the scores, (batch, num_heads, query_len, key_len), it repeats over heads and queries.",
)
def additive_mask(attention_mask: Tensor, dtype: torch.dtype) -> Tensor:
    """Make what is added to the scores: (batch, seq_len) of 1 and 0 -> (batch, 1, 1, seq_len).

    0 where the attention_mask is 1, the most negative number of `dtype` where it is 0.
    """
    bias = torch.zeros(attention_mask.shape, dtype=dtype)
    return bias.masked_fill(attention_mask == 0, torch.finfo(dtype).min)[:, None, None, :]


def _filled(attention_mask: Tensor, dtype: torch.dtype, number: float, hidden: int = 0) -> Tensor:
    bias = torch.zeros(attention_mask.shape, dtype=dtype)
    return bias.masked_fill(attention_mask == hidden, number)[:, None, None, :]


additive_mask.mistake(
    "-10000 is from old code: a score can be larger. Take the most negative number of the dtype.",
    lambda attention_mask, dtype: _filled(attention_mask, dtype, -10_000.0),
)
additive_mask.mistake(
    "With minus infinity a row without any token would be 0 / 0. Take the most negative finite number.",
    lambda attention_mask, dtype: _filled(attention_mask, dtype, -math.inf),
)
additive_mask.mistake(
    "The words are hidden and the padding is seen: 1 means a token, 0 means padding.",
    lambda attention_mask, dtype: _filled(attention_mask, dtype, torch.finfo(dtype).min, hidden=1),
)
additive_mask.mistake(
    "This is finfo.max, the largest number: padding would get all the weight.",
    lambda attention_mask, dtype: _filled(attention_mask, dtype, torch.finfo(dtype).max),
)
additive_mask.mistake(
    "This is finfo.tiny or eps, a number near zero: it hides nothing.",
    lambda attention_mask, dtype: _filled(attention_mask, dtype, torch.finfo(dtype).tiny),
)
additive_mask.mistake(
    "The two axes of length 1 are missing: heads and queries come between batch and keys.",
    lambda attention_mask, dtype: _filled(attention_mask, dtype, torch.finfo(dtype).min)[:, 0, 0],
)
additive_mask.mistake(
    "The padding stands along the query axis: it should hide keys, the last axis.",
    lambda attention_mask, dtype: _filled(attention_mask, dtype, torch.finfo(dtype).min).transpose(-1, -2),
)
additive_mask.mistake(
    "This multiplies: what is added should be 0 for a token and very negative for padding.",
    lambda attention_mask, dtype: attention_mask.to(dtype)[:, None, None, :],
)


def _bias(query_len: int, *lengths: int) -> Tensor:
    """Make an additive mask (batch, query_len, key_len) that leaves each text its first tokens."""
    visible = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    bias = torch.zeros(visible.shape, dtype=torch.float64).masked_fill(~visible, -1e30)
    return bias[:, None, :].repeat(1, query_len, 1)


def _head_cases() -> Iterator[Case]:
    query = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]], dtype=torch.float64)
    key = torch.tensor([[1.0, 0, 0, 0], [0, 2.0, 0, 0], [1.0, 1.0, 0, 0]], dtype=torch.float64)
    value = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], dtype=torch.float64)
    yield Case(query, key, value, torch.zeros(2, 3, dtype=torch.float64))
    hidden = torch.tensor([[0.0, 0.0, -1e30], [0.0, -1e30, 0.0]], dtype=torch.float64)
    yield Case(query, key, value, hidden)
    yield Case(query, key, value, torch.tensor([[0.0, -2.0, 2.0], [2.0, 0.0, -2.0]], dtype=torch.float64))
    yield Case(
        2 * _random(2, 3, 6),
        _random(2, 5, 6, seed=1),
        _random(2, 5, 4, seed=2),
        _bias(3, 5, 2),
        label="query (2, 3, 6), key (2, 5, 6), value (2, 5, 4); of the second text 2 tokens are no padding",
    )


_Scores: TypeAlias = Callable[[Tensor, Tensor], Tensor]


@exercise(
    cases=_head_cases,
    hints=(
        "Scores: query @ key.transpose(-1, -2), one row for each query, divided by the root of head_size.",
        "Add the bias to the scores, then softmax over the keys: the last axis.",
        "The weights, (query_len, key_len), times the values, (key_len, head_size).",
    ),
    note="Three lines: they are the whole of attention.",
)
def one_head(query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> Tensor:
    """Let every query read from the values: (…, query_len, head_size) -> (…, query_len, size of a value).

    `key` is (…, key_len, head_size), `value` (…, key_len, any size), `bias` (…, query_len, key_len) is added
    to the scaled scores. Vaswani et al., 2017, "Attention Is All You Need", section 3.2.1.
    """
    scores = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
    weights: Tensor = (scores + bias).softmax(dim=-1)
    return weights @ value


def _scores(query: Tensor, key: Tensor, root: float = 0.5, axis: int = -1) -> Tensor:
    scores: Tensor = query @ key.transpose(-1, -2) / key.shape[axis] ** root
    return scores


def _head(query: Tensor, key: Tensor, value: Tensor, bias: Tensor, *, scores: _Scores = _scores) -> Tensor:
    return (scores(query, key) + bias).softmax(dim=-1) @ value


one_head.mistake(
    "The division by the root of head_size is missing.", partial(_head, scores=partial(_scores, root=0))
)
one_head.mistake(
    "The scores are divided by head_size itself: take its square root.",
    partial(_head, scores=partial(_scores, root=1)),
)
one_head.mistake(
    "The scores are divided by the root of the number of keys; it is that of head_size, the last axis.",
    partial(_head, scores=partial(_scores, axis=-2)),
)
one_head.mistake(
    "The bias is divided by the root of head_size as well: it is added to scores that are divided already.",
    lambda q, k, v, b: _head(q, k, v, b / k.shape[-1] ** 0.5),
)
one_head.mistake(
    "The bias is not used: padding is read like a word.", lambda q, k, v, b: _head(q, k, v, 0 * b)
)
one_head.mistake(
    "Softmax runs over the queries; the weights of one query, over the keys, should sum to one.",
    lambda q, k, v, b: (_scores(q, k) + b).softmax(dim=-2) @ v,
)
one_head.mistake(
    "The softmax is missing: the scores themselves mix the values.",
    lambda q, k, v, b: (_scores(q, k) + b) @ v,
)
one_head.mistake(
    "The bias is added after the softmax: it belongs to the scores.",
    lambda q, k, v, b: (_scores(q, k).softmax(dim=-1) + b) @ v,
)
one_head.mistake(
    "Padding is set to zero after the softmax, so the rest of its row no longer sums to one.",
    lambda q, k, v, b: (_scores(q, k).softmax(dim=-1) * (b == 0)) @ v,
)
one_head.mistake(
    "Padding gets the score 0, and exp(0) is 1: it needs a very negative one.",
    lambda q, k, v, b: (_scores(q, k) * (b == 0)).softmax(dim=-1) @ v,
)
one_head.mistake(
    "These are the weights; multiply them with the values.",
    lambda q, k, v, b: (_scores(q, k) + b).softmax(dim=-1),
)


def _split_cases() -> Iterator[Case]:
    yield Case(torch.arange(12.0, dtype=torch.float64).reshape(1, 3, 4), 2)
    yield Case(torch.arange(12.0, dtype=torch.float64).reshape(1, 2, 6), 3)
    yield Case(_random(2, 7, 15), 3, label="random numbers of shape (2, 7, 15), num_heads = 3")


@exercise(
    cases=_split_cases,
    hints=(
        "The last axis becomes two: num_heads, and head_size = hidden_size / num_heads.",
        "Then the axis of the heads has to move before that of the tokens: transpose(1, 2).",
    ),
    note="One reshape to (batch, num_heads, …) gives the right shape and mixes tokens; nothing complains.",
)
def split_heads(hidden_states: Tensor, num_heads: int) -> Tensor:
    """Give each head its part: (batch, seq_len, hidden_size) -> (batch, num_heads, seq_len, head_size).

    Head 0 takes the first `head_size` components of every token, head 1 the next, and so on.
    """
    batch, seq_len, hidden_size = hidden_states.shape
    parts = hidden_states.reshape(batch, seq_len, num_heads, hidden_size // num_heads)
    return parts.transpose(1, 2)


def _parts(x: Tensor, num_heads: int) -> Tensor:
    parts: Tensor = x.unflatten(-1, (num_heads, x.shape[-1] // num_heads))
    return parts


split_heads.mistake(
    "One reshape to the final shape mixes tokens and heads: split the last axis, then swap two axes.",
    lambda x, n: x.reshape(x.shape[0], n, x.shape[1], x.shape[2] // n),
)
split_heads.mistake(
    "The heads take turns, component by component; each should get its components in one block.",
    lambda x, n: x.unflatten(-1, (x.shape[-1] // n, n)).movedim(-1, 1),
)
split_heads.mistake("The axes of tokens and heads are still to be swapped.", _parts)
split_heads.mistake(
    "The last two axes are swapped: (…, seq_len, head_size), not (…, head_size, seq_len).",
    lambda x, n: _parts(x, n).transpose(1, 2).transpose(2, 3),
)
split_heads.mistake(
    "num_heads and head_size have changed places.",
    lambda x, n: x.unflatten(-1, (x.shape[-1] // n, n)).transpose(1, 2),
)


def _distance_cases() -> Iterator[Case]:
    small = torch.tensor([[[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.2, 0.7, 0.1]]], dtype=torch.float64)
    yield Case(small, -1)
    yield Case(small, 1)
    weights = (2 * _random(4, 7, 7)).softmax(dim=-1)
    for distance in (-1, 0, 3):
        yield Case(weights, distance, label=f"random weights of shape (4, 7, 7), distance = {distance}")


@exercise(
    cases=_distance_cases,
    hints=(
        "The weights at one distance stand on a diagonal: weights.diagonal(offset, dim1=…, dim2=…).",
        "Key minus query is -1 for the token before: below the main diagonal, offset=-1.",
        "The mean over a diagonal leaves out the tokens that have nobody at this distance.",
    ),
    note="This is how chapter 03 found the heads that look at the word before.",
)
def weight_at_distance(attentions: Tensor, distance: int) -> Tensor:
    """Give the mean weight that each head puts on the token at a distance: (num_heads, n, n) -> (num_heads,).

    Distance -1 is the token before, 1 the token after. Tokens without such a neighbour do not count.
    """
    return attentions.diagonal(distance, dim1=-2, dim2=-1).mean(dim=-1)


def _diagonal(attentions: Tensor, distance: int) -> Tensor:
    return attentions.diagonal(distance, dim1=-2, dim2=-1)


weight_at_distance.mistake(
    "The direction is the wrong way round: rows are queries, the token before is left of the diagonal.",
    lambda attentions, distance: _diagonal(attentions, -distance).mean(dim=-1),
)
weight_at_distance.mistake(
    "The sum is divided by all tokens, also by those that have nobody at this distance.",
    lambda attentions, distance: _diagonal(attentions, distance).sum(dim=-1) / attentions.shape[-1],
)
weight_at_distance.mistake(
    "This is the sum of the weights; take the mean.",
    lambda attentions, distance: _diagonal(attentions, distance).sum(dim=-1),
)
weight_at_distance.mistake(
    "This is one number for all heads: keep their axis.",
    lambda attentions, distance: _diagonal(attentions, distance).mean(),
)
weight_at_distance.mistake(
    "torch.diagonal takes the first two axes unless told: here they are heads and queries.",
    lambda attentions, distance: attentions.diagonal(distance).mean(dim=-1),
)
weight_at_distance.mistake(
    "The weights go around: the first token has no token before it.",
    lambda attentions, distance: attentions.gather(
        -1,
        ((torch.arange(attentions.shape[-1]) + distance) % attentions.shape[-1])
        .expand(attentions.shape[:-1])
        .unsqueeze(-1),
    ).mean(dim=(-2, -1)),
)


def _causal_cases() -> Iterator[Case]:
    query = torch.tensor(
        [[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]], dtype=torch.float64
    )
    key = torch.tensor([[1.0, 0, 0, 0], [0, 2.0, 0, 0], [1.0, 1.0, 0, 0]], dtype=torch.float64)
    yield Case(query, key, torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], dtype=torch.float64))
    query, key, value = (2 * _random(2, 5, 6, seed=seed) for seed in range(3))
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
