"""Pairs of parts for pre-training: half of them true, and nothing but the text tells which."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import by_length
from bertviz_lite.data.pretraining.names import name_groups, name_ids, with_names_of
from bertviz_lite.data.pretraining.pairs import Mix, PairBlock, pair_block, parts
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.world.events.town import PERSON

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

FIELDS = ("a_first", "a_last", "b_first", "b_last", "labels", "lengths")
DIGEST = "11eff985eadb4943"


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


def test_the_defaults_cut_and_pair_as_they_always_did(corpus: Corpus) -> None:
    """Recorded when another story's second part was the only kind of false pair."""
    block = pair_block(corpus, np.arange(1000), np.random.default_rng(4))
    assert (
        hashlib.sha256(
            b"".join(np.ascontiguousarray(getattr(block, name)).tobytes() for name in FIELDS)
        ).hexdigest()[:16]
        == DIGEST
    )


def test_parts_that_change_places_are_labelled_and_keep_their_lengths(corpus: Corpus) -> None:
    mix = Mix(0.0, 0.0, 0.0, other=0.3, swapped=0.2)
    block = pair_block(corpus, np.arange(1000), np.random.default_rng(0), mix)
    story_of = np.repeat(np.arange(len(corpus)), np.diff(corpus.story_starts))
    same_story = story_of[block.a_first] == story_of[block.b_first]
    swapped = same_story & (block.b_last == block.a_first)
    assert swapped.mean() == pytest.approx(0.2, abs=0.01)
    assert (block.labels[swapped] == 1).all()
    assert (block.labels == 1).mean() == pytest.approx(0.5, abs=0.02)
    assert (block.a_last == block.b_first)[block.labels == 0].all()
    starts = corpus.sentence_starts
    lengths = starts[block.a_last] - starts[block.a_first] + starts[block.b_last] - starts[block.b_first] + 3
    assert np.array_equal(lengths, block.lengths)
    a_length = starts[block.a_last] - starts[block.a_first]
    assert a_length[swapped].mean() == pytest.approx(a_length[~swapped].mean(), rel=0.2)


def test_names_of_another_story_become_those_of_the_first_part(
    corpus: Corpus, tokenizer: PreTrainedTokenizerFast
) -> None:
    names = name_ids(tokenizer)
    mix = Mix(0.0, 0.0, 0.0, renamed=0.5, names=names)
    block = pair_block(corpus, np.arange(1000), np.random.default_rng(0), mix)
    plain = pair_block(corpus, np.arange(1000), np.random.default_rng(0), Mix(0.0, 0.0, 0.0))
    assert np.array_equal(block.labels, plain.labels)
    assert (block.labels[block.renamed] == 1).all()
    assert block.renamed.sum() == pytest.approx(0.5 * (block.labels == 1).sum(), abs=2)
    groups = name_groups(names)
    fewer = 0
    for row in np.flatnonzero(block.renamed):
        first, second = parts(corpus, block, row, groups)
        before = parts(corpus, plain, row)[1]
        assert np.array_equal(groups[second], groups[before])  # a woman's name for a woman's, nothing else
        assert np.array_equal(second[groups[second] == 0], before[groups[before] == 0])
        people = len({*before[groups[before] > 0].tolist()})
        assert len({*second[groups[second] > 0].tolist()}) == people  # two people never become one
        foreign = [{*ids[groups[ids] > 0].tolist()} - {*first.tolist()} for ids in (before, second)]
        assert len(foreign[1]) <= len(foreign[0])
        fewer += len(foreign[1]) < len(foreign[0])
    assert fewer > 0.3 * block.renamed.sum()


def test_names_are_replaced_as_by_hand(tokenizer: PreTrainedTokenizerFast) -> None:
    vocabulary = {name: 10 + number for number, name in enumerate(PERSON)}
    groups = name_groups(
        [[vocabulary[name] for name in PERSON if PERSON[name].gender == gender] for gender in "fm"]
    )
    words = vocabulary | {"sees": 1, "and": 2}
    spelled = {number: word for word, number in words.items()}

    def replaced(first: str, second: str) -> str:
        ids = [np.array([words[word] for word in text.split()]) for text in (first, second)]
        return " ".join(spelled[number] for number in with_names_of(*ids, groups).tolist())

    assert replaced("Anna sees Tom", "Emma sees Jack and Emma") == "Anna sees Tom and Anna"
    assert replaced("Anna sees", "Emma and Lucy and Jack") == "Anna and Lucy and Jack"
    assert replaced("Lucy and Anna", "Emma and Anna and Lily") == "Lucy and Anna and Lily"
    assert replaced("sees", "Emma sees") == "Emma sees"
    assert all(len(ids) <= 27 for ids in name_ids(tokenizer))


def test_a_pair_that_would_become_true_keeps_its_names() -> None:
    told = [[f"{name} is here.", f"{name} is glad."] for name in ("Anna", "Emma", "Lucy", "Lily")]
    vocabulary = train_tokenizer([" ".join(sentences) for sentences in told] * 3, vocab_size=200)
    names = name_ids(vocabulary)
    assert len(names[0]) == 4
    corpus = Corpus([Shard.of(told, vocabulary.backend_tokenizer)])
    mix = Mix(0.0, 0.0, 0.0, other=1.0, renamed=1.0, names=names)
    block = pair_block(corpus, np.arange(4), np.random.default_rng(0), mix)
    assert block.labels.tolist() == [1, 1, 1, 1]
    assert not block.renamed.any()


def test_short_parts_have_as_many_sentences_as_the_mix_says(corpus: Corpus) -> None:
    mix = Mix(0.0, 0.0, 1.0, most_single=4)
    block = pair_block(corpus, np.arange(1000), np.random.default_rng(0), mix)
    assert sorted(set((block.a_last - block.a_first).tolist())) == [1, 2, 3, 4]
    assert (block.labels == -100).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"swapped": 0.6}, "other and swapped"),
        ({"single": 0.9, "short_pair": 0.2}, "add up to more"),
        ({"renamed": 0.5}, "names are needed"),
        ({"other": 1.5}, "other=1.5"),
        ({"most_single": 0}, "at least 1"),
    ],
)
def test_impossible_mixes_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Mix(**change)
