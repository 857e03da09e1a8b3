"""Sentences with known answers: they are as described, and scored as by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining, BertModel, BertTokenizer

from bertviz_lite.chapters.chapter_13.english_sentences import BANK, PAIRS, RELATIONS, SENSES
from bertviz_lite.chapters.chapter_13.real_english import (
    between,
    crossed_hits,
    nearer,
    occurrences,
    pair_cosines,
    sense_hits,
    sentence_vectors,
)
from tests.helpers.tiny_models import SPECIAL, make

MATCHED = np.array([not occurrence.crossed for occurrence in BANK])
TRUE = np.array([SENSES.index(occurrence.sense) for occurrence in BANK])


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def test_the_sentences_are_as_they_are_described() -> None:
    assert len({occurrence.text for occurrence in BANK}) == len(BANK) == 56
    assert MATCHED.sum() == 32
    assert (np.arange(len(BANK)) % 2 == TRUE).all()
    for occurrence in BANK:
        assert len(re.findall(r"\bbank\b", occurrence.text)) == 1, occurrence.text
        assert "banks" not in occurrence.text
    assert {len(entry) for entry in PAIRS} == {4}
    assert len(PAIRS) == 20
    for first, _, denied, topic in PAIRS:
        assert re.search(r"\bnot\b|cannot", denied), denied
        assert len(set(words(first)) & set(words(denied))) >= len(set(words(first))) - 3, denied
        assert {word[:4] for word in words(first)} & {word[:4] for word in words(topic)}, topic


def test_a_vector_of_the_true_sense_is_a_hit_and_one_of_neither_half_a_hit() -> None:
    telling = np.eye(2)[TRUE] + 0.01 * np.arange(len(BANK))[:, None]
    assert sense_hits(telling).tolist() == [1.0] * len(BANK)
    swapped = telling.copy()
    swapped[~MATCHED] = np.eye(2)[1 - TRUE[~MATCHED]]
    assert sense_hits(swapped)[MATCHED].tolist() == [1.0] * 32
    assert sense_hits(swapped)[~MATCHED].tolist() == [0.0] * 24
    assert sense_hits(np.ones((len(BANK), 3))).tolist() == [0.5] * len(BANK)
    # Turned round in all crossed sentences, the sense is told by the crossed ones' own means.
    assert crossed_hits(swapped).tolist() == [1.0] * 24
    assert crossed_hits(np.ones((len(BANK), 3))).tolist() == [0.5] * 24


def test_a_pair_has_no_part_in_the_centroids_that_it_is_compared_with() -> None:
    alone = np.zeros((len(BANK), 1))
    alone[0] = 1.0  # only this vector differs: its own centroids must not know it
    hits = sense_hits(alone)
    assert hits[0] == 0.5
    assert hits[1] == 0.5
    assert hits[2] == 0.0  # a pair that is left in: the river centroid has moved away from 0
    assert hits[3] == 1.0


def test_a_place_between_the_senses_is_counted_from_the_river_to_the_money() -> None:
    senses = 4.0 * np.eye(2)[TRUE]  # all rivers at (4, 0), all moneys at (0, 4)
    assert between(senses) == pytest.approx(TRUE)
    moved = senses.copy()
    moved[-1], moved[-2], moved[-3] = (2, 2), (3, 1), (9, 9)  # only what's along the way counts
    assert between(moved)[-3:] == pytest.approx([0.5, 0.25, 0.5])
    assert between(np.ones((len(BANK), 3))).tolist() == [0.5] * len(BANK)
    rows = np.random.default_rng(0).normal(size=(len(BANK), 4))
    assert ((between(rows) > 0.5) == TRUE).tolist() == (sense_hits(rows) == 1).tolist()


def test_bad_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"vectors is \(3, 4\): a row for each of the 56 sentences"):
        sense_hits(np.zeros((3, 4)))
    with pytest.raises(ValueError, match=r"vectors is \(3, 4\): a row for each of the 80 texts"):
        pair_cosines(np.zeros((3, 4)))


def test_cosines_are_of_each_sentence_with_its_partners() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, 5))
    cosines = pair_cosines(rows)
    assert cosines.shape == (20, len(RELATIONS))

    def cosine(first: int, second: int) -> float:
        product = rows[first] @ rows[second]
        return float(product / np.linalg.norm(rows[first]) / np.linalg.norm(rows[second]))

    assert cosines[2] == pytest.approx([cosine(8, 9), cosine(8, 10), cosine(8, 11), cosine(8, 12)])
    assert cosines[19, 3] == pytest.approx(cosine(76, 0))
    hits = nearer(cosines)
    assert list(hits) == ["denied", "same topic", "unrelated"]
    assert hits["unrelated"].tolist() == (cosines[:, 0] > cosines[:, 3]).astype(float).tolist()
    assert nearer(np.array([[0.2, 0.2, 0.1, 0.3]]))["denied"].tolist() == [0.5]  # a tie


def test_occurrences_are_the_vectors_of_the_word_and_of_the_rest() -> None:
    letters = [*"abcdefghijklmnopqrstuvwxyz.,;"]
    vocab = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters), "bank", "river"]
    tokenizer = BertTokenizer(vocab={token: number for number, token in enumerate(vocab)})
    model = make(BertModel, vocab_size=len(vocab), max_position_embeddings=128).double().eval()
    vectors = occurrences(model, tokenizer)
    assert vectors.layers.shape == (3, len(BANK), 16)
    row = 1
    batch = tokenizer([BANK[row].text], return_tensors="pt")
    ids = batch["input_ids"][0].tolist()
    place = ids.index(vocab.index("bank"))
    with torch.no_grad():
        alone = model(**batch, output_hidden_states=True).hidden_states
    for layer, states in enumerate(alone):
        assert vectors.layers[layer, row] == pytest.approx(states[0, place].numpy(), abs=1e-9)
    rest = [token_id for number, token_id in enumerate(ids) if number not in (0, place, len(ids) - 1)]
    table = model.embeddings.word_embeddings.weight.detach().numpy()
    assert vectors.others[row] == pytest.approx(table[rest].mean(0))


def test_a_model_without_a_pooler_has_no_pooled_vectors() -> None:
    vocab = {token: number for number, token in enumerate((*SPECIAL, "a", "b"))}
    tokenizer = BertTokenizer(vocab=vocab)
    with_pooler = make(BertForPreTraining, vocab_size=7).eval()
    without = make(BertModel, vocab_size=7, add_pooling_layer=False).eval()
    assert list(sentence_vectors(with_pooler, tokenizer, ["a b"])) == ["[CLS]", "pooler", "mean", "max"]
    assert list(sentence_vectors(without, tokenizer, ["a b"])) == ["[CLS]", "mean", "max"]
