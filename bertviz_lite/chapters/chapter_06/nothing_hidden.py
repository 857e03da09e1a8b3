"""A small BERT trained from nothing to name some tokens, which are hidden from it or stand in sight."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerBase

from bertviz_lite.data.ignored_label import IGNORED

_RATE = 0.15
"""The share of the tokens that is asked for, in training and in the examination."""


class Trained(NamedTuple):
    """How a training ended."""

    loss: float
    """The mean loss of the last ten steps, over the tokens that were to be named."""
    in_sight: float
    """Share of unseen tokens that it names if nothing is hidden."""
    hidden: float
    """Share of hidden tokens that it names in the same texts."""
    losses: list[float]
    """The loss of every step, in order."""
    answers: tuple[int, ...] = ()
    """The id that it says in each of the gaps."""


def train(
    rows: Tensor,
    vocab_size: int,
    mask_id: int,
    *,
    hide: bool,
    steps: int = 100,
) -> Trained:
    """Train a BERT of two layers to name 15 % of the tokens, and examine it on the last fifth of the rows.

    Parameters
    ----------
    rows
        Ids, (batch, seq_len), without special tokens; 16 rows are one step.
    vocab_size, mask_id
        Number of ids, and the id of [MASK].
    hide
        Whether the tokens that are to be named become [MASK].
    steps
        Steps of training.
    """
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=vocab_size,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=rows.shape[1],
        initializer_range=0.05,
    )
    model = BertForMaskedLM(config).double()  # float64: the same digits on every machine
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    generator = torch.Generator().manual_seed(0)
    split = _split(rows)
    losses: list[float] = []
    for step in range(steps):
        start = step * 16 % (split - 15)
        reads, labels = _exam(rows[start : start + 16], mask_id, generator, hide=hide)
        with torch.enable_grad():
            loss = model(input_ids=reads, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    in_sight, hidden, answers = _examine(model.eval(), rows[split:], mask_id, generator)
    return Trained(sum(losses[-10:]) / 10, in_sight, hidden, losses, answers)


def answered(ends: Mapping[str, Trained], tokenizer: PreTrainedTokenizerBase, most: int = 3) -> str:
    """Say what the first of some models answers in the gaps, and how often, the commonest first."""
    answers = next(iter(ends.values())).answers
    named = Counter(tokenizer.convert_ids_to_tokens(list(answers))).most_common(most)
    told = ", ".join(f"“{token}” {times}" for token, times in named)
    return f"{told} of {len(answers)} times"


def _split(rows: Tensor) -> int:
    """Return where the last fifth begins, on which the models are examined."""
    return len(rows) * 4 // 5


def _exam(batch: Tensor, mask_id: int, generator: torch.Generator, *, hide: bool) -> tuple[Tensor, Tensor]:
    """Return what the model reads, and the labels."""
    chosen = torch.rand(batch.shape, generator=generator) < _RATE
    return batch.masked_fill(chosen & hide, mask_id), batch.masked_fill(~chosen, IGNORED)


def _examine(
    model: BertForMaskedLM, rows: Tensor, mask_id: int, generator: torch.Generator
) -> tuple[float, float, tuple[int, ...]]:
    """Return what share it names in sight, what share hidden, and its answers where they're hidden."""
    chosen = torch.rand(rows.shape, generator=generator) < _RATE
    with torch.no_grad():
        in_sight = model(input_ids=rows).logits.argmax(dim=-1)
        hidden = model(input_ids=rows.masked_fill(chosen, mask_id)).logits[chosen].argmax(dim=-1)
    seen, guessed = (in_sight == rows).double().mean(), (hidden == rows[chosen]).double().mean()
    return seen.item(), guessed.item(), tuple(hidden.tolist())
