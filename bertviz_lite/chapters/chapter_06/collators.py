"""Four collators, A to D, for the last exercise of chapter 06; some of them are sick.

>>> from bertviz_lite import load
>>> from bertviz_lite.chapters.chapter_06 import collators
>>> tokenizer, _ = load("pocket")
>>> ids = tokenizer("Anna lost her key.", return_tensors="pt")["input_ids"]
>>> masked, labels = collators.collate("A", ids, tokenizer)
>>> masked.shape == labels.shape == ids.shape
True

A reader who wants to find the faults stops here: the rest of this file is the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from bertviz_lite.chapters.chapter_06.shares import tally
from bertviz_lite.data.ignored_label import IGNORED

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

__all__ = ["LETTERS", "collate", "report", "symptoms"]

LETTERS = "ABCD"
"""The collators."""

_RATE = 0.15
_ONE_ROW, _OTHERS, _NO_IGNORED = "A", "B", "D"
"""The collators with a fault; C has none."""


def collate(letter: str, input_ids: Tensor, tokenizer: PreTrainedTokenizerBase) -> tuple[Tensor, Tensor]:
    """Mask a batch as one of the four collators does, the same way each time.

    Parameters
    ----------
    letter
        Which: one of `LETTERS`.
    input_ids
        The original ids, (batch, seq_len).
    tokenizer
        Says which tokens are special, and how many there are.

    Returns
    -------
    tuple of Tensor
        What the model reads, and the labels.
    """
    generator = torch.Generator().manual_seed(4 + LETTERS.index(letter))

    def coin(probability: float, like: Tensor) -> Tensor:
        return torch.bernoulli(torch.full(like.shape, probability), generator=generator) == 1

    ordinary = ~torch.isin(input_ids, torch.tensor(tokenizer.all_special_ids))
    tossed = input_ids[:1] if letter == _ONE_ROW else input_ids
    chosen = ordinary & coin(_RATE, tossed)
    hidden = chosen & coin(0.8, input_ids)
    rest = ~hidden if letter == _OTHERS else chosen & ~hidden
    replaced = rest & coin(0.5, input_ids)
    drawn = torch.randint(len(tokenizer), input_ids.shape, generator=generator)
    masked = torch.where(replaced, drawn, input_ids.masked_fill(hidden, tokenizer.mask_token_id))
    unscored = torch.zeros_like(chosen) if letter == _NO_IGNORED else ~chosen
    return masked, input_ids.masked_fill(unscored, IGNORED)


def symptoms(
    input_ids: Tensor, masked: Tensor, labels: Tensor, tokenizer: PreTrainedTokenizerBase
) -> dict[str, str]:
    """Count what shows from outside: what a collator was given, and what it gave; (batch, seq_len) each."""
    scored = labels != IGNORED
    special = torch.isin(input_ids, torch.tensor(tokenizer.all_special_ids))
    counts = tally(input_ids, masked, labels, tokenizer.mask_token_id)
    total = max(1, sum(counts.values()))
    by_row = scored.sum(dim=1)
    return {
        "tokens with a label": f"{int(scored.sum()):,}",
        "  of these, special ones": f"{int((scored & special).sum()):,}",
        "  read as [MASK]": f"{counts['[MASK]'] / total:.1%}",
        "  read as another token": f"{counts['random'] / total:.1%}",
        "  read as they are": f"{counts['stays'] / total:.1%}",
        "others that are changed": f"{int(((masked != input_ids) & ~scored).sum()):,}",
        "labels in a row": f"{int(by_row.min())} to {int(by_row.max())}",
        "places that ever have one": f"{int(scored.any(dim=0).sum())} of {labels.shape[1]}",
    }


def report(input_ids: Tensor, tokenizer: PreTrainedTokenizerBase) -> str:
    """Let all four collators mask a batch, and write their symptoms as a table, a column for each."""
    found = [symptoms(input_ids, *collate(each, input_ids, tokenizer), tokenizer) for each in LETTERS]
    lines = [f"{'':26}" + "".join(f"{letter:>12}" for letter in LETTERS)]
    lines += [f"{name:26}" + "".join(f"{column[name]:>12}" for column in found) for name in found[0]]
    return "\n".join(lines)
