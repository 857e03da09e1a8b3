"""Heads that follow a relation: the planted one is chosen, and positions are those of the attention."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining

from bertviz_lite.data.batches import ready
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.evaluation.probes import (
    Relation,
    best_offset,
    person_relations,
    score_heads,
    subject_relations,
)
from bertviz_lite.world import stories
from tests.helpers.made_stories import make_story
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


def test_relations_point_at_subject_and_earlier_mentions(tokenizer: PreTrainedTokenizerFast) -> None:
    story = make_story(
        "Anna saw a dog .",
        "It chased her .",
        w0_0={"pos": "PROPN", "entity": 0, "name": "person"},
        w0_1={"pos": "VERB", "subject": 0},
        w0_3={"pos": "NOUN", "entity": 1},
        w1_0={"pos": "PRON", "entity": 1},
        w1_1={"pos": "VERB", "subject": 0},
        w1_2={"pos": "PRON", "entity": 0},
    )
    encoded = encode_stories([story], tokenizer)
    spans = dict(zip([word.text for word in story.words], encoded[0].spans, strict=True))
    subjects = subject_relations(encoded)
    assert [relation.start for relation in subjects] == [spans["saw"][0], spans["chased"][0]]
    assert [relation.targets for relation in subjects] == [
        tuple(range(*spans["Anna"])), tuple(range(*spans["It"])),
    ]  # fmt: skip
    persons = person_relations(encoded)
    assert [relation.start for relation in persons] == [spans["It"][0], spans["her"][0]]
    assert [relation.targets for relation in persons] == [
        tuple(range(*spans["dog"])), tuple(range(*spans["Anna"])),
    ]  # fmt: skip


def test_the_head_that_follows_a_relation_is_found(
    model: BertForPreTraining, encoded: list[EncodedStory], monkeypatch: pytest.MonkeyPatch
) -> None:
    relations = [
        Relation(number, 5 + number % 3, 6 + number % 3, (3 + number % 4,)) for number in range(len(encoded))
    ]
    rng = np.random.default_rng(0)

    def planted(*_: object) -> tuple[np.ndarray, np.ndarray]:
        without = rng.integers(20, 30, (len(relations), 2, 2))
        with_special = without.copy()
        for index, relation in enumerate(relations):
            without[index, 1, 0] = relation.targets[0]
            with_special[index, 1, 0] = relation.targets[0] if index % 4 < 2 else 0
        return without, with_special

    monkeypatch.setattr("bertviz_lite.evaluation.probes.heads.largest_weights", planted)
    result = score_heads(model, encoded, relations)
    assert (result.layer, result.head, result.accuracy) == (1, 0, 1.0)
    assert result.with_special == pytest.approx(0.5, abs=0.05)
    assert result.occurrences == len(encoded) // 2
    assert result.guess < 0.6


def test_largest_weights_are_those_of_the_attention(
    model: BertForPreTraining, encoded: list[EncodedStory]
) -> None:
    from bertviz_lite.evaluation.probes import largest_weights

    relations = [Relation(number, 4, 5 + number % 2, (1,)) for number in range(6)]
    without, with_special = largest_weights(model, encoded, relations)
    for index, relation in enumerate(relations):
        ids = torch.from_numpy(encoded[relation.story].input_ids)[None]
        with ready(model, "eager"):
            attentions = model.bert(ids, output_attentions=True).attentions
        for layer in range(2):
            weights = attentions[layer][0, :, relation.start : relation.stop].mean(1)
            assert with_special[index, layer].tolist() == weights.argmax(-1).tolist()
            assert without[index, layer].tolist() == (weights[:, 1:-1].argmax(-1) + 1).tolist()


def test_best_offset_is_the_most_frequent_one() -> None:
    relations = [Relation(0, 10, 11, (9, 4)), Relation(0, 20, 21, (19,)), Relation(0, 30, 31, (22, 24))]
    assert best_offset(relations) == -1


def test_head_score_without_relations_is_no_number(
    model: BertForPreTraining, encoded: list[EncodedStory]
) -> None:
    assert math.isnan(score_heads(model, encoded, []).accuracy)
