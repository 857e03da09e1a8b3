"""Exercises of chapter 13, a real BERT: a sentence as the mean of its tokens."""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn.functional import normalize

from bertviz_lite.exercises import Case, exercise, normal


def _masked_cases() -> Iterator[Case]:
    states = torch.tensor([[[3.0, 0.0], [3.0, 8.0], [9.0, 9.0]], [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]])
    yield Case(states.double(), torch.tensor([[1, 1, 0], [1, 1, 1]]))
    mask = torch.tensor([[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0]])
    yield Case(normal(2, 7, 4) - 1, mask, label="states of shape (2, 7, 4), the second text padded by 4")


@exercise(
    cases=_masked_cases,
    hints=(
        "Chapter 07's mean first: padding times 0, divided by the number of real tokens.",
        "The length of each vector: vectors.norm(dim=-1, keepdim=True). Divide by it.",
    ),
    note="With such vectors the cosine is the dot product, so that a whole library is compared by one `@`.",
)
def sentence_vector(states: Tensor, attention_mask: Tensor) -> Tensor:
    """Average the real tokens' vectors, then bring each to length 1: -> (batch, hidden_size).

    `states` is (batch, seq_len, hidden_size); `attention_mask`, (batch, seq_len), is 1 for tokens, 0 for
    padding.
    """
    weights = attention_mask[..., None].to(states.dtype)
    return normalize((states * weights).sum(dim=1) / weights.sum(dim=1), dim=-1)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask[..., None].to(states.dtype)
    return (states * weights).sum(dim=1) / weights.sum(dim=1)


sentence_vector.mistake("The vectors are not brought to length 1.", _mean)
sentence_vector.mistake(
    "Padding is in the average: use the mask.", lambda states, mask: normalize(states.mean(dim=1), dim=-1)
)
sentence_vector.mistake("That is [CLS].", lambda states, mask: states[:, 0])
sentence_vector.mistake(
    "Each token is brought to length 1 before the average; do it after.",
    lambda states, mask: _mean(normalize(states, dim=-1), mask),
)
sentence_vector.mistake(
    "The length is taken over the batch (dim=0); each text has its own.",
    lambda states, mask: normalize(_mean(states, mask), dim=0),
)
sentence_vector.mistake(
    "The counts lie along the numbers of a vector; each text has its own: keep them a column (keepdim=True).",
    lambda states, mask: normalize((states * mask[..., None]).sum(dim=1) / mask.sum(dim=1), dim=-1),
)
