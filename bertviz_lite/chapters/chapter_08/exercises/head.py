"""Exercises of chapter 08, the LM head: the LM head, and what one changed row of its table moves."""

from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import gelu, layer_norm

from bertviz_lite.exercises import Case, exercise, normal, question

_ROWS, _TOKENS = 3_750, 4
_MOVED = {
    "tied, absent": _TOKENS,
    "tied, read": _TOKENS * _ROWS,
    "decoder's, read": _TOKENS,
    "input's, absent": 0,
}


@question(
    hints=(
        "The text has 4 tokens, and each of them gets 3,750 logits.",
        "A row that is read changes a vector, and attention carries the change to all others.",
        "A row that only says its word makes one logit at each token.",
    ),
    note="Tied, a row works on both sides; not tied, each table works on one.",
    rtol=1e-9,
)
def moved_logits() -> dict[str, int]:
    """Say how many logits of "anna eats" can move if one row of a table of 3,750 is changed.

    With [CLS] and [SEP] the text has 4 tokens. No row is zero.
    """
    tokens, rows = 4, 3_750
    return {
        "tied, absent": tokens,  # said only: one logit at each token
        "tied, read": tokens * rows,  # every vector moves, so all logits do
        "decoder's, read": tokens,  # this table isn't read from
        "input's, absent": 0,  # neither read nor said
    }


moved_logits.mistake(
    "A word that isn't in the text is still said at every token, not only at one: 4 tokens, 4 logits.",
    _MOVED | {"tied, absent": 1, "decoder's, read": 1},
)
moved_logits.mistake(
    "That is one token's logits: a changed vector reaches all 4 by attention, and each has 3,750.",
    _MOVED | {"tied, read": _ROWS},
)
moved_logits.mistake(
    "Not tied, the decoder's row isn't read, even if its word is in the text: the vectors stay as they are.",
    _MOVED | {"decoder's, read": _TOKENS * _ROWS},
)
moved_logits.mistake(
    "Not tied, the input's row of a word that isn't in the text does nothing: nobody reads it or says it.",
    _MOVED | {"input's, absent": _TOKENS},
)


def _head_cases() -> Iterator[Case]:
    dense = torch.tensor([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0], [-1.0, 0.0, 1.0]], dtype=torch.float64)
    table = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [2.0, 0.0, 1.0]]).double()
    vectors = [[0.5, 0.0, -1.0], [1.0, 2.0, 0.5], [0.0, 0.1, -0.2], [0.3, -0.3, 0.0, 1.0]]
    dense_bias, gain, shift, bias = (torch.tensor(numbers, dtype=torch.float64) for numbers in vectors)
    own = dense, dense_bias, gain, shift, table, bias
    yield Case(torch.tensor([[1.0, 2.0, 0.0]], dtype=torch.float64), *own)
    yield Case(normal(2, 7, 3), *own, label="hidden_states of shape (2, 7, 3), the same head")
    sizes = (5, 5), (5,), (5,), (5,), (11, 5), (11,)
    random = [normal(*size, seed=seed) for seed, size in enumerate(sizes, start=1)]
    yield Case(normal(2, 3, 5), *random, label="hidden_states of shape (2, 3, 5), random weights, 11 words")


@exercise(
    cases=_head_cases,
    hints=(
        "Three steps make the transform: a linear map, GELU, LayerNorm. Then one more linear map.",
        "A linear map keeps its matrix as (numbers out, numbers in): multiply by its transpose, `.T`.",
        "layer_norm(x, x.shape[-1:], gain, shift, 1e-12) is in torch.nn.functional, and so is gelu.",
    ),
    note="In a tied model `table` is the one that the model reads its words from.",
)
def lm_head(
    hidden_states: Tensor,
    dense: Tensor,
    dense_bias: Tensor,
    gain: Tensor,
    shift: Tensor,
    table: Tensor,
    bias: Tensor,
) -> Tensor:
    """Run the LM head: (..., hidden_size) -> (..., vocab_size).

    `dense` is (hidden_size, hidden_size) and `dense_bias` belongs to it; `gain` and `shift` are LayerNorm's
    weight and bias, its eps is 1e-12; `table` is (vocab_size, hidden_size), `bias` (vocab_size,).
    """
    x = gelu(hidden_states @ dense.T + dense_bias)
    x = layer_norm(x, x.shape[-1:], gain, shift, 1e-12)
    return x @ table.T + bias


_Act = Callable[[Tensor], Tensor]
_Head = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


def _transformed(x: Tensor, head: _Head, act: _Act = gelu) -> Tensor:
    x = act(x @ head[0].T + head[1])
    return layer_norm(x, x.shape[-1:], head[2], head[3], 1e-12)


def _decoded(x: Tensor, head: _Head) -> Tensor:
    return x @ head[4].T + head[5]


def _by_torch_var(x: Tensor, *head: Tensor) -> Tensor:
    activated = gelu(x @ head[0].T + head[1])
    variance = activated.var(dim=-1, keepdim=True) + 1e-12
    normed = (activated - activated.mean(dim=-1, keepdim=True)) / variance.sqrt()
    return (head[2] * normed + head[3]) @ head[4].T + head[5]


lm_head.mistake("The whole transform is missing.", lambda x, *head: _decoded(x, head))
lm_head.mistake(
    "GELU is missing.", lambda x, *head: _decoded(_transformed(x, head, act=lambda inner: inner), head)
)
lm_head.mistake(
    "The activation is ReLU; the head's is GELU.",
    lambda x, *head: _decoded(_transformed(x, head, act=torch.relu), head),
)
lm_head.mistake(
    "The activation is GELU's approximation by tanh; the head's is the exact one.",
    lambda x, *head: _decoded(_transformed(x, head, act=partial(gelu, approximate="tanh")), head),
)
lm_head.mistake("LayerNorm is missing.", lambda x, *head: _decoded(gelu(x @ head[0].T + head[1]), head))
lm_head.mistake(
    "LayerNorm comes before GELU; it belongs after it.",
    lambda x, *head: _decoded(gelu(_transformed(x, head, act=lambda inner: inner)), head),
)
lm_head.mistake("The bias of the words is missing.", lambda x, *head: _transformed(x, head) @ head[4].T)
lm_head.mistake(
    "The bias of the dense map is missing.",
    lambda x, dense, _, *rest: lm_head.reference(x, dense, torch.zeros_like(_), *rest),
)
lm_head.mistake(
    "`dense` is multiplied as it is; it is kept as (numbers out, numbers in), so take `dense.T`.",
    lambda x, dense, *rest: lm_head.reference(x, dense.T, *rest),
)
lm_head.mistake(
    "LayerNorm's own weight and bias, `gain` and `shift`, are missing.",
    lambda x, dense, dense_bias, gain, shift, *rest: lm_head.reference(
        x, dense, dense_bias, torch.ones_like(gain), torch.zeros_like(shift), *rest
    ),
)
lm_head.mistake(
    "LayerNorm divides the sum of squares by the number of entries, not by one less: correction=0.",
    _by_torch_var,
)
lm_head.mistake(
    "The hidden states are added to the transform: a residual, which the head does not have.",
    lambda x, *head: _decoded(x + _transformed(x, head), head),
)
lm_head.mistake(
    "These are probabilities; give the logits, before softmax.",
    lambda x, *head: _decoded(_transformed(x, head), head).softmax(dim=-1),
)
