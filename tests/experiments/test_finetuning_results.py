"""The measurements for chapter 11: each is made once, and the shipped file is what they make."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bertviz_lite.chapters.chapter_11.rivals import by_usual_tag, by_words
from bertviz_lite.world.tasks.sets import Tagged
from experiments.finetuning_results.__main__ import FILE, NOTES, gather, measure
from experiments.finetuning_results.budget import STARTS, TASKS, Budget
from experiments.finetuning_results.kept import Kept
from experiments.finetuning_results.measuring import Measuring

SMALL = Budget(
    train=8,
    test=8,
    sizes=(4, 5),
    seeds=2,
    epochs=1,
    fewest_steps=1,
    rates=(1e-3,),
    scratch_rates=(1e-5, 1e-3),
    validation=5,
    longer=1,
    unlabelled=40,
    few=4,
    runs=2,
    small=6,
    large=9,
)


@pytest.mark.thorough
def test_a_small_run_measures_every_part_once(tmp_path: Path) -> None:
    kept, output = Kept(tmp_path / "runs"), tmp_path / "found.json"
    measure(SMALL, kept, output)
    results = json.loads(output.read_text(encoding="utf-8"))
    assert set(results) == {"budget", "notes", *NOTES}
    assert results["curve"].keys() == set(STARTS)
    counted = [{size: len(seeds) for size, seeds in points.items()} for points in results["curve"].values()]
    assert counted == [{"4": 2, "5": 2}] * len(STARTS)
    assert set(results["tasks"]) == {*TASKS, "names, every piece"}
    for found in results["longer"].values():
        assert {part: len(seeds) for part, seeds in found.items()} == {"own": 2, "test": 2}
    assert set(results["best_of_runs"]) == {"0", "1"}
    for run in results["best_of_runs"].values():
        for part, count in {"validation": 6, "test": 6, "new": 9}.items():
            assert run[part] * count == pytest.approx(round(run[part] * count), abs=0.001 * count)
    assert set(results["rates"]) == {"before", "0.001"}
    assert set(results["imbalance"]["plain"]["parts"]) <= {"glad", "sad", "angry", "afraid"}
    assert {"static", "embeddings", "after layer 3", "sum of the last four"} < set(results["layers"])
    assert not list((tmp_path / "runs").glob("*.claim"))
    for path in (tmp_path / "runs").iterdir():
        path.touch()
        path.write_text(path.read_text(encoding="utf-8").replace("0.", "7."), encoding="utf-8")
    assert gather(SMALL, kept, Measuring(SMALL).all())["budget"]["train"] == 8
    again = gather(SMALL, kept, Measuring(SMALL).all())["rates"]["before"]["masked words"]
    assert again == results["rates"]["before"]["masked words"] + 7  # read, not measured


def test_nothing_is_made_twice_or_by_two(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    made: list[int] = []

    def make(number: int) -> float:
        made.append(number)
        return 0.123456

    kept.make("part/one", partial(make, 1))
    kept.make("part/one", partial(make, 2))
    assert kept.read("part/one") == 0.1235
    (tmp_path / "part - two.claim").touch()
    kept.make("part/two", partial(make, 3))
    assert made == [1]
    assert kept.read("part/two") is None

    def breaks() -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kept.make("part/three", breaks)
    kept.make("part/three", lambda: 1.0)
    assert kept.read("part/three") == 1.0


def test_all_trainings_of_a_size_have_the_same_number_of_steps() -> None:
    budget = Budget()
    for size in budget.sizes:
        steps = round(budget.recipe(size).epochs * -(-size // budget.recipe(size).batch_size))
        assert steps == pytest.approx(max(budget.fewest_steps, budget.epochs * -(-size // 16)), abs=1)


def test_single_words_tell_what_single_words_can_tell() -> None:
    texts = [("red kite",), ("blue kite",)] * 30
    labels = np.array(["a", "b"] * 30)
    assert by_words(texts, labels, [("blue boat",), ("red red boat",)]).tolist() == ["b", "a"]
    # In the second text, the same word is another column.
    both = [("red", "blue"), ("blue", "red")] * 30
    assert by_words(both, labels, [("red", "blue"), ("blue", "red")]).tolist() == ["a", "b"]


def test_looking_up_words_cannot_tell_a_stone_from_a_family() -> None:
    fit = [Tagged(("Stone", "ran"), ("B-person", "O"))] * 3 + [Tagged(("a", "stone"), ("O", "O"))]
    assert by_usual_tag(fit, [Tagged(("Stone", "ran"), ("B-person", "O"))]).value == 1.0
    score = [Tagged(("Stone", "ran"), ("B-person", "O")), Tagged(("a", "stone"), ("O", "O"))]
    assert by_usual_tag(fit, score).value == pytest.approx(2 / 3)


# The file that is shipped


@pytest.fixture(scope="module")
def shipped() -> Any:  # noqa: ANN401 - JSON
    return json.loads(FILE.read_text(encoding="utf-8"))


def test_the_shipped_file_holds_all_that_is_measured(shipped: Any, tmp_path: Path) -> None:  # noqa: ANN401
    budget = Budget()
    names = list(Measuring(budget).all())
    expected = {**asdict(budget), "batch_size": 16, "learning_rate": 1e-3}
    assert shipped["budget"] == json.loads(json.dumps(expected))
    assert shipped["notes"] == gather(budget, Kept(tmp_path), [])["notes"]
    results = {"layers"} if shipped["layers"] else set()
    for part in ("baselines", "tasks", "longer", "best_of_runs", "rates", "imbalance"):
        results |= {f"{part}/{name}" for name in shipped[part]}
    for start, sizes in shipped["curve"].items():
        results |= {f"curve/{start}/{size}/{n}" for size, seeds in sizes.items() for n in range(len(seeds))}
    assert results == set(names)


def test_shares_are_shares_and_lie_in_their_intervals(shipped: Any) -> None:  # noqa: ANN401
    for results in (*shipped["tasks"].values(), *shipped["imbalance"].values()):
        low, high = results["interval"]
        assert 0 <= low < results["score"] < high <= 1
        assert all(0 <= part <= 1 for part in results["parts"].values())
    curve = [value for sizes in shipped["curve"].values() for seeds in sizes.values() for value in seeds]
    rates = [
        results[name] for results in shipped["rates"].values() for name in results if name != "last loss"
    ]
    assert all(0 <= value <= 1 for value in (*curve, *rates, *shipped["layers"].values()))


def test_what_chapter_11_says_of_the_measurements_holds(shipped: Any) -> None:  # noqa: ANN401
    curve = {
        start: {int(size): float(np.mean(seeds)) for size, seeds in sizes.items()}
        for start, sizes in shipped["curve"].items()
    }
    bert, scratch, static = (curve[start] for start in ("pre-trained", "random", "word2vec + BiLSTM"))
    for size in (100, 300):
        assert bert[size] > max(scratch[size], static[size], curve["pre-trained, frozen"][size]) + 0.1
        assert bert[size] > curve["word counts"][size] + 0.1
    assert bert[300] > 0.95
    assert scratch[300] < curve["word counts"][300]
    mean = curve["frozen, mean of four layers"]
    assert all(share < mean[size] for size, share in curve["pre-trained, frozen"].items())
    for task, simple in shipped["baselines"].items():
        low, _ = shipped["tasks"][task]["interval"]
        assert low > simple["majority"]
    rates = {rate: results for rate, results in shipped["rates"].items() if rate != "before"}
    left = [results["masked words"] for results in rates.values()]
    assert left == sorted(left, reverse=True)
    assert max(rates, key=lambda rate: rates[rate]["accuracy"]) == "0.0005"
    assert rates["0.001"]["accuracy"] > rates["0.0005"]["accuracy"] - 0.02  # the course's own
    assert rates["0.01"]["accuracy"] < 0.3
    plain, balanced = shipped["imbalance"]["plain"], shipped["imbalance"]["balanced"]
    for found in (plain, balanced):
        assert max(share for label, share in found["parts"].items() if label != "glad") < 0.5
        assert found["parts"]["glad"] > 0.9
        assert found["score"] < shipped["tasks"]["feelings"]["score"] - 0.4
    layers = shipped["layers"]
    single = max(value for name, value in layers.items() if name.startswith("after layer"))
    assert layers["last four end to end"] > single + 0.04
    assert shipped["tasks"]["names"]["interval"][0] > layers["last four end to end"]
