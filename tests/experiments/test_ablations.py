"""Variants of the recipe: each changes what it says and no more, and the file holds what a run writes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.pairs import Mix
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.models.loading import load
from bertviz_lite.training.pretraining.run import Run
from bertviz_lite.world import stories
from experiments.ablations.plans import PLANS
from experiments.ablations.second_head.inputs import OrderInputs, TrueInputs, exchange_parts
from experiments.ablations.texts import Texts
from experiments.ablations.training import train
from experiments.ablations.variants import BASE, BUDGET, VARIANTS
from experiments.ablations.work import losses


@pytest.fixture(scope="module")
def tokenizer() -> Any:  # noqa: ANN401 - a tokenizer
    return load("pocket")[0]


@pytest.fixture(scope="module")
def corpus(tokenizer: Any) -> Corpus:  # noqa: ANN401
    sentences = [[str(sentence) for sentence in story.sentences] for story in stories(7, 60)]
    return Corpus([Shard.of(sentences, tokenizer.backend_tokenizer)])


def inputs(kind: type[TrainingInputs], corpus: Corpus, tokenizer: Any, **mix: float) -> list[dict[str, Any]]:  # noqa: ANN401
    special = tokenizer.cls_token_id, tokenizer.sep_token_id
    made = kind(corpus, 60, 60, 5, *special, Mix(**mix))  # type: ignore[arg-type]
    return [made[index] for index in range(60)]


def parts(item: dict[str, Any]) -> tuple[list[int], list[int]]:
    ids, first = item["input_ids"].tolist(), item["first_length"]
    return ids[1 : first - 1], ids[first:-1]


def test_parts_change_places() -> None:
    ids = np.array([2, 7, 8, 3, 9, 3])  # [CLS] 7 8 [SEP] 9 [SEP]
    changed = exchange_parts(ids, 4)
    assert changed["input_ids"].tolist() == [2, 9, 3, 7, 8, 3]
    assert changed["first_length"] == 3
    assert exchange_parts(changed["input_ids"], 3)["input_ids"].tolist() == ids.tolist()


def test_without_other_stories_every_pair_is_true(corpus: Corpus, tokenizer: Any) -> None:  # noqa: ANN401
    labels = [item["next_sentence_label"] for item in inputs(TrainingInputs, corpus, tokenizer, other=0.0)]
    assert set(labels) == {0, -100}
    mixed = [item["next_sentence_label"] for item in inputs(TrainingInputs, corpus, tokenizer)]
    assert 0.4 < mixed.count(1) / (mixed.count(0) + mixed.count(1)) <= 0.5


def test_order_inputs_are_the_true_ones_with_half_of_them_turned(corpus: Corpus, tokenizer: Any) -> None:  # noqa: ANN401
    true = inputs(TrainingInputs, corpus, tokenizer, other=0.0)
    ordered = inputs(OrderInputs, corpus, tokenizer, other=0.0)
    labels = [item["next_sentence_label"] for item in ordered]
    for before, after in zip(true, ordered, strict=True):
        turned = after["next_sentence_label"] == 1
        assert parts(after) == (parts(before)[::-1] if turned else parts(before))
        assert (before["next_sentence_label"] == -100) == (after["next_sentence_label"] == -100)
    assert 10 < labels.count(1) < labels.count(0) + 20
    assert [item["input_ids"].tolist() for item in ordered] == [
        item["input_ids"].tolist() for item in inputs(OrderInputs, corpus, tokenizer, other=0.0)
    ]


def test_true_inputs_have_no_label(corpus: Corpus, tokenizer: Any) -> None:  # noqa: ANN401
    true = inputs(TrainingInputs, corpus, tokenizer, other=0.0)
    bare = inputs(TrueInputs, corpus, tokenizer, other=0.0)
    assert {item["next_sentence_label"] for item in bare} == {-100}
    assert [item["input_ids"].tolist() for item in bare] == [item["input_ids"].tolist() for item in true]


@pytest.fixture(scope="module")
def texts(tokenizer: Any, corpus: Corpus) -> Texts:  # noqa: ANN401
    return Texts(tokenizer, corpus)


@pytest.mark.parametrize("name", [BASE, "untied", "another seed"])
def test_a_variant_changes_what_it_says(name: str, tmp_path: Path, texts: Texts) -> None:
    plan = replace(PLANS["first"], recipe=replace(BUDGET, steps=1, batch_size=8))
    recipe = plan.recipe_of(name, 0)
    assert recipe.seed == (1 if name == "another seed" else 0)
    model, logged = train(VARIANTS[name], recipe, Run(tmp_path / "run", progress=False), texts)
    words = model.bert.embeddings.word_embeddings.weight
    decoder = model.cls.predictions.decoder.weight
    assert (words is decoder) == VARIANTS[name].tied
    assert not words[0].any()
    assert [line[0] for line in losses(logged)] == [1]
    again, _ = train(VARIANTS[name], recipe, Run(tmp_path / "again", progress=False), texts)
    assert torch.equal(words, again.bert.embeddings.word_embeddings.weight)


def test_the_shipped_file_holds_every_variant_on_one_budget() -> None:
    results = json.loads(file_of("ablations").read_text(encoding="utf-8"))
    assert list(results["variants"]) == list(VARIANTS)
    recipe = {name: getattr(BUDGET, name) for name in results["recipe"] if name != "bf16"}
    assert {name: value for name, value in results["recipe"].items() if name != "bf16"} == recipe
    assert results["notes"] == PLANS["first"].notes
    for name, variant in results["variants"].items():
        assert variant["what"] == VARIANTS[name].what
        assert variant["losses"][-1][0] == BUDGET.steps
        assert variant["scores"]["masked_words"][1] == results["variants"][BASE]["scores"]["masked_words"][1]
    saved = results["variants"]["untied"]["parameters"] - results["variants"][BASE]["parameters"]
    # A matrix of its own, and a second bias, which transformers makes and never reads.
    assert saved == 2_000 * BUDGET.hidden_size + 2_000
