"""What is added to the scores so that padding is not read."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


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
    "The two axes of length 1 are missing: heads and queries are between batch and keys.",
    lambda attention_mask, dtype: _filled(attention_mask, dtype, torch.finfo(dtype).min)[:, 0, 0],
)
additive_mask.mistake(
    "The padding is along the query axis: it should hide keys, the last axis.",
    lambda attention_mask, dtype: _filled(attention_mask, dtype, torch.finfo(dtype).min).transpose(-1, -2),
)
additive_mask.mistake(
    "This multiplies: what is added should be 0 for a token and very negative for padding.",
    lambda attention_mask, dtype: attention_mask.to(dtype)[:, None, None, :],
)
