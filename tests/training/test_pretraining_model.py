"""The loss at the chosen positions is the model's own, and the padding row stays zero."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor
from transformers import AutoModelForPreTraining, BertConfig, BertForPreTraining

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.models.loading import load
from bertviz_lite.training.pretraining.model import PretrainingModel, round_to_float16, save_model
from bertviz_lite.training.pretraining.vocabulary import save_tokenizer


@pytest.fixture(scope="module")
def small_config() -> BertConfig:
    return BertConfig(
        vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=32, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip


@pytest.fixture
def small_batch() -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(5, 50, (6, 20), generator=generator)
    labels = torch.where(torch.rand(ids.shape, generator=generator) < 0.2, ids, IGNORED)
    mask = torch.ones_like(ids)
    mask[:, 17:], ids[:, 17:], labels[:, 17:] = 0, 0, IGNORED
    types = (torch.arange(20) > 8).long().expand_as(ids)
    return {
        "input_ids": ids, "attention_mask": mask, "token_type_ids": types, "labels": labels,
        "next_sentence_label": torch.tensor([0, 1, IGNORED, 1, 0, IGNORED]),
    }  # fmt: skip


def test_loss_at_chosen_positions_equals_the_models_own(
    small_config: BertConfig, small_batch: dict[str, Tensor]
) -> None:
    torch.manual_seed(0)
    fast = PretrainingModel(small_config)
    plain = BertForPreTraining(small_config)
    plain.load_state_dict(fast.state_dict())
    ours, theirs = fast(**small_batch)["loss"], plain(**small_batch).loss
    assert ours.item() == pytest.approx(theirs.item(), abs=1e-6)
    ours.backward()
    theirs.backward()
    for (name, parameter), (_, other) in zip(fast.named_parameters(), plain.named_parameters(), strict=True):
        gradient = other.grad.clone()
        if name == "bert.embeddings.word_embeddings.weight":
            assert gradient[0].any()  # what the padding row would have got
            gradient[0] = 0
        assert torch.allclose(parameter.grad, gradient, atol=1e-6), name


def test_without_labels_it_is_the_plain_model_and_without_pairs_the_loss_is_zero(
    small_config: BertConfig, small_batch: dict[str, Tensor]
) -> None:
    model = PretrainingModel(small_config)
    outputs = model(small_batch["input_ids"])
    assert outputs.prediction_logits.shape == (6, 20, 50)
    small_batch["next_sentence_label"][:] = IGNORED
    assert model(**small_batch)["nsp_loss"] == 0
    small_batch["labels"][:] = IGNORED
    losses = model(**small_batch)
    losses["loss"].backward()
    assert losses["loss"] == 0


def test_padding_row_stays_zero_through_training(
    small_config: BertConfig, small_batch: dict[str, Tensor]
) -> None:
    model = PretrainingModel(small_config)
    weight = model.bert.embeddings.word_embeddings.weight
    assert weight.data_ptr() == model.cls.predictions.decoder.weight.data_ptr()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.1)
    before = weight.detach().clone()
    for _ in range(5):
        optimizer.zero_grad()
        model(**small_batch)["loss"].backward()
        optimizer.step()
    assert not weight[0].any()
    assert (weight[1:] != before[1:]).all(1).any()


def test_a_model_in_half_the_bytes_is_loaded_as_the_same_float32_numbers(
    small_config: BertConfig, tmp_path: Path
) -> None:
    torch.manual_seed(0)
    model = BertForPreTraining(BertConfig.from_dict(small_config.to_dict() | {"vocab_size": 110})).eval()
    with pytest.raises(ValueError, match="round_to_float16"):
        save_model(model, tmp_path / "exact", float16=True)
    exact = {name: weights.clone() for name, weights in model.named_parameters()}
    round_to_float16(model)
    changed = [(weights - exact[name]).abs().max() for name, weights in model.named_parameters()]
    assert 0 < max(changed) < 1e-3
    small_tokenizer = train_tokenizer(["a"], vocab_size=110)
    for name, float16 in (("halves", True), ("wholes", False)):
        save_model(model, tmp_path / name, float16)
        save_tokenizer(small_tokenizer, tmp_path / name)
    halves, wholes = ((tmp_path / name / "model.safetensors").stat().st_size for name in ("halves", "wholes"))
    assert halves < 0.6 * wholes
    for name in ("halves", "wholes"):
        assert (tmp_path / name / "model.safetensors").stat().st_mode & 0o444 == 0o444  # for every user
    for loaded in (
        load(tmp_path / "halves")[1],
        load(tmp_path / "wholes")[1],
        BertForPreTraining.from_pretrained(tmp_path / "halves"),
        AutoModelForPreTraining.from_pretrained(tmp_path / "halves", dtype=torch.float32),
    ):
        assert loaded.dtype == torch.float32
        for name, weights in model.named_parameters():
            assert torch.equal(loaded.get_parameter(name), weights), name
