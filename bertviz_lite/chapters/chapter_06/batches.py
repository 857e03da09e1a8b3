"""Stories as ids: in rows of one length, framed by special tokens, or with a number for each word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

__all__ = ["framed", "rows_of", "with_word_ids"]


def rows_of(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], rows: int, width: int) -> Tensor:
    """Return the ids of texts one after the other, without special tokens, cut into rows of one length."""
    ids = tokenizer(" ".join(texts), add_special_tokens=False, verbose=False)["input_ids"]
    return torch.tensor(ids[: rows * width]).reshape(rows, width)


def framed(tokenizer: PreTrainedTokenizerBase, rows: Tensor) -> Tensor:
    """Put [CLS] before each row and [SEP] and two [PAD] behind it."""
    vocabulary = tokenizer.get_vocab()
    around = ("[CLS]", "[SEP]", "[PAD]", "[PAD]")
    first, *last = (torch.full_like(rows[:, :1], vocabulary[token]) for token in around)
    return torch.cat([first, rows, *last], dim=1)


def with_word_ids(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
    """Return the ids of texts, and for each token the number of its word (special tokens: 0).

    Returns
    -------
    tuple of Tensor
        Both are (batch, seq_len).
    """
    batch = tokenizer(list(texts), padding=True, truncation=True, return_tensors="pt")
    numbers = [[word or 0 for word in batch.word_ids(row)] for row in range(len(texts))]
    return batch["input_ids"], torch.tensor(numbers)
