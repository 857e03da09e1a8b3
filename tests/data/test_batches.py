"""Batches of like length, padding, and a model that is left as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining

from bertviz_lite.data.batches import batches, pad, ready
from tests.helpers.small_town import small_model, small_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return small_tokenizer()


@pytest.fixture(scope="module")
def model(tokenizer: PreTrainedTokenizerFast) -> BertForPreTraining:
    return small_model(tokenizer)


def test_batches_hold_every_input_once_and_stay_small() -> None:
    lengths = np.random.default_rng(0).integers(3, 120, 500).tolist()
    made = list(batches(lengths, positions=1000))
    assert sorted(np.concatenate(made).tolist()) == list(range(500))
    assert all(len(batch) * max(lengths[index] for index in batch) <= 1000 for batch in made)
    assert len(made) < 45
    assert [batch.tolist() for batch in batches([2000], positions=1000)] == [[0]]
    assert list(batches([])) == []


def test_ready_puts_everything_back(model: BertForPreTraining) -> None:
    model.train()
    inside: list[bool] = []

    def fail() -> None:
        with ready(model, "eager"):
            inside.append(model.config._attn_implementation == "eager")
            inside.append(not model.training)
            inside.append(not torch.is_grad_enabled())
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert inside == [True, True, True]
    assert model.config._attn_implementation == "sdpa"
    assert model.training
    model.eval()


def test_pad_marks_what_is_padding() -> None:
    ids, mask = pad([np.array([2, 5, 3]), np.array([2, 3])], torch.device("cpu"))
    assert ids.tolist() == [[2, 5, 3], [2, 3, 0]]
    assert mask.tolist() == [[1, 1, 1], [1, 1, 0]]
