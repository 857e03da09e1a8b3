"""Wrong arguments are refused in one line that names the argument and what is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from transformers import BertModel

from bertviz_lite import input_parts, load
from bertviz_lite.basics.one_line_error import OneLineError
from bertviz_lite.evaluation.intervals import binomial_interval, bootstrap_interval, interval
from bertviz_lite.evaluation.lens import lens
from bertviz_lite.evaluation.pair_probes import occlusion, pair_vectors
from bertviz_lite.evaluation.probes import linear_probe, score_heads, sense_vectors
from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.scores import Scores, score
from bertviz_lite.evaluation.task_scores import evaluate, name_f1
from bertviz_lite.training.finetuning import FineTuning, fine_tune, new_model
from bertviz_lite.world import stories
from bertviz_lite.world.tasks.sets import feelings
from tests.helpers.tiny_models import make

TOKENIZER: Any
MODEL: Any
TOKENIZER, MODEL = load("pocket")
IDS = torch.tensor([2, 40, 3])

CALLS: list[tuple[Callable[[], Any], str]] = [
    (lambda: input_parts(MODEL, None, "Anna"), "tokenizer is None: give the model's"),
    (lambda: input_parts(None, TOKENIZER, "Anna"), "model is None: give a model of transformers"),
    (lambda: input_parts(TOKENIZER, MODEL, "Anna"), "model and tokenizer are swapped: give the model first"),
    (lambda: input_parts("pocket", TOKENIZER, "Anna"), "model is a str: give a model of transformers"),
    (lambda: input_parts(MODEL, TOKENIZER, ["Anna"]), "text must be one string, not list"),
    (lambda: input_parts(MODEL, TOKENIZER, ""), "text is empty"),
    (lambda: input_parts(MODEL, TOKENIZER, "\ud800"), "a text holds half a character"),
    (lambda: input_parts(make(BertModel), TOKENIZER, "Anna"), "the tokenizer gives id "),
    (lambda: input_parts(MODEL, TOKENIZER, "Anna").cosines(3), "index=3: there are 3 tokens, 0 to 2"),
    (lambda: input_parts(MODEL, TOKENIZER, "Anna").cosines("a"), "index='a': a whole number is needed"),
    (lambda: lens(MODEL, [2, 3]), "input_ids is list: give a tensor of whole numbers"),
    (lambda: lens(MODEL, IDS, attention_mask=[1, 1, 1]), "attention_mask is list: give a tensor"),
    (lambda: occlusion(MODEL, None, "a", "b"), "tokenizer is None: give the model's"),
    (lambda: occlusion(TOKENIZER, MODEL, "a", "b"), "model and tokenizer are swapped"),
    (lambda: pair_vectors(MODEL, TOKENIZER, "ab"), "pairs holds 'a': give pairs of two texts"),
    (lambda: pair_vectors(MODEL, TOKENIZER, [1]), "pairs holds 1: give pairs of two texts"),
    (lambda: interval("3", 5), "count='3': a number is needed, not a str"),
    (lambda: interval(3, True), "n=True: a number is needed, not a bool"),
    (lambda: bootstrap_interval("x"), "values='x': give one or more numbers"),
    (lambda: binomial_interval(10, 2.0), "share=2.0: a share from 0 to 1 is needed"),
    (lambda: binomial_interval(-1, 0.5), "count=-1: a whole number of 0 or more is needed"),
    (
        lambda: linear_probe(np.ones((2, 2)), np.array(["a", "b"]), np.ones((3, 5))),
        "vectors is (3, 5): (m, 2)",
    ),
    (lambda: sense_vectors(MODEL, stories(1, 2)), "encoded holds a Story: call encode_stories"),
    (lambda: score_heads(MODEL, stories(1, 2), []), "encoded holds a Story: call encode_stories"),
    (lambda: score(MODEL, None), "tokenizer is None: give the model's"),
    (lambda: Scores.from_json("{"), "text holds no scores as to_json() writes them"),
    (lambda: Scores.from_json("[1]"), "text holds no scores as to_json() writes them"),
    (lambda: evaluate(None, TOKENIZER, feelings(5, 2)), "model is None: give a model of transformers"),
    (lambda: name_f1([]), "answers is empty"),
    (lambda: fine_tune(MODEL, None, feelings(5, 2)), "tokenizer is None: give the model's"),
    (
        lambda: fine_tune(MODEL, TOKENIZER, feelings(5, 2), recipe={"epochs": 3}),
        "recipe={'epochs': 3}: a FineT",
    ),
    (lambda: FineTuning(epochs="3"), "epochs='3': a number above 0 is needed"),
    (lambda: FineTuning(epochs=float("nan")), "epochs=nan: a number above 0 is needed"),
    (lambda: FineTuning(steps=0), "steps=0: a whole number of 1 or more is needed"),
    (lambda: new_model(MODEL, "Labelled"), "kind='Labelled': one of the classes Labelled, Pair"),
    (lambda: recorded("x"), "nothing is recorded of 'x': there is ablations"),
]


@pytest.mark.parametrize(("call", "message"), CALLS, ids=[message for _, message in CALLS])
def test_a_wrong_argument_is_refused_in_one_line(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(OneLineError) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, TypeError)


def test_numpy_numbers_and_lists_are_as_good_as_python_ones() -> None:
    assert interval(np.int64(9), np.int64(10)) == interval(9, 10)
    assert bootstrap_interval([1, 0]) == bootstrap_interval(np.array([1.0, 0.0]))
    assert linear_probe([[0.0], [1.0]], ["a", "b"], [[0.9]]).tolist() == ["b"]  # type: ignore[arg-type]
