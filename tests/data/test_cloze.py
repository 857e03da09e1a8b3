"""Guesses at hidden positions equal those of the model, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch
from transformers import BertForPreTraining

from bertviz_lite.data.cloze import Cloze, guess, slot_clozes
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.world import stories
from tests.helpers.small_town import small_model, small_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return small_tokenizer()


@pytest.fixture(scope="module")
def model(tokenizer: PreTrainedTokenizerFast) -> BertForPreTraining:
    return small_model(tokenizer)


@pytest.fixture(scope="module")
def encoded(tokenizer: PreTrainedTokenizerFast) -> list[EncodedStory]:
    return encode_stories(stories(3, 60), tokenizer)


def test_guesses_equal_those_of_the_model_one_by_one(
    model: BertForPreTraining, encoded: list[EncodedStory], tokenizer: PreTrainedTokenizerFast
) -> None:
    clozes = [
        Cloze.word(story.input_ids, *story.spans[number % len(story.spans)])
        for number, story in enumerate(encoded)
    ]
    results = guess(model, clozes, tokenizer.mask_token_id)
    for cloze, result in zip(clozes, results, strict=True):
        ids = torch.from_numpy(cloze.input_ids.copy())[None]
        ids[0, cloze.positions] = tokenizer.mask_token_id
        with torch.no_grad():
            expected = model(ids).prediction_logits[0, cloze.positions].log_softmax(-1)
        answers = cloze.input_ids[cloze.positions]
        assert result.answers.tolist() == answers.tolist()
        assert result.best.tolist() == expected.argmax(-1).tolist()
        wanted = expected[range(len(answers)), answers].double().numpy()
        assert result.log_probability == pytest.approx(wanted, abs=1e-4)
        assert result.right == (result.best.tolist() == answers.tolist())


def test_slot_is_guessed_from_left_to_right(tokenizer: PreTrainedTokenizerFast) -> None:
    clozes = slot_clozes("The lamp ", "zyx", " old.", tokenizer)
    tokens = tokenizer.convert_ids_to_tokens(clozes[0].input_ids.tolist())
    hidden = [[tokens[position] for position in cloze.hidden] for cloze in clozes if cloze.hidden is not None]
    assert hidden == [["z", "##y", "##x"], ["##y", "##x"], ["##x"]]
    guessed = [[tokens[position] for position in cloze.positions] for cloze in clozes]
    assert guessed == [["z"], ["##y"], ["##x"]]
    assert (tokens[0], tokens[-1]) == ("[CLS]", "[SEP]")


def test_slot_stays_in_sight_of_a_long_text(tokenizer: PreTrainedTokenizerFast) -> None:
    for before, after in (("a " * 300, " b" * 300), ("", " b" * 300), ("a " * 300, "")):
        (cloze,) = slot_clozes(before, "z", after, tokenizer, max_length=32)
        assert len(cloze.input_ids) <= 32
        assert tokenizer.convert_ids_to_tokens(cloze.input_ids[cloze.positions].tolist()) == ["z"]
