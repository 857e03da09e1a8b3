"""The queue of runs: every variant from nothing to its numbers, once; what is finished is not done again."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.evaluation.recorded.by_seed import BySeed
from bertviz_lite.evaluation.scores import QUICK
from bertviz_lite.evaluation.scores.own_words import Exam, read_exam
from bertviz_lite.training.finetuning import FineTuning
from bertviz_lite.world.tasks.sets import TAGS, Tagged, feelings
from experiments.ablations import (
    __main__ as ablations,
    measuring,
    tasks as ablation_tasks,
    texts as training_texts,
    work,
)
from experiments.ablations.plans import PLANS, Plan
from experiments.ablations.queue import Bar, do_all
from experiments.ablations.tasks import Task
from experiments.ablations.variants import BASE
from experiments.ablations.work import MEASURING, Job, Workshop
from experiments.results import seed_tables

pytestmark = pytest.mark.thorough

SIZE = replace(QUICK, stories=80, per_kind=2, random_stories=10, minimal_pairs=1, part_pairs=40, counted=5)


def tiny(town: str) -> Plan:
    """Return a town's plan with next to nothing to train and to measure."""
    plan = PLANS[town]
    recipe = replace(
        plan.recipe,
        steps=2,
        batch_size=8,
        stories=120,
        hidden_size=24,
        num_layers=1,
        intermediate_size=32,
        tokenizer_stories=100,
    )
    variants = {
        name: replace(
            variant, recipe=tuple((key, 60 if key == "stories" else value) for key, value in variant.recipe)
        )
        for name, variant in plan.variants.items()
    }
    learned = Task(feelings, 8, 8, FineTuning(epochs=1))
    tasks = dict.fromkeys(plan.measures.tasks, learned)
    measures = replace(plan.measures, size=SIZE, stories=120, read=20, tagged=120, tasks=tasks)
    return replace(plan, recipe=recipe, variants=variants, measures=measures)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> dict[str, Plan]:
    """Few stories to train, to learn from and to score on."""
    plans = {town: tiny(town) for town in PLANS}
    monkeypatch.setattr(ablations, "PLANS", plans)
    monkeypatch.setattr(training_texts, "_LEARNED_FROM", 300)
    monkeypatch.setattr(measuring, "score_as_they_are", lambda *_: {"score": 0.5})
    return plans


def run(tmp_path: Path, *options: str) -> Any:  # noqa: ANN401 - JSON
    target = tmp_path / "found.json"
    common = ["--steps", "2", "--runs", str(tmp_path / "runs"), "--output", str(target), "--no-progress"]
    assert ablations.main([*common, *options]) == 0
    return json.loads(target.read_text(encoding="utf-8"))


@pytest.mark.usefixtures("small")
def test_a_run_has_the_form_of_what_is_recorded_and_is_not_done_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--only", "untied", "--seeds", "0")
    results = run(tmp_path, *options)
    assert list(results["variants"]) == ["untied"]
    shipped = json.loads(file_of("ablations_second").read_text(encoding="utf-8"))
    untied, recorded = results["variants"]["untied"], shipped["variants"]["untied"]
    assert untied.keys() == recorded.keys()
    (seed,) = untied["seeds"]
    assert seed.keys() == recorded["seeds"][0].keys()
    assert seed["pairs"].keys() == recorded["seeds"][0]["pairs"].keys()
    assert results["notes"] == shipped["notes"]
    assert "1 of 39 runs" in capsys.readouterr().out
    monkeypatch.setattr(Workshop, "do", None)
    assert run(tmp_path, *options) == results


