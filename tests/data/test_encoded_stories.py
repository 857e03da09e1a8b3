"""Encoded stories: the tokens of each word, and which stories fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bertviz_lite.data.cloze import slot_clozes
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.world import stories
from tests.helpers.small_town import small_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return small_tokenizer()


@pytest.fixture(scope="module")
def encoded(tokenizer: PreTrainedTokenizerFast) -> list[EncodedStory]:
    return encode_stories(stories(3, 60), tokenizer)


def test_spans_are_the_tokens_of_each_word(
    encoded: list[EncodedStory], tokenizer: PreTrainedTokenizerFast
) -> None:
    assert len(encoded) > 30
    for story in encoded:
        assert story.input_ids[0] == tokenizer.cls_token_id
        assert story.input_ids[-1] == tokenizer.sep_token_id
        whole = tokenizer(str(story.story))["input_ids"]
        assert story.input_ids.tolist() == whole
        covered = [position for start, stop in story.spans for position in range(start, stop)]
        assert covered == list(range(1, len(whole) - 1))
        for word, start, stop in story.words:
            tokens = tokenizer.convert_ids_to_tokens(story.input_ids[start:stop].tolist())
            normal = tokenizer.backend_tokenizer.normalizer.normalize_str(word.text)
            assert "".join(tokens).replace("##", "") == normal
            assert story.of(word.sentence, word.index) == (start, stop)


def test_stories_that_do_not_fit_are_left_out(tokenizer: PreTrainedTokenizerFast) -> None:
    some = stories(3, 20)
    lengths = [len(tokenizer(str(story))["input_ids"]) for story in some]
    limit = sorted(lengths)[10]
    kept = encode_stories(some, tokenizer, max_length=limit)
    assert [str(story.story) for story in kept] == [
        str(story) for story, length in zip(some, lengths, strict=True) if length <= limit
    ]


def test_an_earlier_call_that_padded_and_cut_leaves_no_trace(tokenizer: PreTrainedTokenizerFast) -> None:
    some = stories(3, 5)
    before = [story.input_ids.tolist() for story in encode_stories(some, tokenizer)]
    tokenizer(["a", "b"], padding="max_length", truncation=True, max_length=4)
    assert [story.input_ids.tolist() for story in encode_stories(some, tokenizer)] == before
    tokenizer(["a", "b"], padding="max_length", truncation=True, max_length=4)
    assert len(slot_clozes("", "Anna", " is glad to get the drum back.", tokenizer)[0].input_ids) > 8
