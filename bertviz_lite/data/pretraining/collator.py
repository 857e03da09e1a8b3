"""A batch of pre-training: inputs padded to one length, some of their tokens masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from bertviz_lite.data.masking import Masking, mask_tokens


@dataclass(frozen=True)
class Collator:
    """Pad a list of inputs to a batch and mask tokens of it.

    The masks depend on the number of the first input and, where they are ``independent``, on the seed: any
    process, at any time, masks the same tokens of the same batch. Batches are padded to a multiple of eight
    positions: fewer different shapes are faster.

    Where inputs have ``continues``, which tokens go on with a word, that decides what a word is, rather than
    the tokens themselves.

    Attributes
    ----------
    masking
        The rules.
    seed
        The run's seed.
    independent
        Whether runs with other seeds have other masks. By default they have the same: the seed goes into the
        high bits of the generator's, and torch uses the low 32. The first shipped model and the recorded runs
        were trained so.
    """

    masking: Masking
    seed: int
    independent: bool = False

    def __call__(self, inputs: Sequence[dict[str, Any]]) -> dict[str, Tensor]:
        """Return what the model takes: shape (batch, seq_len), and (batch,) for next_sentence_label."""
        seq_len = -(-max(len(item["input_ids"]) for item in inputs) // 8) * 8
        ids = np.zeros((len(inputs), seq_len), np.int64)
        lengths = np.array([len(item["input_ids"]) for item in inputs])[:, None]
        firsts = np.array([item["first_length"] for item in inputs])[:, None]
        for row, item in enumerate(inputs):
            ids[row, : lengths[row, 0]] = item["input_ids"]
        positions = np.arange(seq_len)[None]
        generator = torch.Generator().manual_seed(self._seed(inputs[0]["index"]))
        continues = _continues(inputs, seq_len)
        input_ids, labels = mask_tokens(torch.from_numpy(ids), self.masking, generator, continues)
        return {
            "input_ids": input_ids,
            "token_type_ids": torch.from_numpy(
                ((positions >= firsts) & (positions < lengths)).astype(np.int64)
            ),
            "attention_mask": torch.from_numpy((positions < lengths).astype(np.int64)),
            "labels": labels,
            "next_sentence_label": torch.tensor([item["next_sentence_label"] for item in inputs]),
        }

    def _seed(self, index: int) -> int:
        """Return the generator's seed for the batch that begins with input ``index``."""
        if self.independent:
            return int(np.random.SeedSequence([self.seed, index]).generate_state(1)[0])
        return (self.seed << 40) + index


def _continues(inputs: Sequence[dict[str, Any]], seq_len: int) -> Tensor | None:
    """Return which tokens go on with a word, padded; None where the inputs do not say it."""
    if "continues" not in inputs[0]:
        return None
    marks = np.zeros((len(inputs), seq_len), np.bool_)
    for row, item in enumerate(inputs):
        marks[row, : len(item["continues"])] = item["continues"]
    return torch.from_numpy(marks)
