"""Keep what a training run was like at some moments: scores, and the attention of the watched texts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from transformers import TrainerCallback

from bertviz_lite.basics.files import write_text
from bertviz_lite.training.watched import watched_attention, watched_texts
from bertviz_lite.world.towns import TOWN

if TYPE_CHECKING:
    from transformers import (
        BertForPreTraining,
        PreTrainedTokenizerFast,
        TrainerControl,
        TrainerState,
        TrainingArguments,
    )

    from bertviz_lite.evaluation.scores import Scores


TEXTS_FILE = "texts.json"


def moments(steps: int, count: int = 12) -> list[int]:
    """Return about ``count`` steps from 0 to the last, ever further apart.

    >>> moments(10_000)
    [0, 20, 37, 69, 129, 240, 447, 833, 1550, 2885, 5372, 10000]
    """
    spread = np.geomspace(max(1, steps // 500), steps, count - 1)
    return sorted({0, *(round(step) for step in spread.tolist())})


class History(TrainerCallback):
    """Measure the model at the moments, one file a moment, so that a killed run loses none.

    Parameters
    ----------
    folder
        Where the files go.
    current
        Returns the model that is measured, as it is now: the one that is trained, or what would be shipped.
    tokenizer
        Its tokenizer.
    stage
        From the step at which the run began, 0, or its last stage did, to its last step. Of what came before,
        the moments stay that were measured.
    measure
        Returns the scores of the model as it is.
    tokens
        Returns the number of tokens seen after a number of steps.
    town
        Whose stories the watched texts are of.
    """

    def __init__(
        self,
        folder: Path,
        current: Callable[[], BertForPreTraining],
        tokenizer: PreTrainedTokenizerFast,
        stage: range,
        measure: Callable[[BertForPreTraining], Scores],
        tokens: Callable[[int], int],
        town: str = TOWN,
    ) -> None:
        self.folder, self.current, self.tokenizer = folder, current, tokenizer
        self.measure, self.tokens = measure, tokens
        before = [step for step in self._kept() if step <= stage.start] if stage.start else [0]
        self.steps = [*before, *(step for step in moments(stage.stop) if step > stage.start)]
        # A town that has learned other stories since the run began has other texts: the first ones are kept.
        kept = self.folder / TEXTS_FILE
        self.texts: list[tuple[str, str]] = (
            [(first, second) for first, second in json.loads(kept.read_text(encoding="utf-8"))]
            if kept.exists()
            else watched_texts(tokenizer, town=town)
        )
        self.seconds_before = 0.0
        self.start = time.monotonic()

    def check(self, step: int) -> None:
        """See that a run that goes on from a step has measured all moments up to it.

        Raises
        ------
        ValueError
            Where one is missing: it cannot be measured any more.
        """
        missing = [moment for moment in self.steps if moment <= step and not self._measured(moment)]
        if step and missing:
            raise ValueError(
                f"step {missing[0]:,} is over and missing from the history, which would have a gap: "
                "begin again with --no-resume, or go on with --no-evaluate"
            )

    def _kept(self) -> list[int]:
        """Return the steps of all moments that are in the folder."""
        every = sorted(int(path.stem.rpartition("-")[2]) for path in self.folder.glob("step-*.json"))
        return [step for step in every if self._measured(step)]

    def _measured(self, step: int) -> bool:
        return all((self.folder / f"step-{step:07d}.{kind}").is_file() for kind in ("npz", "json"))

    def on_train_begin(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,  # noqa: ARG002
        **kwargs: Any,  # noqa: ANN401, ARG002
    ) -> None:
        """Measure the untrained model; after a kill, delete the moments after the checkpoint."""
        if not state.is_world_process_zero:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        write_text(self.folder / TEXTS_FILE, json.dumps(self.texts) + "\n")
        for path in self.folder.glob("step-*.json"):
            if int(path.stem.rpartition("-")[2]) > state.global_step or state.global_step == 0:
                path.unlink()
        clock = self.folder / "clock.json"
        if clock.exists():
            times = json.loads(clock.read_text(encoding="utf-8"))
            self.seconds_before = times.get(str(state.global_step), 0.0)
        self.start = time.monotonic()
        if state.global_step == 0:
            self._record(0)

    def on_step_end(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,  # noqa: ARG002
        **kwargs: Any,  # noqa: ANN401, ARG002
    ) -> None:
        """Measure at the moments."""
        if state.global_step in self.steps and state.is_world_process_zero:
            self._record(state.global_step)

    def on_save(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,  # noqa: ARG002
        **kwargs: Any,  # noqa: ANN401, ARG002
    ) -> None:
        """Note the time used so far."""
        if state.is_world_process_zero:
            clock = self.folder / "clock.json"
            times = json.loads(clock.read_text(encoding="utf-8")) if clock.exists() else {}
            times[str(state.global_step)] = round(self.seconds, 1)
            write_text(clock, json.dumps(times) + "\n")

    @property
    def seconds(self) -> float:
        """Time used by training, in seconds, over all starts; measuring is left out."""
        return self.seconds_before + time.monotonic() - self.start

    def _record(self, step: int) -> None:
        begin = time.monotonic()
        model = self.current()
        scores = self.measure(model)
        attention = watched_attention(model, self.tokenizer, self.texts)
        save_arrays(self.folder / f"step-{step:07d}.npz", attention)
        entry = {
            "step": step,
            "tokens": self.tokens(step),
            "scores": {name: _number(score.value) for name, score in scores.items()},
            "heads": {
                name.removeprefix("head."): [score.details["layer"], score.details["head"]]
                for name, score in scores.items()
                if name.startswith("head.")
            },
        }
        path = self.folder / f"step-{step:07d}.json"
        write_text(path, json.dumps(entry) + "\n")
        self.start += time.monotonic() - begin

    def write(self, target: Path, log: Sequence[dict[str, float]], points: int = 200) -> None:
        """Join the moments to ``history.json`` and ``history_attention.npz`` in ``target``.

        Parameters
        ----------
        target
            A folder.
        log
            The Trainer's log, for the losses; at most ``points`` entries are kept.
        points
            How many.

        Raises
        ------
        ValueError
            Where a moment is missing, a score was not measured at all of them, or a step was logged twice.
        """
        paths = sorted(self.folder.glob("step-*.json"))
        entries = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
        losses = [entry for entry in log if "mlm_loss" in entry]
        self._check_whole(entries, [int(entry["step"]) for entry in losses])
        every = max(1, -(-len(losses) // points))
        curve = [
            {name: round(entry[name], 5) for name in ("step", "learning_rate", "mlm_loss", "nsp_loss")}
            for entry in losses[every - 1 :: every]
        ]
        history = {
            "moments": entries,
            "losses": curve,
            "texts": self.texts,
            "tokens": [self.tokenizer(*pair).tokens() for pair in self.texts],
        }
        write_text(target / "history.json", json.dumps(history, indent=1) + "\n")
        arrays = {}
        for number in range(len(self.texts)):
            shots = []
            for path in paths:
                with np.load(path.with_suffix(".npz"), allow_pickle=False) as file:
                    shots.append(file[f"text{number}"])
            arrays[f"text{number}"] = np.stack(shots)
        arrays["steps"] = np.array([entry["step"] for entry in entries])
        save_arrays(target / "history_attention.npz", arrays)

    def _check_whole(self, entries: Sequence[dict[str, Any]], logged: Sequence[int]) -> None:
        """Refuse a history with a gap or a repetition."""
        steps = [entry["step"] for entry in entries]
        if steps != self.steps:
            raise ValueError(f"the history has the steps {steps}, not {self.steps}")
        for kind in ("scores", "heads"):
            measured = [
                {name for name, value in entry[kind].items() if value is not None} for entry in entries
            ]
            odd = [step for step, names in zip(steps, measured, strict=True) if names != measured[-1]]
            if odd:
                raise ValueError(f"the history has other {kind} at step {odd[0]:,} than at the last one")
        if logged != sorted(set(logged)):
            raise ValueError("the losses of some step are logged twice, or out of order")


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Save named arrays, compressed."""
    named: dict[str, Any] = dict(arrays)
    np.savez_compressed(path, **named)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(value, 4)
