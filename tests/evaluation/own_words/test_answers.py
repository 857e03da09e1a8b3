"""What a model answers is what transformers' own pipelines and heads say."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch
from transformers import (
    AutoModelForMaskedLM,
    AutoTokenizer,
    BertForNextSentencePrediction,
    BertForPreTraining,
    pipeline,
)

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.cloze import slot_log_probabilities
from bertviz_lite.evaluation.scores.own_words import Choice, Pair, read_exam
from bertviz_lite.evaluation.scores.own_words.answers import choose_words, judge_pairs
from bertviz_lite.models import POCKET

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

FOLDER = Path(__file__).parents[2] / "own_words"


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return AutoTokenizer.from_pretrained(POCKET)  # type: ignore[return-value]


@pytest.fixture(scope="module")
def model() -> BertForPreTraining:
    return BertForPreTraining.from_pretrained(POCKET)  # type: ignore[no-any-return]


def test_choices_between_tokens_are_those_of_the_fill_mask_pipeline(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast
) -> None:
    choices = [
        choice
        for choice in read_exam(FOLDER, "look").choices[::8]
        if len(tokenizer.tokenize(choice.right)) == len(tokenizer.tokenize(choice.wrong)) == 1
    ]
    assert len(choices) > 20
    fill = pipeline("fill-mask", model=AutoModelForMaskedLM.from_pretrained(POCKET), tokenizer=tokenizer)
    expected = []
    for choice in choices:
        text = f"{choice.before}[MASK]{choice.after}"
        found = fill(text, targets=[choice.right.lower(), choice.wrong.lower()])
        scores = {answer["token_str"]: answer["score"] for answer in found}
        expected.append(scores[choice.right.lower()] > scores[choice.wrong.lower()])
        slot = (choice.before, choice.right, choice.after)
        (log_probability,) = slot_log_probabilities(model, tokenizer, [slot])
        assert math.exp(log_probability) == pytest.approx(scores[choice.right.lower()], rel=1e-3)
    assert choose_words(model, tokenizer, choices) == expected
    assert len(set(expected)) == 2, "right and wrong answers are both among them"


def test_a_word_of_two_tokens_is_guessed_twice(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast
) -> None:
    word = "ox"
    first, second = tokenizer.convert_tokens_to_ids(tokenizer.tokenize(word))
    ids = tokenizer("Anna saw a [MASK] [MASK] .", return_tensors="pt").input_ids
    place = ids[0].tolist().index(tokenizer.mask_token_id)
    masked = AutoModelForMaskedLM.from_pretrained(POCKET)
    with torch.inference_mode():
        begin = masked(ids).logits[0, place].log_softmax(-1)[first]
        ids[0, place] = first
        end = masked(ids).logits[0, place + 1].log_softmax(-1)[second]
        likely = masked(tokenizer("Anna saw a [MASK] .", return_tensors="pt").input_ids)
    (whole,) = slot_log_probabilities(model, tokenizer, [("Anna saw a ", word, ".")])
    assert whole == pytest.approx(float(begin + end), rel=1e-4)
    bird = likely.logits[0, place].log_softmax(-1)[tokenizer.convert_tokens_to_ids("bird")]
    choice = Choice("mixed", "Anna saw a ", "bird", word, ".")
    assert choose_words(model, tokenizer, [choice]) == [bool(bird > begin + end)]


def test_pairs_are_judged_as_by_the_head_of_transformers(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast
) -> None:
    pairs = read_exam(FOLDER, "look").pairs[::7]
    head = BertForNextSentencePrediction.from_pretrained(POCKET)
    expected = []
    for pair in pairs:
        with torch.inference_mode():
            logits = head(**tokenizer(pair.first, pair.second, return_tensors="pt")).logits
        expected.append(bool((logits.argmax().item() == 0) == pair.follows))
    assert judge_pairs(model, tokenizer, pairs) == expected
    assert len(set(expected)) == 2, "right and wrong answers are both among them"


def test_a_pair_that_is_too_long_is_refused(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast
) -> None:
    with pytest.raises(ArgumentError, match="a pair has 133 tokens: the model reads at most 128"):
        judge_pairs(model, tokenizer, [Pair("long", True, "the " * 100, "the " * 30)])
