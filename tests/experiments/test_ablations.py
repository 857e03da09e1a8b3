"""What is recorded of the variants: all of them, on one budget, and measured on the same items."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.models.loading import load
from bertviz_lite.training.pretraining.run import Run
from bertviz_lite.world.towns import TOWN, stories_of
from experiments.ablations.__main__ import main
from experiments.ablations.plans import PLANS
from experiments.ablations.texts import Texts
from experiments.ablations.training import train
from experiments.ablations.variants import BASE
from experiments.ablations.work import losses

PLAN = PLANS[TOWN]


@pytest.mark.parametrize("name", [BASE, "untied"])
def test_a_variant_is_trained_with_the_matrix_that_it_says(name: str, tmp_path: Path) -> None:
    tokenizer: Any = load("pocket")[0]
    stories = [[str(sentence) for sentence in story.sentences] for story in stories_of(TOWN, 7, 60)]
    texts = Texts(tokenizer, Corpus([Shard.of(stories, tokenizer.backend_tokenizer)]))
    recipe = replace(PLAN.recipe_of(name, 0), steps=1, batch_size=8, hidden_size=24, intermediate_size=32)
    model, logged = train(PLAN.variants[name], recipe, Run(tmp_path / "run", progress=False), texts)
    words = model.bert.embeddings.word_embeddings.weight
    assert (words is model.cls.predictions.decoder.weight) == PLAN.variants[name].tied
    assert not words[0].any()
    assert [line[0] for line in losses(logged)] == [1]


def test_the_record_holds_every_seed_of_every_variant_on_one_budget() -> None:
    results = json.loads(file_of(PLAN.record).read_text(encoding="utf-8"))
    assert list(results["variants"]) == list(PLAN.variants)
    of_plan = {name: getattr(PLAN.recipe, name) for name in results["recipe"]}
    assert {**results["recipe"], "bf16": False} == {**of_plan, "bf16": False}
    assert results["notes"] == dict(PLAN.notes)
    base = results["variants"][BASE]
    for name, variant in results["variants"].items():
        assert (variant["what"], variant["beside"]) == (PLAN.variants[name].what, PLAN.variants[name].beside)
        assert len(variant["seeds"]) == PLAN.seeds
        for seed in variant["seeds"]:
            assert seed["losses"][-1][0] == PLAN.recipe.steps
            assert seed["own words"]["choices"]["all"][1] == 330
            if not name.startswith("short vocabulary"):
                assert seed["scores"]["masked_words"][1] == base["seeds"][0]["scores"]["masked_words"][1]
    saved = results["variants"]["untied"]["parameters"] - base["parameters"]
    # A matrix of its own, and a second bias, which transformers makes and never reads.
    assert saved == PLAN.recipe.vocab_size * (PLAN.recipe.hidden_size + 1)


def test_help_lists_the_variants_as_they_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "40 % masked" in " ".join(capsys.readouterr().out.split())
