"""Scores: each is tried on answers that are known to be right, wrong or random."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers import BertForPreTraining

from bertviz_lite.data.pretraining.shards import fingerprint, story_seeds
from bertviz_lite.evaluation import scores as evaluation
from bertviz_lite.evaluation.scores import EVALUATION_SEED, FULL, QUICK, EvaluationSet, Size, size_of
from bertviz_lite.evaluation.scores.masked_words import score_determined, score_masked_words
from bertviz_lite.evaluation.scores.minimal_pairs import score_minimal_pairs
from bertviz_lite.evaluation.scores.next_part import score_next_part
from bertviz_lite.world import minimal_pairs
from bertviz_lite.world.towns import FIRST, TOWN, stories_of
from tests.helpers.small_town import small_model, small_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SMALL = Size(stories=40, per_kind=30, random_stories=20, head_stories=20, minimal_pairs=3, counted=50)


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return small_tokenizer()


@pytest.fixture(scope="module")
def model(tokenizer: PreTrainedTokenizerFast) -> BertForPreTraining:
    return small_model(tokenizer)


@pytest.fixture(scope="module")
def evaluation_set(tokenizer: PreTrainedTokenizerFast) -> EvaluationSet:
    # The first town's stories, a few of which hold more marked words than many texts of the other.
    return EvaluationSet.make(tokenizer, SMALL, town=FIRST)


class Oracle(torch.nn.Module):
    """A stand-in for a model that knows the answer: its "hidden states" are the ids before hiding."""

    def __init__(self, truth: dict[bytes, np.ndarray], vocab_size: int, mask_id: int) -> None:
        super().__init__()
        self.truth, self.vocab_size, self.mask_id = truth, vocab_size, mask_id
        self.config = type("Config", (), {"_attn_implementation": "sdpa"})()
        self.device = torch.device("cpu")
        self.cls = type("Heads", (), {"predictions": self.predictions})()

    def set_attn_implementation(self, implementation: str) -> None:
        self.config._attn_implementation = implementation

    def bert(self, input_ids: Tensor, attention_mask: Tensor) -> object:
        """Look the row up by what is not hidden."""
        rows = torch.zeros_like(input_ids)
        for number, row in enumerate(input_ids):
            length = int(attention_mask[number].sum())
            ids = row[:length].numpy()
            for answer in self.truth.values():
                if len(answer) == length and (answer == ids)[ids != self.mask_id].all():
                    rows[number, :length] = torch.from_numpy(answer)
        return type("Output", (), {"last_hidden_state": rows[..., None]})()

    def predictions(self, hidden_states: Tensor) -> Tensor:
        return torch.nn.functional.one_hot(hidden_states[:, 0], self.vocab_size).float() * 20


def test_a_model_that_knows_everything_gets_everything(
    evaluation_set: EvaluationSet, tokenizer: PreTrainedTokenizerFast
) -> None:
    truth = {story.input_ids.tobytes(): story.input_ids for story in evaluation_set.test}
    oracle = Oracle(truth, len(tokenizer), tokenizer.mask_token_id)
    for kind, result in score_determined(oracle, evaluation_set, tokenizer.mask_token_id).items():  # type: ignore[arg-type]
        assert result.value == 1.0, kind
        assert result.n >= 10, kind
    assert score_masked_words(oracle, evaluation_set, tokenizer.mask_token_id).value == 1.0  # type: ignore[arg-type]


def test_an_untrained_model_knows_nothing(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> None:
    scores = evaluation.score(model, tokenizer, evaluation_set)
    assert set(scores) == set(evaluation.TITLES)
    for kind in ("agreement", "pronoun", "mention", "consequence", "masked_words"):
        assert scores[kind].n >= 10
        assert scores[kind].value < 0.2
    assert 0.3 < scores["next_part"].value < 0.7
    assert {"agreement", "next_part"} <= set(scores.missed)
    again = evaluation.score(model, tokenizer, evaluation_set)
    assert scores.to_json() == again.to_json()


def test_next_part_needs_the_head(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> None:
    """A head that always says "true" is right in half of the cases."""
    bias = model.cls.seq_relationship.bias
    kept = bias.detach().clone()
    try:
        for label in (0, 1):
            with torch.no_grad():
                bias[:] = torch.tensor([0.0, 0.0])
                bias[label] = 1000.0
            assert score_next_part(model, tokenizer, evaluation_set).value == pytest.approx(0.5, abs=0.1)
    finally:
        with torch.no_grad():
            bias[:] = kept


@pytest.mark.parametrize(("preferred", "value"), [("right", 1.0), ("wrong", 0.0)])
def test_a_minimal_pair_is_won_where_the_right_form_is_more_likely(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, preferred: str, value: float
) -> None:
    pair = next(
        pair
        for pair in minimal_pairs(1, 2)
        if {len(tokenizer.tokenize(word)) for word in (pair.right, pair.wrong)} == {1}
    )
    bias = model.cls.predictions.decoder.bias
    kept = bias.detach().clone()
    with torch.no_grad():
        try:
            bias[tokenizer.convert_tokens_to_ids(tokenizer.tokenize(getattr(pair, preferred)))] = 1000.0
            assert score_minimal_pairs(model, tokenizer, [pair]).value == value
        finally:
            bias[:] = kept


def trained_texts(town: str, count: int) -> set[str]:
    """Write so many texts of each of the first three shards of training."""
    return {str(story) for shard in range(3) for story in stories_of(town, story_seeds(0, shard), count)}


def test_training_seeds_are_refused(tokenizer: PreTrainedTokenizerFast) -> None:
    with pytest.raises(ValueError, match="training may have used it"):
        EvaluationSet.make(tokenizer, SMALL, seed=5)


def test_evaluation_shares_no_story_with_training(evaluation_set: EvaluationSet) -> None:
    assert story_seeds(8_999, 99_999) < EVALUATION_SEED
    trained = {fingerprint(text) for text in trained_texts(FIRST, 100)}
    assert not trained & evaluation_set.fingerprints()


@pytest.mark.thorough
def test_evaluation_shares_a_few_short_texts_with_training_and_no_long_one() -> None:
    scored = stories_of(TOWN, EVALUATION_SEED, 1_000)
    trained = trained_texts(TOWN, 1_000)
    shared = [story for story in scored if str(story) in trained]
    assert len(shared) < 0.02 * len(scored)
    assert all(len(story.sentences) <= 2 for story in shared)


def test_another_town_is_also_scored_on_the_order_of_parts_and_on_equal_names(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> None:
    first = score_next_part(model, tokenizer, evaluation_set).details
    other = score_next_part(model, tokenizer, replace(evaluation_set, town="second")).details
    assert {name: other[name] for name in first} == first
    assert other.keys() - first.keys() == {"in the right order or not", "other story with the same names"}
    assert all(0 <= value <= 1 for value in other.values())


def test_another_town_is_scored_on_more_of_its_shorter_stories() -> None:
    assert (size_of("first"), size_of("first", quick=True)) == (FULL, QUICK)
    for quick, size in ((False, FULL), (True, QUICK)):
        more = size_of("second", quick=quick)
        assert (more.stories, more.head_stories) == (4 * size.stories, 4 * size.head_stories)
        assert (more.per_kind, more.minimal_pairs) == (size.per_kind, size.minimal_pairs)


def test_quick_scores_of_another_town_take_fewer_pairs_for_each_detail() -> None:
    assert size_of("second", quick=True).part_pairs < size_of("second").part_pairs == FULL.part_pairs
    assert size_of("first", quick=True).part_pairs == FULL.part_pairs
