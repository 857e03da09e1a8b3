"""The logit lens: what it returns, that it leaves the model as it was, and what it says to bad input."""

import doctest
from typing import Any, cast

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers import BertForMaskedLM, BertForPreTraining, BertModel, PreTrainedModel

import bertviz_lite.evaluation.lens
from bertviz_lite import load
from bertviz_lite.data.cloze import Cloze, guess
from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.evaluation.lens import lens, read_answers, vectors_at
from bertviz_lite.world import life
from tests.helpers.tiny_models import make

IDS = torch.tensor([[2, 7, 9, 30, 4, 11, 3]])


@pytest.fixture(scope="module", params=[BertForPreTraining, BertForMaskedLM])
def model(request: pytest.FixtureRequest) -> PreTrainedModel:
    model: PreTrainedModel = make(request.param, num_hidden_layers=3).eval()
    return model


def own_logits(model: PreTrainedModel, **inputs: Tensor) -> Tensor:
    with torch.no_grad():
        outputs = model(**inputs)
    name = "prediction_logits" if isinstance(model, BertForPreTraining) else "logits"
    return cast(Tensor, getattr(outputs, name))


def test_the_last_layer_is_the_models_own_bit_for_bit(model: PreTrainedModel) -> None:
    attention_mask, token_type_ids = torch.ones_like(IDS), torch.zeros_like(IDS)
    attention_mask[0, -2:] = 0
    token_type_ids[0, 4:] = 1
    inputs = {"input_ids": IDS, "attention_mask": attention_mask, "token_type_ids": token_type_ids}
    logits = lens(model, **inputs)
    assert logits.shape == (4, 7, model.config.vocab_size)
    assert torch.equal(logits[-1], own_logits(model, **inputs)[0])
    assert not torch.equal(logits[-1], own_logits(model, input_ids=IDS)[0])  # mask and segments count
    assert not logits.requires_grad


def test_every_layer_is_the_head_on_its_hidden_states(model: PreTrainedModel) -> None:
    logits = lens(model, IDS)
    with torch.no_grad():
        states = model.base_model(IDS, output_hidden_states=True).hidden_states
        head = cast(Any, model.cls).predictions
        for number, layer in enumerate(states):
            hidden = head.transform.LayerNorm(torch.nn.functional.gelu(head.transform.dense(layer[0])))
            by_hand = hidden @ model.get_input_embeddings().weight.T + head.bias
            assert torch.allclose(logits[number], by_hand, atol=1e-6)
    assert not torch.allclose(logits[0], logits[1])


def test_one_row_may_come_without_its_batch_axis(model: PreTrainedModel) -> None:
    assert torch.equal(lens(model, IDS[0]), lens(model, IDS))
    assert torch.equal(lens(model, IDS[0], torch.ones_like(IDS)), lens(model, IDS))


def test_the_model_is_left_as_it_was() -> None:
    model = make(BertForPreTraining, hidden_dropout_prob=0.5).train()
    model.bert.pooler.eval()  # one part in another mode than the rest
    modes = [module.training for module in model.modules()]
    before = {name: value.clone() for name, value in model.state_dict().items()}
    assert torch.equal(lens(model, IDS), lens(model, IDS))  # no dropout
    with pytest.raises(IndexError):  # a broken forward pass: an id of a segment that there is not
        lens(model, IDS, token_type_ids=torch.full_like(IDS, 9))
    assert [module.training for module in model.modules()] == modes
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert torch.is_grad_enabled()


