"""Weights on the targets of a relation are those of the attention, on visible and on hidden words."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForPreTraining

from bertviz_lite.data.batches import ready
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.evaluation.probes import Relation, hide_words, weights_on_targets
from bertviz_lite.world.english.stories import stories

# story 1 occurs twice, story 0 not at all, and the longest of them pads the others
RELATIONS = [Relation(1, 4, 6, (2, 3)), Relation(2, 3, 4, (0,)), Relation(1, 7, 8, (1,))]


@pytest.fixture(scope="module")
def encoded() -> list[EncodedStory]:
    """Encode a few stories."""
    tokenizer = train_tokenizer([str(story) for story in stories(1, 60)], vocab_size=500)
    return encode_stories(stories(3, 12), tokenizer)


@pytest.fixture(scope="module")
def model() -> BertForPreTraining:
    """Make a model of 2 layers and 3 heads that has learned nothing."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 16}
    return BertForPreTraining(BertConfig(vocab_size=500, initializer_range=0.5, **sizes)).double().eval()


def test_weights_on_targets_are_those_of_the_attention(
    model: BertForPreTraining, encoded: list[EncodedStory]
) -> None:
    shares = weights_on_targets(model, encoded, RELATIONS)
    assert (shares.shape, shares.dtype) == ((3, 2, 3), np.float64)
    for relation, share in zip(RELATIONS, shares, strict=True):
        with ready(model, "eager"):
            ids = torch.from_numpy(encoded[relation.story].input_ids)[None]
            attentions = torch.cat(model.bert(ids, output_attentions=True).attentions)
        rows = attentions[:, :, relation.start : relation.stop].mean(2)
        assert np.allclose(share, rows[..., list(relation.targets)].sum(-1), atol=1e-12)


def test_weights_on_all_positions_are_everything(
    model: BertForPreTraining, encoded: list[EncodedStory]
) -> None:
    everything = [Relation(0, 2, 4, tuple(range(len(encoded[0].input_ids))))]
    assert np.allclose(weights_on_targets(model, encoded, everything), 1.0)


def test_weights_of_a_half_precision_model(model: BertForPreTraining, encoded: list[EncodedStory]) -> None:
    shares = weights_on_targets(model, encoded, RELATIONS)
    half = BertForPreTraining(model.config).eval()
    half.load_state_dict(model.state_dict())
    assert np.allclose(weights_on_targets(half.bfloat16(), encoded, RELATIONS), shares, atol=0.1)


def test_each_hidden_word_has_a_story_of_its_own(encoded: list[EncodedStory]) -> None:
    before = [story.input_ids.copy() for story in encoded]
    hidden, relations = hide_words(encoded, RELATIONS, 499)
    assert [relation.story for relation in relations] == [0, 1, 2]
    assert [relation.targets for relation in relations] == [relation.targets for relation in RELATIONS]
    for story, relation, old in zip(hidden, relations, RELATIONS, strict=True):
        expected = before[old.story].copy()
        expected[relation.start : relation.stop] = 499
        assert story.input_ids.tolist() == expected.tolist()
        assert story.spans == encoded[old.story].spans
    assert all(np.array_equal(story.input_ids, ids) for story, ids in zip(encoded, before, strict=True))
