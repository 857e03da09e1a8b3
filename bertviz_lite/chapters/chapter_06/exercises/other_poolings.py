"""One vector of all real tokens: their mean, their largest numbers."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_06.exercises.pooler_itself import last_states
from bertviz_lite.exercises import Case, exercise, normal


def _masked_cases() -> Iterator[Case]:
    states = torch.tensor(
        [[[1.0, -4.0], [3.0, -2.0], [8.0, 6.0]], [[2.0, 1.0], [4.0, 5.0], [0.0, 3.0]]], dtype=torch.float64
    )
    yield Case(states, torch.tensor([[1, 1, 0], [1, 1, 1]]))
    mask = torch.tensor([[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0]])
    yield Case(normal(2, 7, 4) - 3, mask, label="states of shape (2, 7, 4), the second text padded by 4")
    yield Case(
        *last_states("a b a", "a b a b a b"),
        label="the model's last hidden states of two texts, and the mask",
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
    "[CLS] is left out; it is one of the tokens.",
    lambda states, mask: mean_pool.reference(states[:, 1:], mask[:, 1:]),
)
mean_pool.mistake(
    "The mask is the wrong way round: it is 1 for tokens, 0 for padding.",
    lambda states, mask: mean_pool.reference(states, 1 - mask),
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
    "max(dim=1) gives two results, the numbers and their places; use amax, or take the first.",
    lambda states, mask: states.masked_fill(mask[..., None] == 0, -torch.inf).max(dim=1),
)
max_pool.mistake(
    "Those are the places of the largest numbers, not the numbers.",
    lambda states, mask: states.masked_fill(mask[..., None] == 0, -torch.inf).argmax(dim=1),
)
max_pool.mistake(
    "That is the largest of each vector; take it over the tokens, axis 1.",
    lambda states, _: states.amax(dim=-1),
)
max_pool.mistake(
    "The mask is the wrong way round: it is 1 for tokens, 0 for padding.",
    lambda states, mask: states.masked_fill(mask[..., None] == 1, -torch.inf).amax(dim=1),
)
