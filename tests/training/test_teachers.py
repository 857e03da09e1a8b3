"""Teachers hold likely what their models do, the better one for a row is heard more, and a student learns."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor
from transformers import BertConfig, BertForPreTraining

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.training.pretraining.model import PretrainingModel, round_to_float16, save_model
from bertviz_lite.training.pretraining.teachers import Teachers


@pytest.fixture(scope="module")
def models() -> list[BertForPreTraining]:
    config = BertConfig(
        vocab_size=40, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=16, initializer_range=0.5,
    )  # fmt: skip
    torch.manual_seed(0)
    return [BertForPreTraining(config).eval() for _ in range(2)]


@pytest.fixture
def inputs() -> dict[str, Tensor]:
    ids = torch.randint(5, 40, (3, 8), generator=torch.Generator().manual_seed(1))
    labels = torch.full_like(ids, IGNORED)
    labels[0, 2], labels[2, 1], labels[2, 6] = 7, 30, 12  # the second row has none
    types = (torch.arange(8) > 4).long().expand_as(ids)
    return {
        "input_ids": ids, "attention_mask": torch.ones_like(ids), "token_type_ids": types, "labels": labels,
    }  # fmt: skip


def held_likely(model: BertForPreTraining, inputs: dict[str, Tensor]) -> Tensor:
    """Return a model's own probabilities at the three places, as `transformers` computes them."""
    plain = {name: value for name, value in inputs.items() if name != "labels"}
    with torch.no_grad():
        probabilities = model(**plain).prediction_logits.softmax(-1)
    return torch.stack([probabilities[0, 2], probabilities[2, 1], probabilities[2, 6]])


def test_one_teacher_is_heard_as_it_is(models: list[BertForPreTraining], inputs: dict[str, Tensor]) -> None:
    taught = Teachers(models[:1]).probabilities(**inputs)
    assert torch.allclose(taught, held_likely(models[0], inputs), atol=1e-6)


def test_of_two_teachers_each_is_heard_by_how_likely_a_rows_labels_are_to_it(
    models: list[BertForPreTraining], inputs: dict[str, Tensor]
) -> None:
    taught = Teachers(models).probabilities(**inputs)
    one, other = (held_likely(model, inputs) for model in models)
    first = one[0, 7] / (one[0, 7] + other[0, 7])
    both_labels = [each[1, 30] * each[2, 12] for each in (one, other)]
    last = both_labels[0] / sum(both_labels)
    assert torch.allclose(taught[0], first * one[0] + (1 - first) * other[0], atol=1e-6)
    for place in (1, 2):
        assert torch.allclose(taught[place], last * one[place] + (1 - last) * other[place], atol=1e-6)
    assert abs(first - 0.5) > 0.1  # the two are not just averaged
    assert torch.allclose(taught.sum(-1), torch.ones(3))


def test_teachers_that_hold_the_labels_for_certain_change_no_loss(
    models: list[BertForPreTraining], inputs: dict[str, Tensor]
) -> None:
    student = PretrainingModel(models[0].config).eval()
    pairs = torch.tensor([0, 1, IGNORED])
    certain = torch.nn.functional.one_hot(torch.tensor([7, 30, 12]), 40).float()
    plain = student(**inputs, next_sentence_label=pairs)
    taught = student(**inputs, next_sentence_label=pairs, taught=certain)
    assert taught["loss"].item() == pytest.approx(plain["loss"].item(), abs=1e-6)
    assert taught["mlm_loss"] == plain["mlm_loss"]


def test_a_student_is_pulled_to_its_teacher_where_the_label_says_something_else(
    models: list[BertForPreTraining], inputs: dict[str, Tensor]
) -> None:
    """The loss is lowest where a place is half the label and half the teacher."""
    torch.manual_seed(0)
    student = PretrainingModel(models[0].config).eval()
    optimizer = torch.optim.Adam(student.parameters(), 3e-3)
    certain = torch.nn.functional.one_hot(torch.tensor([8, 8, 8]), 40).float()
    for _ in range(400):
        optimizer.zero_grad()
        student(**inputs, next_sentence_label=torch.tensor([0, 1, 0]), taught=certain)["loss"].backward()
        optimizer.step()
    learned = held_likely(student, inputs)
    for place, label in enumerate((7, 30, 12)):
        assert learned[place, [label, 8]].tolist() == pytest.approx([0.5, 0.5], abs=0.05)


def test_teachers_are_read_from_their_folders_and_never_learn(
    models: list[BertForPreTraining], inputs: dict[str, Tensor], tmp_path: Path
) -> None:
    round_to_float16(models[0])
    save_model(models[0], tmp_path, float16=True)
    teachers = Teachers.read([tmp_path], "eager", compiled=False)
    assert torch.allclose(teachers.probabilities(**inputs), held_likely(models[0], inputs), atol=1e-6)
    assert not any(each.requires_grad for model in teachers.models for each in model.parameters())
    assert not any(model.training for model in teachers.models)


def test_without_a_teacher_there_are_no_teachers() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Teachers([])
