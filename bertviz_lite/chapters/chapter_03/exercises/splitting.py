"""The vectors of all tokens, split among the heads."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _split_cases() -> Iterator[Case]:
    yield Case(torch.arange(12.0, dtype=torch.float64).reshape(1, 3, 4), 2)
    yield Case(torch.arange(12.0, dtype=torch.float64).reshape(1, 2, 6), 3)
    yield Case(normal(2, 7, 15), 3, label="random numbers of shape (2, 7, 15), num_heads = 3")


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
