"""Chapter 06's questions: right by construction and learnable; and the recorded scores of a real model."""

import doctest
import re
from typing import Any

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining, PreTrainedTokenizerBase

from bertviz_lite import ModelError, load
from bertviz_lite.chapters.chapter_06 import same_event
from bertviz_lite.chapters.chapter_06.same_event import CHANGES, TEST_SEED, TRAINING_SEED, event_questions
from bertviz_lite.chapters.chapter_06.same_meaning import ENGLISH_CHANGES, english_questions, english_scores
from bertviz_lite.chapters.chapter_06.tuning import Schedule, finish, states, tune
from bertviz_lite.evaluation.poolings import poolings
from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.similarity import SimilarityQuestion, word_overlap
from bertviz_lite.world.events.town import PEOPLE
from tests.helpers.tiny_models import make, save

NAMES = {person.name for person in PEOPLE}
SOME = event_questions(seed=3, n=60)
MINILM = {name: tuple(scores) for name, scores in recorded("similarity")["all-MiniLM-L6-v2"].items()}


def names_in(text: str) -> list[str]:
    return [word for word in re.findall(r"[A-Z][a-z]+", text) if word in NAMES]


# Questions


def test_the_examples_in_the_docstrings() -> None:
    assert doctest.testmod(same_event).failed == 0


def test_a_question_does_not_depend_on_the_number_of_questions() -> None:
    assert event_questions(seed=3, n=2) == SOME[:2]
    assert event_questions(seed=4, n=2) != SOME[:2]
    assert event_questions(seed=3, n=0) == []


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError, match=r"n=-1: ask for 0 or more"):
        event_questions(seed=3, n=-1)


@pytest.mark.parametrize("question", SOME)
def test_each_candidate_is_changed_as_its_name_says(question: SimilarityQuestion) -> None:
    by_change = dict(zip(CHANGES, question.candidates, strict=True))
    assert len(set(question.texts)) == len(question.texts)
    people = set(names_in(question.query))
    assert people
    assert set(names_in(by_change["same event"])) == people
    assert set(names_in(by_change["other thing"])) == people
    assert set(names_in(by_change["other person"])) != people
    assert set(names_in(by_change["other deed"])) <= people


def test_in_half_of_the_questions_giver_and_taker_change_places() -> None:
    swapped = [set(names_in(question.query)) == set(names_in(question.candidates[4])) for question in SOME]
    assert 20 <= sum(swapped) <= 40


def test_training_and_test_share_no_question() -> None:
    training = {text for question in event_questions(TRAINING_SEED, 100) for text in question.texts}
    queries = [question.query for question in event_questions(TEST_SEED, 100)]
    assert sum(query in training for query in queries) <= 1


def test_english_questions_mislead_a_count_of_shared_words() -> None:
    questions = english_questions()
    assert len(questions) == 24
    assert {len(question.candidates) for question in questions} == {len(ENGLISH_CHANGES)}
    texts = [text for question in questions for text in question.texts]
    assert len(set(texts)) == len(texts)
    assert all(re.fullmatch(r"[A-Z][^|\n]*\.", text) for text in texts)
    overlap = word_overlap(questions)
    assert (overlap.argmax(axis=1) == ENGLISH_CHANGES.index("like words")).all()


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
    last, real = states(bert, tokenizer, SOME[:5])
    for layers in (1, 2):
        inputs = states(bert, tokenizer, SOME[:5], layer=-1 - layers)
        assert torch.equal(inputs[1], real)
        torch.testing.assert_close(finish(bert, inputs, layers), last, rtol=0, atol=1e-12)


def test_poolings_leave_padding_out(small: _Small) -> None:
    tokenizer, model = small
    hidden, real = states(model.base_model, tokenizer, SOME[:5])
    spoiled = hidden.masked_fill(real[..., None] == 0, 1e6)
    assert (real == 0).any()
    for pool in poolings().values():
        assert torch.equal(pool(model.base_model, spoiled, real), pool(model.base_model, hidden, real))


def test_tuning_helps_and_leaves_the_model_alone(small: _Small) -> None:
    tokenizer, model = small
    before = {name: value.clone() for name, value in model.base_model.state_dict().items()}
    mean = poolings()["mean"]
    tuned, losses = tune(model, tokenizer, SOME, mean, Schedule(layers=1, steps=60))
    assert all(torch.equal(value, before[name]) for name, value in model.base_model.state_dict().items())
    changed = [name for name, value in tuned.state_dict().items() if not torch.equal(value, before[name])]
    assert changed
    assert all(name.startswith("encoder.layer.1.") for name in changed)
    assert np.mean(losses[-5:]) < 0.9 * np.mean(losses[:5])
    again = tune(model, tokenizer, SOME, mean, Schedule(layers=1, steps=60)).losses
    assert losses == again


def test_tuning_refuses_what_cannot_be(small: _Small) -> None:
    tokenizer, model = small
    mean = poolings()["mean"]
    with pytest.raises(ValueError, match=r"layers=3: the model has 2; train 1 or more"):
        tune(model, tokenizer, SOME, mean, Schedule(layers=3))
    with pytest.raises(ValueError, match=r"5 questions are fewer than the 12 of one step"):
        tune(model, tokenizer, SOME[:5], mean)


# Recorded scores


def test_the_recorded_english_scores_are_those_of_the_model() -> None:
    try:
        load("minilm")
    except ModelError as error:
        pytest.skip(str(error))
    scores = english_scores(poolings())
    assert list(scores) == list(MINILM)
    for name, recorded_scores in MINILM.items():
        assert scores[name] == pytest.approx(recorded_scores)


def test_without_the_model_the_recorded_scores_are_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModelError(f"{name}: not installed")

    monkeypatch.setattr("bertviz_lite.models.loading.load", missing)
    assert english_scores(poolings()) == MINILM
