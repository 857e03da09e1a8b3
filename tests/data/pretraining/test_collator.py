"""Batches of pre-training: padding, segments and masks, against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from bertviz_lite.data.masking import Masking, mask_tokens
from bertviz_lite.data.pretraining.collator import Collator

RULES = Masking(vocab_size=100, special_ids=(0, 1, 2, 3, 4), mask_id=4)


def item(length: int, first_length: int = 3, index: int = 0) -> dict[str, Any]:
    ids = np.array([2, *range(10, 8 + length), 3])
    return {"input_ids": ids, "first_length": first_length, "next_sentence_label": 0, "index": index}


@pytest.mark.parametrize(("longest", "seq_len"), [(5, 8), (8, 8), (9, 16), (16, 16), (17, 24), (33, 40)])
def test_a_batch_is_padded_to_the_next_multiple_of_eight(longest: int, seq_len: int) -> None:
    batch = Collator(RULES, seed=0)([item(longest), item(5)])
    for name in ("input_ids", "token_type_ids", "attention_mask", "labels"):
        assert batch[name].shape == (2, seq_len), name
    assert batch["attention_mask"].sum(1).tolist() == [longest, 5]
    assert (batch["input_ids"][0, longest:] == 0).all()
    assert (batch["labels"][0, longest:] == -100).all()


def test_the_second_part_is_segment_one_and_padding_is_segment_zero() -> None:
    segments = Collator(RULES, seed=0)([item(6, first_length=4), item(5, first_length=5)])["token_type_ids"]
    assert segments.tolist() == [[0, 0, 0, 0, 1, 1, 0, 0], [0] * 8]


def test_the_number_of_the_first_input_decides_the_masks() -> None:
    first = Collator(RULES, seed=0)([item(40, index=7), item(33, index=8)])
    same = Collator(RULES, seed=0)([item(40, index=7), item(33, index=99)])
    other = Collator(RULES, seed=0)([item(40, index=6), item(33, index=8)])
    assert torch.equal(first["labels"], same["labels"])
    assert not torch.equal(first["labels"], other["labels"])


def test_independent_masks_depend_on_the_seed_too_and_the_others_stay_as_they_were() -> None:
    def labels(seed: int, index: int, independent: bool) -> torch.Tensor:
        items = [item(40, index=index), item(33, index=index + 1)]
        return Collator(RULES, seed, independent)(items)["labels"]

    assert torch.equal(labels(1, 7, True), labels(1, 7, True))
    assert not torch.equal(labels(1, 7, True), labels(2, 7, True))
    assert not torch.equal(labels(1, 7, True), labels(1, 8, True))
    assert torch.equal(labels(1, 7, False), labels(2, 7, False))
    generator = torch.Generator().manual_seed(7)  # as every recorded run had it
    ids = torch.zeros(2, 40, dtype=torch.int64)
    for row, length in enumerate((40, 33)):
        ids[row, :length] = torch.from_numpy(item(length)["input_ids"])
    assert torch.equal(labels(1, 7, False), mask_tokens(ids, RULES, generator)[1])
    chosen = torch.stack([labels(seed, index, True)[0] >= 0 for seed in range(20) for index in range(20)])
    assert chosen.float().mean().item() == pytest.approx(0.15 * 38 / 40, abs=0.01)
