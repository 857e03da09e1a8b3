"""The measurements for chapter 10: each is made once, and the shipped file is what they make."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bertviz_lite.finetuning_results import (
    NOTES,
    STARTS,
    TASKS,
    Budget,
    Kept,
    Measuring,
    by_words,
    gather,
    lookup_f1,
    measure,
)
from bertviz_lite.world.tasks import Tagged

SMALL = Budget(train=8, test=8, sizes=(4,), seeds=2, epochs=1, fewest_steps=1, rates=(1e-3,), told=40)


def test_a_small_run_measures_every_part_once(tmp_path: Path) -> None:
    kept, output = Kept(tmp_path / "runs"), tmp_path / "found.json"
    measure(SMALL, kept, output)
    found = json.loads(output.read_text(encoding="utf-8"))
    assert set(found) == {"budget", "notes", *NOTES}
    assert found["curve"].keys() == set(STARTS)
    assert all(list(points) == ["4"] and len(points["4"]) == 2 for points in found["curve"].values())
    assert set(found["tasks"]) == {*TASKS, "names, every piece"}
    assert set(found["rates"]) == {"before", "0.001"}
    assert set(found["imbalance"]["plain"]["parts"]) <= {"glad", "sad", "angry", "afraid"}
    assert {"static", "layer 0", "layer 4", "sum of the last four"} < set(found["layers"])
    assert not list((tmp_path / "runs").glob("*.claim"))
    for path in (tmp_path / "runs").iterdir():
        path.touch()
        path.write_text(path.read_text(encoding="utf-8").replace("0.", "7."), encoding="utf-8")
    assert gather(SMALL, kept, Measuring(SMALL).all())["budget"]["train"] == 8
    again = gather(SMALL, kept, Measuring(SMALL).all())["rates"]["before"]["masked words"]
    assert again == found["rates"]["before"]["masked words"] + 7  # read, not measured


def test_nothing_is_made_twice_or_by_two(tmp_path: Path) -> None:
    kept, made = Kept(tmp_path), []
    kept.make("part/one", lambda: made.append(1) or 0.123456)
    kept.make("part/one", lambda: made.append(2) or 0.0)
    assert kept.read("part/one") == 0.1235
    (tmp_path / "part - two.claim").touch()
    kept.make("part/two", lambda: made.append(3) or 0.0)
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
    known = [Tagged(("Stone", "ran"), ("B-person", "O"))] * 3 + [Tagged(("a", "stone"), ("O", "O"))]
    assert lookup_f1(known, [Tagged(("Stone", "ran"), ("B-person", "O"))]) == 1.0
    asked = [Tagged(("Stone", "ran"), ("B-person", "O")), Tagged(("a", "stone"), ("O", "O"))]
    assert lookup_f1(known, asked) == pytest.approx(2 / 3)
