"""The history of a run: its moments, and the code of its attention weights."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from transformers import TrainerState

from bertviz_lite import load
from bertviz_lite.data.vocabulary import character_tokenizer
from bertviz_lite.evaluation.scores import Score, Scores
from bertviz_lite.training.history import History, moments
from bertviz_lite.training.pretraining.trainer import StopAfter
from bertviz_lite.training.watched import decode_attention, encode_attention, watched_texts
from bertviz_lite.world.chinese.texts import words
from bertviz_lite.world.towns import CHINESE
from tests.helpers.small_town import small_model, small_tokenizer


class FakeRun:
    """A run of three steps in a folder; each start goes on after some step, as from a checkpoint."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tokenizer = folder / "history", small_tokenizer()
        self.model = small_model(self.tokenizer)

    def history(
        self, measure: Callable[..., Scores] = lambda _: Scores(), steps: int = 3, begun: int = 0
    ) -> History:
        return History(
            *(self.folder, lambda: self.model, self.tokenizer, range(begun, steps)),
            measure=measure,
            tokens=lambda step: 7 * step,
        )

    def start(self, after: int, steps: Sequence[int] = (1, 2, 3), missing: int | None = None) -> History:
        """Run some steps; at step ``missing`` one score is not measured."""
        now = [after]

        def measure(_: object) -> Scores:
            names = ["agreement"] if now[0] == missing else ["agreement", "senses"]
            return Scores({name: Score(now[0] / 10, 5) for name in names})

        history = self.history(measure)
        nothing: Any = None
        history.check(after)
        history.on_train_begin(nothing, TrainerState(global_step=after), nothing)
        for step in steps:
            now[0] = step
            history.on_step_end(nothing, TrainerState(global_step=step), nothing)
        return history


LOG = [{"step": step, "learning_rate": 0.1, "mlm_loss": 2.0, "nsp_loss": 1.0} for step in (1, 2, 3)]


def test_a_killed_run_has_every_moment_once(tmp_path: Path) -> None:
    run = FakeRun(tmp_path)
    run.start(0, (1, 2))  # killed after step 2, with a checkpoint of step 1
    history = run.start(1, (2, 3))
    history.write(tmp_path, LOG)
    written = json.loads((tmp_path / "history.json").read_text(encoding="utf-8"))
    assert [moment["step"] for moment in written["moments"]] == [0, 1, 2, 3]
    assert [moment["tokens"] for moment in written["moments"]] == [0, 7, 14, 21]
    assert all(moment["scores"].keys() == {"agreement", "senses"} for moment in written["moments"])
    assert [loss["step"] for loss in written["losses"]] == [1, 2, 3]


def test_a_run_whose_history_has_a_gap_does_not_go_on(tmp_path: Path) -> None:
    run = FakeRun(tmp_path)
    run.start(0, (1, 2))
    (run.folder / "step-0000001.npz").unlink()
    with pytest.raises(ValueError, match=r"step 1 is over and missing .* --no-resume"):
        run.start(2, (3,))


def test_a_new_stage_keeps_the_moments_of_the_one_before_and_has_its_own_after_them(tmp_path: Path) -> None:
    run = FakeRun(tmp_path)
    run.start(0, (1, 2, 3))
    longer = run.history(steps=40, begun=3)
    assert longer.steps == [0, 1, 2, 3, *(step for step in moments(40) if step > 3)]
    longer.check(3)
    (run.folder / "step-0000003.npz").unlink()
    with pytest.raises(ValueError, match="step 3 is over and missing"):
        run.history(steps=40, begun=2).check(4)


def test_a_run_that_goes_on_watches_the_texts_with_which_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = FakeRun(tmp_path)
    texts = run.start(0, (1, 2)).texts
    monkeypatch.setattr("bertviz_lite.training.history.watched_texts", lambda *_, **__: [("New.", "Text.")])
    assert run.start(2, (3,)).texts == texts


def test_a_history_with_a_gap_or_a_repetition_is_not_written(tmp_path: Path) -> None:
    run = FakeRun(tmp_path)
    history = run.start(0, (1, 2, 3), missing=0)
    with pytest.raises(ValueError, match="other scores at step 0"):
        history.write(tmp_path, LOG)
    history = run.start(0, (1, 2))
    with pytest.raises(ValueError, match=r"the steps \[0, 1, 2\], not \[0, 1, 2, 3\]"):
        history.write(tmp_path, LOG)
    history = run.start(0)
    with pytest.raises(ValueError, match="logged twice"):
        history.write(tmp_path, [*LOG, LOG[-1]])
    assert not (tmp_path / "history.json").exists()


def test_a_run_whose_time_is_up_stops_at_a_step_that_is_logged() -> None:
    """Otherwise the steps between the last log and the stop would be in no mean."""

    class Control:
        should_save = should_training_stop = False

    stop, control = StopAfter(-1.0), Control()
    for step, stops in ((9, False), (10, True)):
        state = TrainerState(global_step=step, max_steps=100, logging_steps=10)
        stop.on_step_end(None, state, control)  # type: ignore[arg-type]
        assert (control.should_save, control.should_training_stop) == (stops, stops)


def test_moments_spread_from_the_first_step_to_the_last() -> None:
    for steps in (1, 5, 100, 20_000):
        chosen = moments(steps)
        assert (chosen[0], chosen[-1]) == (0, steps)
        assert chosen == sorted(set(chosen))
        assert len(chosen) <= 12
    assert len(moments(20_000)) == 12


def test_attention_code_is_fine_for_small_weights() -> None:
    weights = np.array([0.0, 0.0001, 0.01, 0.5, 1.0])
    assert decode_attention(encode_attention(weights)) == pytest.approx(weights, abs=0.002)
    assert encode_attention(np.array([0.0, 1.0])).tolist() == [0, 255]


def test_in_each_language_three_pairs_are_watched_of_which_the_second_has_a_pronoun() -> None:
    chinese = watched_texts(character_tokenizer(words()), town=CHINESE)
    english = watched_texts(load("pocket")[0])
    assert (len(chinese), len(english)) == (3, 3)
    assert all({"他", "她", "它"} & set(second) for _, second in chinese)
    assert all({"he", "him", "his"} & set(second.lower().split()) for _, second in english)
