"""Questions on town events: right by construction, scored without favour, and learnable."""

import doctest
import re
from typing import Any

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining, PreTrainedTokenizerBase

from bertviz_lite import ModelError, load
from bertviz_lite.evaluation import similarity
from bertviz_lite.evaluation.similarity import CHANGES, Question
from bertviz_lite.world.events.town import PEOPLE
from tests.helpers.tiny_models import make, save

NAMES = {person.name for person in PEOPLE}
SOME = similarity.questions(seed=3, n=60)


def names_in(text: str) -> list[str]:
    return [word for word in re.findall(r"[A-Z][a-z]+", text) if word in NAMES]


# Making questions


def test_the_examples_in_the_docstrings() -> None:
    assert doctest.testmod(similarity).failed == 0


def test_a_question_does_not_depend_on_how_many_are_asked() -> None:
    assert similarity.questions(seed=3, n=2) == SOME[:2]
    assert similarity.questions(seed=4, n=2) != SOME[:2]
    assert similarity.questions(seed=3, n=0) == []


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError, match=r"n=-1: ask for 0 or more"):
        similarity.questions(seed=3, n=-1)


@pytest.mark.parametrize("asked", SOME)
def test_each_candidate_is_changed_as_its_name_says(asked: Question) -> None:
    by_change = dict(zip(CHANGES, asked.candidates, strict=True))
    assert len(set(asked.texts)) == len(asked.texts)
    people = set(names_in(asked.query))
    assert people
    assert set(names_in(by_change["same event"])) == people
    assert set(names_in(by_change["other thing"])) == people
    assert set(names_in(by_change["other person"])) != people
    assert set(names_in(by_change["other deed"])) <= people


def test_in_half_of_the_questions_giver_and_taker_change_places() -> None:
    swapped = [set(names_in(one.query)) == set(names_in(one.candidates[4])) for one in SOME]
    assert 20 <= sum(swapped) <= 40


def test_training_and_test_share_no_question() -> None:
    known = {text for one in similarity.questions(similarity.TRAINING_SEED, 100) for text in one.texts}
    asked = [one.query for one in similarity.questions(similarity.TEST_SEED, 100)]
    assert sum(query in known for query in asked) <= 1


def test_english_questions() -> None:
    asked = similarity.english_questions()
    assert len(asked) == 24
    assert {len(one.candidates) for one in asked} == {len(similarity.ENGLISH_CHANGES)}
    texts = [text for one in asked for text in one.texts]
    assert len(set(texts)) == len(texts)
    assert all(re.fullmatch(r"[A-Z][^|\n]*\.", text) for text in texts)
    # As the docstring says: who counts words is misled by the candidate of like words, every time.
    overlap = similarity.word_overlap(asked)
    assert (overlap.argmax(axis=1) == similarity.ENGLISH_CHANGES.index("like words")).all()


# Scoring


def test_word_overlap_by_hand() -> None:
    asked = [Question("Ann has a dog.", ("Ann has a cat.", "It rains."))]
    assert similarity.word_overlap(asked).tolist() == [[3 / 5, 0.0]]


def test_cosines_by_hand() -> None:
    asked = [Question("a", ("b", "c")), Question("d", ("e", "f"))]
    vectors = [[1.0, 0.0], [2.0, 0.0], [0.0, 5.0], [1.0, 1.0], [-3.0, -3.0], [1.0, -1.0]]
    np.testing.assert_allclose(similarity.cosines(vectors, asked), [[1, 0], [-1, 0]], atol=1e-12)
    with pytest.raises(ValueError, match=r"vectors is \(5, 2\) but the questions have 6 texts"):
        similarity.cosines(vectors[:5], asked)


def test_equal_vectors_share_the_point() -> None:
    assert similarity.chosen(np.ones((3, 5))).tolist() == [[0.2] * 5] * 3
    with pytest.raises(ValueError, match=r"similarities is \(5,\)"):
        similarity.chosen(np.ones(5))


def test_the_interval_is_as_wide_as_theory_says() -> None:
    hits = np.arange(400) % 2
    low, high = similarity.interval(hits)
    assert (high - low) / 2 == pytest.approx(1.96 * 0.5 / 20, rel=0.08)
    assert similarity.interval(hits) == (low, high)


