"""A small BERT trained from nothing, with words hidden or with nothing hidden."""

from typing import NamedTuple

import torch
from torch import Tensor
from transformers import BertConfig, BertForMaskedLM

from bertviz_lite.data.ignored_label import IGNORED


class Trained(NamedTuple):
    """How a training ended."""

    loss: float
    """The loss of the last step, over the tokens that were to be named."""
    in_sight: float
    """Share of unseen tokens that it names if nothing is hidden."""
    hidden: float
    """Share of hidden tokens that it names in the same texts."""


def train(rows: Tensor, vocab_size: int, mask_id: int, *, hide: bool, steps: int = 100) -> Trained:
    """Train a BERT of two layers to name tokens, and examine it on the last fifth of the rows.

    Parameters
    ----------
    rows
        Ids, (batch, seq_len), without special tokens; 16 rows are one step.
    vocab_size, mask_id
        Number of ids, and the id of [MASK].
    hide
        True: 15 % of the tokens become [MASK] and are scored; False: all stay, and all are scored.
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
    split = len(rows) * 4 // 5
    loss = torch.tensor(torch.nan)
    for step in range(steps):
        start = step * 16 % (split - 15)
        loss = _loss(model, rows[start : start + 16], mask_id, generator, hide=hide)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return Trained(loss.item(), *_shares(model.eval(), rows[split:], mask_id, generator))


def _loss(
    model: BertForMaskedLM, batch: Tensor, mask_id: int, generator: torch.Generator, *, hide: bool
) -> Tensor:
    chosen = torch.rand(batch.shape, generator=generator) < (0.15 if hide else 1.0)
    reads = batch.masked_fill(chosen, mask_id) if hide else batch
    with torch.enable_grad():
        loss: Tensor = model(input_ids=reads, labels=batch.masked_fill(~chosen, IGNORED)).loss
    return loss


def _shares(
    model: BertForMaskedLM, rows: Tensor, mask_id: int, generator: torch.Generator
) -> tuple[float, float]:
    chosen = torch.rand(rows.shape, generator=generator) < 0.15
    with torch.no_grad():
        in_sight = model(input_ids=rows).logits.argmax(dim=-1)
        hidden = model(input_ids=rows.masked_fill(chosen, mask_id)).logits[chosen].argmax(dim=-1)
    return (in_sight == rows).double().mean().item(), (hidden == rows[chosen]).double().mean().item()
