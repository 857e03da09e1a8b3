"""Batches of inputs: of like length, padded, for a model that only computes.

Left out: batches with labels (``task_inputs``, ``pretraining.collator``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

if TYPE_CHECKING:
    from transformers import BertForPreTraining

# What a layer of the pocket model computes for so many positions fits into the processor's cache. With four
# times as many, a third of the time goes into getting memory from the system and giving it back.
POSITIONS_PER_BATCH = 2_048


def batches(lengths: Sequence[int], positions: int = POSITIONS_PER_BATCH) -> Iterator[NDArray[np.int64]]:
    """Yield index arrays of inputs of like length, each batch at most ``positions`` positions when padded."""
    order = np.argsort(np.array(lengths, dtype=np.int64), kind="stable")
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * lengths[order[stop]] <= positions:
            stop += 1
        yield order[start:stop]
        start = stop


def pad(rows: Sequence[NDArray[np.int64]], device: torch.device) -> tuple[Tensor, Tensor]:
    """Return ``(input_ids, attention_mask)``, shape (batch, seq_len), padded with 0 on the right."""
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros_like(ids)
    for index, row in enumerate(rows):
        ids[index, : len(row)] = row
        mask[index, : len(row)] = 1
    return torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device)


@contextmanager
def ready(model: BertForPreTraining, attention: str = "sdpa") -> Iterator[None]:
    """Set evaluation mode and the kind of attention for a while; gradients are off. All is put back."""
    training, implementation = model.training, model.config._attn_implementation
    try:
        model.eval()
        model.set_attn_implementation(attention)
        with torch.inference_mode():
            yield
    finally:
        model.set_attn_implementation(implementation)
        model.train(training)