# Running and training a model

_Small = tuple[PreTrainedTokenizerBase, Any]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> _Small:
    """Give a model of a few thousand weights with the pocket model's words."""
    tokenizer, pocket = load("pocket")
    model = make(BertForPreTraining, vocab_size=pocket.config.vocab_size)
    folder = save(tmp_path_factory.mktemp("similarity") / "tiny", model, tokenizer=False)
    tokenizer.save_pretrained(folder)
    tokenizer, read = load(folder)
    return tokenizer, read.double()


def test_finish_goes_on_where_states_has_stopped(small: _Small) -> None:
    tokenizer, model = small
    bert = model.base_model
    last, real = similarity.states(bert, tokenizer, SOME[:5])
    for layers in (1, 2):
        inputs = similarity.states(bert, tokenizer, SOME[:5], layer=-1 - layers)
        assert torch.equal(inputs[1], real)
        torch.testing.assert_close(similarity.finish(bert, inputs, layers), last, rtol=0, atol=1e-12)


def test_poolings_leave_padding_out(small: _Small) -> None:
    tokenizer, model = small
    hidden, real = similarity.states(model.base_model, tokenizer, SOME[:5])
    spoiled = hidden.masked_fill(real[..., None] == 0, 1e6)
    assert (real == 0).any()
    for pool in similarity.poolings().values():
        assert torch.equal(pool(model.base_model, spoiled, real), pool(model.base_model, hidden, real))


def test_tuning_helps_and_leaves_the_model_alone(small: _Small) -> None:
    tokenizer, model = small
    before = {name: value.clone() for name, value in model.base_model.state_dict().items()}
    mean = similarity.poolings()["mean"]
    tuned, losses = similarity.tune(model, tokenizer, SOME, mean, layers=1, steps=60)
    assert all(torch.equal(value, before[name]) for name, value in model.base_model.state_dict().items())
    changed = [name for name, value in tuned.state_dict().items() if not torch.equal(value, before[name])]
    assert changed
    assert all(name.startswith("encoder.layer.1.") for name in changed)
    assert np.mean(losses[-5:]) < 0.9 * np.mean(losses[:5])
    again = similarity.tune(model, tokenizer, SOME, mean, layers=1, steps=60).losses
    assert losses == again


def test_tuning_refuses_what_cannot_be(small: _Small) -> None:
    tokenizer, model = small
    mean = similarity.poolings()["mean"]
    with pytest.raises(ValueError, match=r"layers=3: the model has 2; train 1 or more"):
        similarity.tune(model, tokenizer, SOME, mean, layers=3)
    with pytest.raises(ValueError, match=r"5 questions are fewer than the 12 of one step"):
        similarity.tune(model, tokenizer, SOME[:5], mean)


# Numbers that are kept


def test_the_kept_english_scores_are_those_of_the_model() -> None:
    try:
        load("minilm")
    except ModelError as error:
        pytest.skip(str(error))
    found = similarity.english_scores(similarity.poolings())
    assert list(found) == list(similarity.MINILM)
    for name, kept in similarity.MINILM.items():
        assert found[name] == pytest.approx(kept)


def test_without_the_model_the_kept_scores_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModelError(f"{name}: not installed")

    monkeypatch.setattr("bertviz_lite.models.loading.load", missing)
    assert similarity.english_scores(similarity.poolings()) == similarity.MINILM


def test_the_command_trains_every_kept_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def untrained(model: BertForPreTraining, *_: object, **__: object) -> similarity.Tuned:
        bert: Any = model.base_model
        return similarity.Tuned(bert, [])

    grad = torch.is_grad_enabled()
    monkeypatch.setattr(similarity, "tune", untrained)
    monkeypatch.setattr(similarity, "questions", lambda *_: SOME[:12])
    try:
        assert similarity.main() == 0
    finally:
        torch.set_grad_enabled(grad)
    names = [line.partition("0.")[0].strip() for line in capsys.readouterr().out.splitlines()]
    assert names == list(similarity.ALL_LAYERS)
