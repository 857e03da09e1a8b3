"""Batches of pre-training: padding, segments and masks, against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from bertviz_lite.data.masking import Masking
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
