"""Scores of fine-tuned models: answers, errors, F1 of names and words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from transformers import BertForPreTraining

from bertviz_lite.evaluation.task_scores import Answer, evaluate, name_f1, spans_of, word_f1
from bertviz_lite.models.loading import load
from bertviz_lite.training.finetuning import (
    new_model,
)
from bertviz_lite.world.tasks.sets import (
    Labelled,
    Pair,
    Question,
    Tagged,
    feelings,
    names,
    questions,
    sentence_pairs,
)
from tests.helpers import tiny_models

if TYPE_CHECKING:
    from collections.abc import Callable

TASKS: dict[type, Callable[..., Any]] = {
    Labelled: feelings,
    Tagged: names,
    Question: questions,
    Pair: sentence_pairs,
}


@pytest.fixture(scope="module")
def tokenizer() -> Any:  # noqa: ANN401 - a tokenizer
    return load("pocket")[0]


@pytest.fixture(scope="module")
def tiny(tokenizer: Any) -> Any:  # noqa: ANN401
    """Make a small BERT with the pocket model's vocabulary."""
    return tiny_models.make(BertForPreTraining, vocab_size=len(tokenizer), max_position_embeddings=128)


def test_a_model_without_the_head_is_refused(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match="BertForPreTraining has no head for Labelled examples"):
        evaluate(tiny, tokenizer, feelings(5, 2))


def test_errors_are_sorted_by_confidence(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    examples = feelings(5, 40)
    result = evaluate(new_model(tiny, Labelled), tokenizer, examples)
    assert [answer.example for answer in result.answers] == examples
    wrong = result.errors
    assert len(wrong) == round(40 * (1 - result.value))
    assert all(error.predicted != error.true == error.example.label for error in wrong)  # type: ignore[union-attr]
    confidences = [error.confidence for error in wrong]
    assert confidences == sorted(confidences, reverse=True)
    assert str(result).startswith(f"accuracy {result.value:.3f} (")


def test_an_answer_does_not_depend_on_the_rest_of_its_batch(tiny: Any, tokenizer: Any) -> None:  # noqa: ANN401
    for kind, task in TASKS.items():
        model, examples = new_model(tiny, kind), task(5, 12)
        together = evaluate(model, tokenizer, examples).answers
        alone = [evaluate(model, tokenizer, [example]).answers[0] for example in examples]
        assert [answer.predicted for answer in together] == [answer.predicted for answer in alone]
        assert np.allclose(
            [answer.confidence for answer in together], [answer.confidence for answer in alone], rtol=1e-3
        )


def test_f1_of_names_counts_whole_names() -> None:
    true = ("B-person", "I-person", "O", "B-pet")
    predicted = ("B-person", "O", "O", "B-pet")
    answer = Answer(None, predicted, true, right=False, confidence=1.0)  # type: ignore[arg-type]
    result = name_f1([answer])
    assert result.value == pytest.approx(0.5)  # one of two names is right, and one of two predictions
    assert result.parts["pet"] == 1.0
    assert result.parts["person"] == 0.0
    assert spans_of(("I-place", "I-place", "B-place", "I-person")) == {
        (0, 2, "place"),
        (2, 3, "place"),
        (3, 4, "person"),
    }


def test_f1_of_names_counts_those_that_are_predicted_beside_those_that_are_there() -> None:
    answer = Answer(
        None, ("B-pet", "B-pet", "B-pet", "O"), ("B-pet", "O", "O", "B-pet"), right=False, confidence=1.0
    )  # type: ignore[arg-type]
    assert name_f1([answer]).value == pytest.approx(2 * 1 / (2 + 3))  # one hit, two names, three predictions


@pytest.mark.parametrize(
    ("predicted", "true", "f1"),
    [
        ("under the bed", "under the bed", 1.0),
        ("the bed", "under the bed", 0.8),
        ("", "Anna", 0.0),
        ("", "", 1.0),
    ],
)
def test_f1_of_words(predicted: str, true: str, f1: float) -> None:
    assert word_f1(predicted, true) == pytest.approx(f1)
