"""Heads that follow a relation: the planted one is chosen, and positions are those of the attention."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining

from bertviz_lite.data.batches import ready
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.evaluation.probes import (
    Misleading,
    Relation,
    best_head,
    best_offset,
    person_relations,
    score_heads,
    subject_relations,
)
from bertviz_lite.evaluation.scores import (
    EvaluationSet,
    Score,
    Size,
    heads_table,
    other_details,
    probed,
)
from bertviz_lite.evaluation.scores.misled_heads import misleading_details
from bertviz_lite.world import Story
from bertviz_lite.world.english.stories import stories
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


def made(text: str, poses: str, **subjects: int) -> Story:
    """Make a sentence from words and parts of speech; ``were=0`` marks the subject of a verb."""
    marks: dict[str, dict[str, object]] = {
        f"w0_{number}": {"pos": pos, "subject": subjects.get(word)}
        for number, (word, pos) in enumerate(zip(text.split(), poses.split(), strict=True))
    }
    return make_story(text, **marks)


@pytest.mark.parametrize(
    ("story", "heads"),
    [
        (made("Ivy and Luke were here", "PROPN CCONJ PROPN AUX ADV", were=0), ["Ivy", "Luke"]),
        (made("Were Ivy and Luke happy", "AUX PROPN CCONJ PROPN ADJ", Were=1), ["Ivy", "Luke"]),
        (made("She and Luke ran", "PRON CCONJ PROPN VERB", ran=0), ["She", "Luke"]),
        (
            made("Ivy , Luke and a dog ran", "PROPN PUNCT PROPN CCONJ DET NOUN VERB", ran=0),
            ["Ivy", "Luke", "dog"],
        ),
        (made("The cat and her old dog ran", "DET NOUN CCONJ PRON ADJ NOUN VERB", ran=1), ["cat", "dog"]),
        (
            made("Ivy and Luke 's dog ran", "PROPN CCONJ PROPN PART NOUN VERB", ran=0),
            ["Ivy", "dog"],
        ),
        (made("Ivy ran and Luke hid", "PROPN VERB CCONJ PROPN VERB", ran=0, hid=3), ["Ivy"]),
        (made("said Ivy and Luke hid", "VERB PROPN CCONJ PROPN VERB", said=1, hid=3), ["Ivy"]),
        (made("Then Ivy , tired , ran", "ADV PROPN PUNCT ADJ PUNCT VERB", ran=1), ["Ivy"]),
        (made("Ivy and then ran", "PROPN CCONJ ADV VERB", ran=0), ["Ivy"]),
    ],
)
def test_both_names_are_the_subject_where_that_is_wanted(
    tokenizer: PreTrainedTokenizerFast, story: Story, heads: list[str]
) -> None:
    encoded = encode_stories([story], tokenizer)
    spans = dict(zip([word.text for word in story.words], encoded[0].spans, strict=True))
    first = subject_relations(encoded)[0]
    assert first.targets == tuple(range(*spans[heads[0]]))
    all_heads = subject_relations(encoded, joined=True)[0]
    assert all_heads.targets == tuple(position for head in heads for position in range(*spans[head]))
    assert (first.start, first.stop) == (all_heads.start, all_heads.stop)


def test_two_names_count_for_another_town_only(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = []

    def noted(encoded: list[EncodedStory], *, joined: bool = False) -> list[Relation]:
        wanted.append(joined)
        return subject_relations(encoded, joined=joined)

    monkeypatch.setattr(probed, "subject_relations", noted)
    size = Size(stories=10, per_kind=1, random_stories=1, head_stories=4, minimal_pairs=0, counted=1)
    evaluation_set = EvaluationSet.make(tokenizer, size)
    for town in ("first", "second"):
        probed.probed_heads(model, replace(evaluation_set, town=town))
    assert wanted == [False, True]


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


def test_the_nearest_noun_is_the_last_one_before_the_word(tokenizer: PreTrainedTokenizerFast) -> None:
    story = make_story(
        "Near Anna is a dog .",
        "It chased her .",
        w0_1={"pos": "PROPN", "entity": 0},
        w0_2={"pos": "VERB", "subject": 4},
        w0_4={"pos": "NOUN", "entity": 1},
        w1_0={"pos": "PRON", "entity": 1},
        w1_1={"pos": "VERB", "subject": 0},
        w1_2={"pos": "PRON", "entity": 0},
    )
    encoded = encode_stories([story], tokenizer)
    anna, dog, it = (encoded[0].spans[index] for index in (1, 4, 6))
    assert [relation.nearest for relation in subject_relations(encoded)] == [
        tuple(range(*anna)), tuple(range(*it)),
    ]  # fmt: skip
    assert [relation.nearest for relation in person_relations(encoded)] == [tuple(range(*dog))] * 2


def test_cases_in_which_a_simple_rule_is_wrong_are_scored_apart() -> None:
    """Head 0 always looks at position 9, head 1 at position 7; stories of even number choose."""
    targets_and_nearest = [(9, 9), (9, 9), (7, 9), (7, 9), (9, 9), (9, 5), (7, 7), (6, 6), (9, 9)]
    relations = [
        Relation(story, 10, 11, (target,), (nearest,))
        for story, (target, nearest) in enumerate(targets_and_nearest)
    ]
    positions = np.tile(np.array([9, 7]), (len(relations), 1, 1))
    result = best_head(relations, positions, positions)
    assert (result.head, result.accuracy, result.offset) == (0, 0.5, -1)
    assert (result.guess, result.nearest, result.occurrences) == (0.5, 0.5, 4)
    assert result.offset_misleads == Misleading(
        accuracy=0.0, best=0.5, layer=0, head=1, guess=0.0, nearest=0.5, occurrences=2
    )
    assert result.nearest_misleads == Misleading(
        accuracy=0.5, best=0.5, layer=0, head=1, guess=0.5, nearest=0.0, occurrences=2
    )
    score = Score(0.5, 4, None, {"fixed offset": 0.5, "nearest noun": 0.5}, {"layer": 0, "head": 0})
    assert heads_table({"head.subject": score}) == ""
    assert other_details(replace(score, details=score.details | misleading_details(result))) == score.details
    score.details.update(misleading_details(result))
    assert heads_table({"pronoun": Score(1.0, 1), "head.subject": score}).splitlines() == [
        "| relation | items | this head | best head there | fixed offset | nearest noun |",
        "| --- | --- | --- | --- | --- | --- |",
        "| best head: verb -> subject | 4 | 0.500 (0.0) | 0.500 (0.0) | 0.500 | 0.500 |",
        "| – fixed offset wrong | 2 | 0.000 | 0.500 (0.1) | 0.000 | 0.500 |",
        "| – nearest noun wrong | 2 | 0.500 | 0.500 (0.1) | 0.500 | 0.000 |",
    ]


def test_where_no_rule_is_wrong_nothing_is_scored_apart() -> None:
    relations = [Relation(story, 10, 11, (9,), (9,)) for story in range(4)]
    result = best_head(relations, np.full((4, 1, 1), 9), np.full((4, 1, 1), 9))
    assert result.offset_misleads is None
    assert result.nearest_misleads is None
    assert misleading_details(result) == {}


def test_head_score_without_relations_is_no_number(
    model: BertForPreTraining, encoded: list[EncodedStory]
) -> None:
    assert math.isnan(score_heads(model, encoded, []).accuracy)