@pytest.mark.thorough
def test_every_variant_of_the_second_town_is_trained_and_measured(
    tmp_path: Path, small: dict[str, Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = small["second"]
    halves = []

    def few(folder: Path, half: str) -> Exam:
        halves.append(half)
        exam = read_exam(folder, half)
        return Exam(exam.choices[::40], exam.pairs[::40])

    monkeypatch.setattr(measuring, "read_exam", few)
    results = run(tmp_path, "--seeds", "1")
    assert list(results["variants"]) == list(plan.variants)
    assert set(halves) == {"look"}
    base = results["variants"][BASE]
    for name, variant in results["variants"].items():
        assert variant["what"] == plan.variants[name].what
        assert variant["beside"] == plan.variants[name].beside
        (one,) = variant["seeds"]
        assert one.keys() == base["seeds"][0].keys() >= plan.notes.keys() - {"beside"}
        assert one["losses"][-1][0] == 2
        assert (one["losses"][-1][2] == 0) == name.endswith("no NSP loss")
        assert set(one["own words"]) == {"choices", "pairs"}
        for part in ("choices", "pairs"):
            (right, items), *kinds = one["own words"][part].values()
            assert 0 <= right <= items == -(-_lines_of_exam(part) // 40)
            assert [right, items] == [sum(counts) for counts in zip(*kinds, strict=True)]
        assert set(one["tasks"]) == {"feelings", "names", "names, vectors as they are"}
        assert {"in the right order or not", "other story with the same names"} <= set(
            one["next part by kind"]
        )
        assert list(one["pairs"]) == list(plan.measures.pairs)
    of = {name: variant["parameters"] for name, variant in results["variants"].items()}
    assert of["untied"] - of[BASE] == 3_750 * 24 + 3_750
    assert of[BASE] - of["short vocabulary"] == 2_750 * (24 + 1)
    assert len(set(of.values())) == 3
    # What the document and the chapters make of it.
    monkeypatch.setattr(seed_tables, "recorded", lambda _: results)
    for table in (seed_tables.masking, seed_tables.tying, seed_tables.second_head, seed_tables.recipes):
        assert f"| {BASE} | " in str(table())
    gain = BySeed(results).gain("true next parts, no NSP loss", "tasks", "feelings", "score")
    assert gain.each.shape == (1,)
    # The texts were made once for each vocabulary.
    assert sorted(path.name for path in (tmp_path / "runs").glob("texts-*")) == ["texts-1000", "texts-3750"]


def _lines_of_exam(part: str) -> int:
    exam = Path(__file__).parents[1] / "own_words" / "look" / f"{part}.tsv"
    return len(exam.read_text(encoding="utf-8").splitlines())


def test_a_finished_model_is_measured_again_without_training(
    tmp_path: Path, small: dict[str, Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, job = replace(small["second"], variants={BASE: small["second"].variants[BASE]}), Job(BASE, 0)
    assert do_all(plan, tmp_path, [job], 1, progress=False, done=lambda: None) == []
    before = json.loads(job.result(tmp_path).read_text(encoding="utf-8"))
    assert not (job.folder(tmp_path) / "checkpoints").exists()
    job.result(tmp_path).unlink()
    monkeypatch.setattr(work, "train", None)
    assert do_all(plan, tmp_path, [job], 1, progress=False, done=lambda: None) == []
    assert json.loads(job.result(tmp_path).read_text(encoding="utf-8")) == before


def test_a_folder_of_another_recipe_is_refused(tmp_path: Path, small: dict[str, Plan]) -> None:
    plan, job = small["second"], Job("untied", 0)
    shop = Workshop(plan, tmp_path)
    shop.do(job, lambda *_: None)
    shutil.rmtree(job.folder(tmp_path) / "model")
    job.result(tmp_path).unlink()
    longer = replace(plan, recipe=replace(plan.recipe, steps=3))
    with pytest.raises(ValueError, match=r"steps 2 -> 3.*give another --runs"):
        Workshop(longer, tmp_path).do(job, lambda *_: None)


@pytest.mark.thorough
def test_two_runs_side_by_side_give_what_one_after_the_other_gives(
    tmp_path: Path, small: dict[str, Plan]
) -> None:
    plan, jobs = small["second"], [Job(BASE, 0), Job("untied", 0)]
    finished: list[int] = []
    assert do_all(plan, tmp_path, jobs, 2, progress=False, done=lambda: finished.append(1)) == []
    assert len(finished) == 2
    alone = Workshop(plan, tmp_path / "alone")
    alone.do(jobs[1], lambda *_: None)
    results = (jobs[1].result(runs) for runs in (tmp_path, alone.runs))
    one, other = (json.loads(path.read_text(encoding="utf-8")) for path in results)
    assert one["losses"] == other["losses"]
    assert one["scores"] == other["scores"]


def test_the_bar_counts_steps_and_measuring(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [Job(BASE, 0), Job(BASE, 1)]
    bar = Bar(jobs, 10, shown=True)
    bar.report(jobs[0], 10)
    bar.report(jobs[1], 4)
    bar.report(jobs[0], 10 + MEASURING)
    bar.close()
    last = capsys.readouterr().err.rpartition("\r")[2]
    assert "1 of 2 runs" in last
    assert f"{14 + MEASURING}/{2 * (10 + MEASURING)}" in last


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "half the texts", "characters"], "--only 'characters': of the second town"),
        (["--seeds", "3"], "--seeds: 0, 1, 2 for the second town"),
        (["--jobs", "0"], "--jobs 0: 1 or more is needed"),
    ],
)
def test_wrong_options_are_refused(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        ablations.main(options)
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("informative", "score"), [(True, 1.0), (False, 0.0)])
def test_names_are_read_off_vectors_that_tell_them_and_off_no_others(
    informative: bool, score: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def vectors(_model: Any, _tokenizer: Any, examples: list[Tagged]) -> dict[str, Any]:  # noqa: ANN401
        tags = [TAGS.index(tag) for example in examples for tag in example.tags]
        rows = np.eye(len(TAGS))[tags] if informative else np.ones((len(tags), 3))
        return {"sum of the last four": rows}

    monkeypatch.setattr(ablation_tasks, "tag_vectors", vectors)
    nothing: Any = None
    result = ablation_tasks.score_as_they_are(nothing, nothing, 0, train=40, test=20)
    assert result["score"] == score
    assert result["items"] == 20
