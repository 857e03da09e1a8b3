"""The shipped model: its files, and every score measured again from its weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from transformers import AutoModelForPreTraining, AutoTokenizer, BertForPreTraining

from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.evaluation import scores as evaluation
from bertviz_lite.evaluation.scores import EvaluationSet, Scores
from bertviz_lite.models import POCKET
from tests.helpers.sampled_scores import SAMPLE, far_from_recorded

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return AutoTokenizer.from_pretrained(POCKET)  # type: ignore[return-value]


@pytest.fixture(scope="module")
def model() -> BertForPreTraining:
    return AutoModelForPreTraining.from_pretrained(POCKET)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def evaluation_set(tokenizer: PreTrainedTokenizerFast) -> EvaluationSet:
    return EvaluationSet.make(tokenizer)


@pytest.fixture(scope="module")
def measured(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> Scores:
    return evaluation.score(model, tokenizer, evaluation_set)


@pytest.fixture(scope="module")
def recorded() -> Scores:
    return Scores.from_json((POCKET / "scores.json").read_text(encoding="utf-8"))


def test_it_has_at_most_two_and_a_half_million_parameters(model: BertForPreTraining) -> None:
    assert sum(weights.numel() for weights in model.parameters()) <= 2_500_000


@pytest.mark.thorough
def test_a_sample_of_stories_gives_about_the_recorded_scores(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, recorded: Scores
) -> None:
    sampled = evaluation.score(model, tokenizer, EvaluationSet.make(tokenizer, SAMPLE))
    assert far_from_recorded(sampled, recorded) == []


@pytest.mark.thorough
def test_the_weights_earn_the_recorded_scores(measured: Scores, recorded: Scores) -> None:
    assert set(measured) == set(recorded)
    for name, score in recorded.items():
        assert measured[name].n == score.n, name
        assert measured[name].value == pytest.approx(score.value, abs=0.005), name
        assert measured[name].baselines == pytest.approx(score.baselines, abs=0.005), name


@pytest.mark.thorough
def test_scores_beat_what_is_simpler(measured: Scores) -> None:
    words = measured["masked_words"]
    assert words.value > max(words.baselines.values()) + 0.1
    senses = measured["senses"]
    assert senses.value > senses.baselines["static embedding"] + 0.2
    assert senses.details["words"] >= 10
    person = measured["head.person"]
    assert person.value > max(person.baselines.values()) + 0.4
    assert len(measured["minimal_pairs"].details) == 9
    assert min(measured["minimal_pairs"].details.values()) > 0.8


@pytest.mark.thorough
def test_whole_stories_fit(evaluation_set: EvaluationSet) -> None:
    assert evaluation_set.fitting > 0.95


def test_vocabulary_is_that_of_the_recipe(tokenizer: PreTrainedTokenizerFast) -> None:
    """The same texts give the same pieces on every machine (a small sample; the whole takes a minute)."""
    from bertviz_lite.world import stories

    texts = [str(story) for story in stories(0, 200)]
    assert train_tokenizer(texts, 800).get_vocab() == train_tokenizer(texts, 800).get_vocab()
    used = {piece for text in texts for piece in tokenizer.tokenize(text)}
    assert "[UNK]" not in used


def test_card_says_how_it_was_made(model: BertForPreTraining) -> None:
    card = (POCKET / "README.md").read_text(encoding="utf-8")
    for needed in (
        f"`BertForPreTraining` of {model.num_parameters():,} parameters",
        " -m bertviz_lite.training.pretraining --steps 80000 ",
        "people's own words (`--exam`; both halves",
        "rounded to float16",
        "seed",
        "tokens in",
        "minutes",
        "torch 2",
        "What it cannot do",
    ):
        assert needed in card
