"""Linear probes for gold tags: planted ones are read, noise is not, spellings that decide are left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForPreTraining

from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.evaluation.probes import (
    LinearProbe,
    WordVectors,
    linear_probe,
    score_tags,
    sense_vectors,
    word_vectors,
)
from bertviz_lite.world import Story, Word
from bertviz_lite.world.english.stories import stories

RNG = np.random.default_rng(0)


def planted(tags: Sequence[str], texts: Sequence[str], strength: Sequence[float]) -> WordVectors:
    """Make words whose vectors tell their tag as loudly as `strength` says, layer by layer."""
    story = Story(0, 0, ())
    words = tuple((story, Word(text, text, tag, 0, 0)) for text, tag in zip(texts, tags, strict=True))
    sign = np.where(np.array(tags) == "NOUN", 1.0, -1.0)
    vectors = RNG.normal(size=(len(strength), len(tags), 6))
    vectors[:, :, 2] += np.outer(strength, sign)
    return WordVectors(words, vectors, RNG.normal(size=(len(tags), 6)))


def pos(word: Word, _: Story) -> str | None:
    return word.pos if word.pos in {"NOUN", "VERB"} else None


def test_a_probe_finds_what_is_planted_and_nothing_else() -> None:
    tags = ["NOUN", "VERB"] * 100
    fit, score = (planted(tags, ["watch"] * 200, [0.0, 9.0]) for _ in range(2))
    result = score_tags(fit, score, pos)
    assert result.by_layer[1] == 1.0
    assert 0.35 < result.by_layer[0] < 0.65
    assert 0.35 < result.static < 0.65
    assert (result.spelling, result.occurrences) == (0.5, 200)


def test_only_spellings_that_leave_the_tag_open_are_scored() -> None:
    tags = ["NOUN", "NOUN", "VERB", "ADJ", "NOUN", "NOUN", "VERB"] * 4
    texts = ["Rose", "rose", "rose", "rose", "oven", "oven", "oven"] * 3 + ["rose"] * 4 + ["oven"] * 3
    words = planted(tags, texts, [9.0])
    # "rose" has four verbs beside its nouns (and an ADJ, which has no tag here), "oven" just as many
    assert score_tags(words, words, pos, fewest=4).occurrences == 24
    rarer = planted(["NOUN"] * 5 + ["VERB"] * 2, ["oven"] * 7, [9.0])
    assert score_tags(words, rarer, pos).spelling == pytest.approx(5 / 7)
    with pytest.raises(ValueError, match="no spelling has 3 or more words of a rarer tag: give more stories"):
        score_tags(rarer, rarer, pos)


@pytest.mark.parametrize("ridge", [1e-9, 1.0, 7.0])
def test_the_probe_is_least_squares_with_a_ridge(ridge: float) -> None:
    """A ridge is the same as so many more rows along the axes: numpy solves that system by itself."""
    rng = np.random.default_rng(1)
    vectors, others = rng.normal(size=(40, 3)), rng.normal(size=(9, 3))
    tags = np.where(vectors[:, 0] + 0.3 * vectors[:, 1] > 0.2, "yes", "no")
    centred = vectors - vectors.mean(0)
    rows = np.vstack([centred, np.sqrt(ridge * (centred**2).mean()) * np.eye(3)])
    share = (tags == "yes").mean()
    wanted = np.concatenate([(tags == "yes") - share, np.zeros(3)])
    weights = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    probe = LinearProbe.fit(vectors, tags, ridge=ridge)
    assert probe.names.tolist() == ["no", "yes"]
    np.testing.assert_allclose(probe.weights, np.stack([-weights, weights], 1), rtol=1e-9)
    scores = (others - vectors.mean(0)) @ weights + share
    assert np.array_equal(linear_probe(vectors, tags, others, ridge=ridge) == "yes", scores > 0.5)


def test_the_ridge_is_1_unless_given() -> None:
    rng = np.random.default_rng(1)
    vectors, tags = rng.normal(size=(20, 3)), np.array(["a", "b"] * 10)
    given = LinearProbe.fit(vectors, tags, ridge=1.0).weights
    assert np.array_equal(LinearProbe.fit(vectors, tags).weights, given)
    assert abs(LinearProbe.fit(vectors, tags, ridge=9.0).weights - given).max() > 1e-3


def test_a_probe_refuses_vectors_without_tags_and_a_negative_ridge() -> None:
    with pytest.raises(ValueError, match=r"vectors is \(3, 4\), tags \(2,\)"):
        LinearProbe.fit(np.ones((3, 4)), np.array(["a", "b"]))
    with pytest.raises(ValueError, match=r"ridge=-1: 0 or more is needed"):
        LinearProbe.fit(np.ones((2, 4)), np.array(["a", "b"]), ridge=-1)


def test_a_probe_of_equal_vectors_guesses_the_commonest_tag() -> None:
    tags = np.array(["a", "b", "b"])
    assert linear_probe(np.ones((3, 4)), tags, np.zeros((2, 4))).tolist() == ["b", "b"]


def test_vectors_are_those_of_the_model() -> None:
    tokenizer = train_tokenizer([str(story) for story in stories(1, 60)], vocab_size=500)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    model = BertForPreTraining(BertConfig(vocab_size=len(tokenizer), **sizes)).double().eval()
    encoded = encode_stories(stories(3, 12), tokenizer)
    result = word_vectors(model, encoded, lambda word: word.pos == "PROPN")
    assert result.vectors.shape == (3, len(result.words), 16)
    assert {word.pos for _, word in result.words} == {"PROPN"}
    story, word = result.words[5]
    (encoded_story,) = [each for each in encoded if each.story == story]
    start, stop = encoded_story.of(word.sentence, word.index)
    ids = torch.from_numpy(encoded_story.input_ids)[None]
    with torch.no_grad():
        states = model.bert(ids, output_hidden_states=True).hidden_states
        rows = model.bert.embeddings.word_embeddings(ids)[0]
    for layer, state in enumerate(states):
        assert np.allclose(result.vectors[layer, 5], state[0, start:stop].mean(0))
    assert np.allclose(result.static[5], rows[start:stop].mean(0))


def test_senses_are_the_words_that_have_one() -> None:
    tokenizer = train_tokenizer([str(story) for story in stories(1, 60)], vocab_size=500)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    model = BertForPreTraining(BertConfig(vocab_size=len(tokenizer), **sizes)).eval()
    encoded = encode_stories(stories(3, 40), tokenizer)
    wanted = [word.sense for story in encoded for word in story.story.words if word.sense]
    result = sense_vectors(model, encoded)
    assert len(set(wanted)) >= 2
    assert sorted(result.senses) == sorted(wanted)
    assert result.vectors.shape == (2, len(wanted), 16)


@pytest.mark.parametrize("noise", [1e-15, -1e-15])
def test_a_tie_goes_to_the_first_tag_whatever_the_last_bits_say(noise: float) -> None:
    weights = np.array([[1.0, 1.0 + noise, 0.0]])
    probe = LinearProbe(np.array(["a", "b", "c"]), np.zeros(1), weights, np.zeros(3))
    assert probe.tags(np.ones((2, 1))).tolist() == ["a", "a"]
