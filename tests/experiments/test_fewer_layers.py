"""Models of fewer layers: what is recorded is what the trainings give, and what the chapter reads."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bertviz_lite.basics.threads import threads
from bertviz_lite.evaluation.recorded import recorded
from experiments.ablations import fewer_layers


def test_a_short_run_writes_what_the_chapter_reads(tmp_path: Path) -> None:
    file = tmp_path / "short.json"
    fewer_layers.main(["--seeds", "1", "--steps", "2", "--output", str(file)])
    short, full = json.loads(file.read_text(encoding="utf-8")), recorded("fewer_layers")
    assert list(short) == list(full)
    assert list(short["models"]) == list(full["models"]) == list(fewer_layers.RECIPES)
    for name, model in short["models"].items():
        assert model["parameters"] == full["models"][name]["parameters"]
        assert len(full["models"][name]["right"]) == fewer_layers.SEEDS


def test_one_layer_made_wider_has_the_parameters_of_two() -> None:
    models = recorded("fewer_layers")["models"]
    assert models["1 layer, wider"]["parameters"] == pytest.approx(
        models["2 layers"]["parameters"], rel=0.002
    )


def test_the_recipes_differ_in_depth_and_width_alone() -> None:
    same = {replace(recipe, num_layers=1, intermediate_size=1) for recipe in fewer_layers.RECIPES.values()}
    assert len(same) == 1


@pytest.mark.thorough
def test_a_training_with_one_layer_is_recorded_as_it_runs() -> None:
    with threads(1):
        right, _ = fewer_layers.run(replace(fewer_layers.RECIPES["1 layer"], seed=1))
    recorded_then = recorded("fewer_layers")["models"]["1 layer"]["right"][1]
    # the last bits of 700 steps differ between processors, and hardly an answer
    assert right == pytest.approx(recorded_then, abs=3)