def test_in_the_models_dtype() -> None:
    assert lens(make(BertForMaskedLM).double(), IDS).dtype == torch.float64


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "two texts": (
        {"input_ids": IDS.repeat(2, 1)},
        ValueError,
        r"input_ids has shape \(2, 7\): the lens reads one input",
    ),
    "no token": ({"input_ids": IDS[:, :0]}, ValueError, r"input_ids has shape \(1, 0\)"),
    "a list": ({"input_ids": [2, 3]}, TypeError, "input_ids is list: give a tensor of whole numbers"),
    "floats": ({"input_ids": IDS.float()}, TypeError, "input_ids is torch.float32"),
    "another length": (
        {"input_ids": IDS, "attention_mask": torch.ones(1, 6).long()},
        ValueError,
        "attention_mask has 6 entries, input_ids 7",
    ),
    "too long": (
        {"input_ids": IDS.repeat(1, 5)},
        ValueError,
        "input_ids has 35 tokens, the model's position table 32 rows",
    ),
    "an id too large": ({"input_ids": IDS + 100}, ValueError, "input_ids holds 130, the vocabulary runs"),
    "an id below 0": ({"input_ids": IDS - 5}, ValueError, "input_ids holds -3, the vocabulary runs"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input(model: PreTrainedModel, kind: str) -> None:
    inputs, error, message = BAD[kind]
    with pytest.raises(error, match=message) as caught:
        lens(model, **inputs)
    assert "\n" not in str(caught.value)


def test_a_model_without_a_head() -> None:
    with pytest.raises(TypeError, match="BertModel has no LM head of BERT to read the layers with: give a"):
        lens(make(BertModel), IDS)
    with pytest.raises(TypeError, match="model is a Linear: give a BertForPreTraining"):
        lens(torch.nn.Linear(2, 2), IDS)  # type: ignore[arg-type]


def test_answers_are_read_where_the_lens_reads_them() -> None:
    tokenizer, model = cast(Any, load("pocket"))
    encoded = encode_stories([life.story(900_000_041, index) for index in range(3)], tokenizer)
    # Words of one token and of several, of stories of different lengths, so that some are padded.
    clozes = [
        Cloze.word(story.input_ids, *span)
        for story in encoded
        for span in [*story.spans[3:40:6], *(span for span in story.spans if span[1] - span[0] > 1)]
    ]
    mask_id = tokenizer.mask_token_id
    rank, log_probability = read_answers(model, clozes, mask_id)
    assert rank.shape == log_probability.shape == (len(clozes), 5)
    assert max(len(cloze.positions) for cloze in clozes) > 1
    for cloze, ranks, logs in zip(clozes, rank, log_probability, strict=True):
        row = torch.tensor(cloze.input_ids)
        answers = row[cloze.positions].clone()
        row[cloze.positions] = mask_id
        logits = lens(model, row)[:, cloze.positions].double()
        right = logits.gather(2, answers.expand(5, -1)[..., None])
        assert ranks.tolist() == (1 + (logits > right).sum(-1)).amax(-1).tolist()
        expected = logits.log_softmax(-1).gather(2, answers.expand(5, -1)[..., None]).sum((1, 2))
        assert np.allclose(logs, expected, atol=1e-3)
    guesses = guess(model, clozes, mask_id)
    assert (rank[:, -1] == 1).tolist() == [answer.right for answer in guesses]
    assert 0 < (rank[:, -1] == 1).mean() < 1


def test_vectors_come_in_the_order_of_the_clozes() -> None:
    model = cast(Any, make(BertForMaskedLM).eval())
    rows = [np.array([2, 7, 9, 30, 11, 3]), np.array([2, 8, 3]), np.array([2, 6, 5, 3])]
    positions = [[4, 1], [1], [2]]
    clozes = [Cloze(row, np.array(places)) for row, places in zip(rows, positions, strict=True)]
    vectors = vectors_at(model, clozes, 4)
    assert vectors.shape == (3, 4, model.config.hidden_size)
    expected = []
    for row, places in zip(rows, positions, strict=True):
        input_ids = torch.tensor(row)[None]
        input_ids[0, places] = 4
        with torch.no_grad():
            states = model.bert(input_ids, output_hidden_states=True).hidden_states
        expected.append(torch.stack([layer[0, places] for layer in states]))
    assert torch.allclose(vectors, torch.cat(expected, dim=1), atol=1e-6)


def test_vectors_at_hand_are_read_alike() -> None:
    model = cast(Any, make(BertForMaskedLM).eval())
    clozes = [
        Cloze(np.array([2, 7, 9, 30, 11, 3]), np.array([4, 1])),
        Cloze(np.array([2, 8, 3]), np.array([1])),
    ]
    expected = read_answers(model, clozes, 4)
    readings = read_answers(model, clozes, 4, vectors_at(model, clozes, 4))
    assert np.array_equal(readings.rank, expected.rank)
    assert np.array_equal(readings.log_probability, expected.log_probability)


def test_the_examples_in_the_docstrings() -> None:
    assert doctest.testmod(bertviz_lite.evaluation.lens).failed == 0
