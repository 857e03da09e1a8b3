"""The collator pads, masks, and repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.training.pretraining.recipe import Recipe
from bertviz_lite.training.pretraining.vocabulary import make_masking

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


def test_collator_pads_and_repeats(corpus: Corpus, tokenizer: PreTrainedTokenizerFast) -> None:
    inputs = TrainingInputs(corpus, 64, 8, 0, 2, 3)
    collate = Collator(make_masking(tokenizer, Recipe(vocab_size=600)), seed=0)
    items = [inputs[index] for index in range(8)]
    batch, again = collate(items), collate(items)
    assert all(torch.equal(batch[name], again[name]) for name in batch)
    original = torch.where(batch["labels"] == IGNORED, batch["input_ids"], batch["labels"])
    assert batch["input_ids"].shape[1] % 8 == 0
    for row, item in enumerate(items):
        length = len(item["input_ids"])
        assert original[row, :length].tolist() == item["input_ids"].tolist()
        assert batch["attention_mask"][row].tolist() == [1] * length + [0] * (original.shape[1] - length)
        expected = [0] * item["first_length"] + [1] * (length - item["first_length"])
        assert batch["token_type_ids"][row, :length].tolist() == expected
        assert not original[row, length:].any()
    assert batch["next_sentence_label"].tolist() == [item["next_sentence_label"] for item in items]
