"""Pairs of parts for pre-training: half of them true, and nothing but the text tells which."""

from __future__ import annotations

import numpy as np
import pytest

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import by_length
from bertviz_lite.data.pretraining.pairs import Mix, PairBlock, pair_block


@pytest.fixture(scope="module")
def pairs(corpus: Corpus) -> PairBlock:
    return pair_block(corpus, np.arange(len(corpus)), np.random.default_rng(0), Mix(0.0, 0.0, 0.0))


def test_half_of_the_pairs_are_true(pairs: PairBlock) -> None:
    assert (pairs.labels == 0).mean() == pytest.approx(0.5, abs=0.02)
    assert (pairs.labels == 1).mean() == pytest.approx(0.5, abs=0.02)


def test_true_second_parts_follow_and_false_ones_are_of_another_story(
    corpus: Corpus, pairs: PairBlock
) -> None:
    story_of = np.repeat(np.arange(len(corpus)), np.diff(corpus.story_starts))
    for index in range(len(pairs)):
        a_first, a_last, b_first, b_last = (
            int(values[index]) for values in (pairs.a_first, pairs.a_last, pairs.b_first, pairs.b_last)
        )
        first, second = story_of[a_first:a_last], story_of[b_first:b_last]
        assert len(set(first)) == len(set(second)) == 1
        if pairs.labels[index] == 0:
            assert (a_last, story_of[a_first]) == (b_first, story_of[b_first])
        else:
            assert first[0] != second[0]
            true_end = corpus.story_starts[first[0] + 1]
            assert not np.array_equal(corpus.token_ids(b_first, b_last), corpus.token_ids(a_last, true_end))


def test_lengths_say_nothing_about_the_label(corpus: Corpus, pairs: PairBlock) -> None:
    starts = corpus.sentence_starts
    a_length, b_length = (
        starts[pairs.a_last] - starts[pairs.a_first],
        starts[pairs.b_last] - starts[pairs.b_first],
    )
    for lengths in (a_length, b_length, a_length + b_length, a_length - b_length):
        false, true = lengths[pairs.labels == 1], lengths[pairs.labels == 0]
        # The two distribution functions nearly coincide (Kolmogorov and Smirnov's distance for 500 and 500).
        places = np.unique(lengths)
        distance = np.abs(
            np.searchsorted(np.sort(false), places, "right") / len(false)
            - np.searchsorted(np.sort(true), places, "right") / len(true)
        ).max()
        assert distance < 0.12


def test_a_sentence_that_cannot_fit_is_an_error(corpus: Corpus) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        pair_block(corpus, np.arange(5), np.random.default_rng(0), max_length=6)


def test_batches_have_like_lengths_and_random_order(corpus: Corpus) -> None:
    block = pair_block(corpus, np.arange(1000), np.random.default_rng(0), Mix(0.2, 0.1, 0.0))
    grouped = by_length(block, 16, np.random.default_rng(0))
    assert len(grouped) == 992
    lengths = grouped.lengths.reshape(-1, 16)
    long = lengths >= 0.6 * np.median(block.lengths)
    spread = [row[kept].max() - row[kept].min() for row, kept in zip(lengths, long, strict=True)]
    assert np.median(spread) < 0.2 * (block.lengths.max() - block.lengths.min())
    assert (~long).any(1).mean() > 0.4  # short inputs are everywhere
    tops = lengths.max(1)
    assert abs(np.corrcoef(tops[:-1], tops[1:])[0, 1]) < 0.5
