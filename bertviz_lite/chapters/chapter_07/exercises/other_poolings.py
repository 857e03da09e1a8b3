"""One vector of all real tokens: that of the last one, and their largest numbers."""

from collections.abc import Iterator
from typing import Any, cast

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, loaded, normal


def _last_states(*texts: str) -> tuple[Tensor, Tensor]:
    """Run the chapters' model; last hidden states and attention mask."""
    tokenizer, model = loaded()
    batch = tokenizer(list(texts), padding=True, return_tensors="pt")
    with torch.no_grad():
        hidden = cast(Any, model.base_model)(**batch).last_hidden_state
    return hidden, batch["attention_mask"]


def _masked_cases() -> Iterator[Case]:
    states = torch.tensor(
        [[[1.0, -4.0], [3.0, -2.0], [8.0, 6.0]], [[2.0, 1.0], [4.0, 5.0], [0.0, 3.0]]], dtype=torch.float64
    )
    yield Case(states, torch.tensor([[1, 1, 0], [1, 1, 1]]))
    mask = torch.tensor([[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0]])
    yield Case(normal(2, 7, 4) - 3, mask, label="states of shape (2, 7, 4), the second text padded by 4")
    yield Case(
        *_last_states("a b a", "a b a b a b"),
        label="the model's last hidden states of two texts, and the mask",
    )


def _padded_on_both_sides() -> Iterator[Case]:
    yield from _masked_cases()
    mask = torch.tensor([[0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1]])
    yield Case(normal(3, 6, 4, seed=9), mask, label="states of shape (3, 6, 4), padding in front")
    mask = torch.tensor([[1, 1, 1, 0, 0], [0, 1, 1, 1, 1]])
    yield Case(normal(2, 5, 4, seed=10), mask, label="states of shape (2, 5, 4), padding behind and in front")


@exercise(
    cases=_padded_on_both_sides,
    hints=(
        "Number the places, torch.arange(seq_len): which is the largest where the mask is 1?",
        "(attention_mask * torch.arange(attention_mask.shape[1])).argmax(dim=1) are the places.",
        "To take another place in every text: states[torch.arange(len(states)), places].",
    ),
    note="So embedding models are made of GPTs, whose last token is the only one that has read everything.",
)
def last_token_pool(states: Tensor, attention_mask: Tensor) -> Tensor:
    """Take the vector of the last real token of every text: -> (batch, hidden_size).

    `states` is (batch, seq_len, hidden_size); `attention_mask`, (batch, seq_len), is 1 for tokens, 0 for
    padding, which may be behind a text or in front of it.
    """
    places = (attention_mask * torch.arange(attention_mask.shape[1])).argmax(dim=1)
    return states[torch.arange(len(states)), places]


last_token_pool.mistake(
    "That is the last place of the batch, which in shorter texts is padding.", lambda states, _: states[:, -1]
)
last_token_pool.mistake(
    "The number of tokens says where the last one is only if no padding is in front.",
    lambda states, mask: states[torch.arange(len(states)), mask.sum(dim=1) - 1],
)
last_token_pool.mistake("That is the first token.", lambda states, _: states[:, 0])
last_token_pool.mistake(
    "That is the first real token; the last is wanted.",
    lambda states, mask: states[torch.arange(len(states)), mask.argmax(dim=1)],
)
last_token_pool.mistake(
    "That takes every text's place out of every text: pair rows and places, "
    "states[torch.arange(len(states)), places].",
    lambda states, mask: states[:, (mask * torch.arange(mask.shape[1])).argmax(dim=1)],
)


@exercise(
    cases=_masked_cases,
    hints=(
        "Multiplying by the mask makes padding 0, which may be larger than what the tokens have.",
        "Padding must never win. Which number is never the largest?",
        "states.masked_fill(attention_mask[..., None] == 0, -torch.inf), then .amax(dim=1).",
    ),
    note="Minus infinity is never the largest: padding is out, whatever its numbers are.",
)
def max_pool(states: Tensor, attention_mask: Tensor) -> Tensor:
    """Take the largest number of every component over the real tokens: -> (batch, hidden_size).

    `states` is (batch, seq_len, hidden_size); `attention_mask`, (batch, seq_len), is 1 for tokens, 0 for
    padding.
    """
    return states.masked_fill(attention_mask[..., None] == 0, -torch.inf).amax(dim=1)


max_pool.mistake("Padding takes part: use the mask.", lambda states, _: states.amax(dim=1))
max_pool.mistake(
    "Padding is set to 0, which wins wherever all tokens are below 0.",
    lambda states, mask: (states * mask[..., None]).amax(dim=1),
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
