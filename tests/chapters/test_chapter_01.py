"""Chapter 01 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from bertviz_lite.chapters.chapter_01 import exercises as chapter_01
from bertviz_lite.data.wordpiece import search


def test_padding_may_be_done_by_torch() -> None:
    def by_torch(rows: list[list[int]], pad_id: int) -> tuple[torch.Tensor, torch.Tensor]:
        ids = pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=pad_id)
        mask = pad_sequence([torch.ones(len(row)) for row in rows], batch_first=True)
        return ids, mask.long()

    assert chapter_01.pad.check(by_torch)
    assert chapter_01.pad.check(
        lambda rows, pad_id: [np.array(part.tolist()) for part in by_torch(rows, pad_id)]
    )
    text = chapter_01.pad.check(lambda rows, pad_id: (by_torch(rows, pad_id)[0], None)).text
    assert "Result 1 (from 0): It should be an array of shape (2, 4)" in text
    text = chapter_01.pad.check(lambda rows, pad_id: by_torch(rows, pad_id)[::-1]).text
    assert "input_ids come first, then attention_mask" in text


def test_the_search_from_the_end_may_be_recursive() -> None:
    def recursive(word: str, vocabulary: dict[str, int]) -> list[str]:
        if not word:
            return []
        starts = (n for n in range(len(word)) if ("##" if n else "") + word[n:] in vocabulary)
        if (start := next(starts, None)) is None:
            return ["[UNK]"]
        before = recursive(word[:start], vocabulary)
        return before if before == ["[UNK]"] else [*before, ("##" if start else "") + word[start:]]

    assert chapter_01.from_the_end.check(recursive)
    text = chapter_01.from_the_end.check(lambda word, vocabulary: search(word, vocabulary).tokens).text
    assert "This cuts from the start" in text
    text = chapter_01.from_the_end.check(lambda word, vocabulary: word + " ".join(vocabulary)).text
    assert "It should be a list of strings, not a str." in text
    text = chapter_01.from_the_end.check(lambda word, vocabulary: vocabulary[word]).text
    assert "Your code raised KeyError: 'unties'" in text


def test_the_fewest_tokens_may_be_found_by_trying_every_way() -> None:
    def ways(word: str, vocabulary: dict[str, int], inside: bool = False) -> float:
        if not word:
            return 0
        begin = "##" if inside else ""
        fits = (stop for stop in range(1, len(word) + 1) if begin + word[:stop] in vocabulary)
        return min((1 + ways(word[stop:], vocabulary, True) for stop in fits), default=float("inf"))

    def answer(word: str, vocabulary: dict[str, int]) -> float:
        fewest = ways(word, vocabulary)
        return fewest if fewest < float("inf") else 1

    assert chapter_01.fewest.check(answer)
    assert (
        "infinite" in chapter_01.fewest.check(ways).text or "should be" in chapter_01.fewest.check(ways).text
    )


def test_lists_that_are_changed_are_noticed() -> None:
    def careless(first: list[str], second: list[str], max_length: int) -> tuple[list[str], list[str]]:
        while len(first) + len(second) + 3 > max_length:
            (first if len(first) > len(second) else second).pop()
        return first, second

    assert "first itself was changed: work on a copy" in chapter_01.truncate_pair.check(careless).text


def test_segments_may_be_a_tensor() -> None:
    assert chapter_01.segments.check(lambda a, b: torch.tensor([0] * (a + 2) + [1] * (b + 1)))
    assert "not yet" in chapter_01.segments.check(lambda a, b: (a + 2, b + 1)).text


def test_a_text_that_is_not_split_is_refused() -> None:
    text = chapter_01.plain_words.check(lambda text: text.lower()).text
    assert "It should be a list of strings, not a str." in text
