"""One run after the other: train, keep the model, measure it, keep what was measured."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transformers import BertForPreTraining, TrainerCallback

from bertviz_lite.basics.files import replace_folder, write_text
from bertviz_lite.data.pretraining.forbidden import Forbidden
from bertviz_lite.evaluation.scores.own_words import forbidden_sentences
from bertviz_lite.training.pretraining.model import bare_model, round_to_float16, save_model
from bertviz_lite.training.pretraining.run import Run, keep_recipe
from bertviz_lite.world.towns import CHINESE
from experiments.ablations.measuring import AblationSet, measure
from experiments.ablations.plans import Plan
from experiments.ablations.texts import Texts
from experiments.ablations.training import train, variant_config
from experiments.chinese_masking.measuring import ChineseMeasures, measure_chinese
from experiments.common.rounding import rounded

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.training.pretraining.recipe import Recipe

MEASURING = 600
"""About so many steps of training take as long as measuring a model."""

Report = Callable[["Job", int], None]
"""Told how far a job is, in steps."""


@dataclass(frozen=True)
class Job:
    """A run: a variant, and a seed."""

    name: str
    seed: int

    def __str__(self) -> str:
        return f"{self.name}, seed {self.seed}"

    def folder(self, runs: Path) -> Path:
        """Return the run's folder."""
        plain = self.name.replace("/", "-").replace(",", "").replace(" ", "-").replace("%", "percent")
        return runs / plain / f"seed-{self.seed}"

    def result(self, runs: Path) -> Path:
        """Return the file of what was measured; it is there when the run is finished."""
        return self.folder(runs) / "result.json"


class Workshop:
    """Does jobs of one plan. Texts and stories for measuring are made once, and kept.

    Parameters
    ----------
    plan
        What is trained and measured.
    runs
        Folder for what lasts.
    """

    def __init__(self, plan: Plan, runs: Path) -> None:
        self.plan, self.runs = plan, runs
        exam = plan.measures.exam
        self.forbidden = Forbidden() if exam is None else forbidden_sentences(exam)
        self.texts = lru_cache(maxsize=2)(self._texts)
        self.ablation_set = lru_cache(maxsize=2)(self._ablation_set)

    def prepare(self, jobs: list[Job], processes: int, *, progress: bool) -> None:
        """Make all texts that some jobs read, in several processes."""
        for size in sorted({self.plan.recipe_of(job.name, 0).vocab_size for job in jobs}):
            Texts.prepare(
                self._written(size), self.runs, self.forbidden, processes=processes, progress=progress
            )

    def do(self, job: Job, report: Report) -> None:
        """Do what is left of a job."""
        if job.result(self.runs).exists():
            return
        recipe = self.plan.recipe_of(job.name, job.seed)
        variant = self.plan.variants[job.name]
        model, training = self._trained(job, recipe, report)
        report(job, recipe.steps)
        tokenizer = self.texts(recipe.vocab_size).tokenizer
        result = {
            "what": variant.what,
            **self._measured(model, tokenizer, recipe.vocab_size, job.seed),
            **training,
        }
        write_text(job.result(self.runs), json.dumps(rounded(result)) + "\n")
        report(job, recipe.steps + MEASURING)

    def _trained(self, job: Job, recipe: Recipe, report: Report) -> tuple[BertForPreTraining, dict[str, Any]]:
        """Return the finished model of a job, and its losses; train it where it is not there."""
        folder = job.folder(self.runs)
        finished = folder / "model"
        if not finished.exists():
            self._train(job, recipe, finished, report)
        model: BertForPreTraining = BertForPreTraining.from_pretrained(finished)
        model.eval()
        return model, json.loads((finished / "training.json").read_text(encoding="utf-8"))

    def _train(self, job: Job, recipe: Recipe, finished: Path, report: Report) -> None:
        folder = job.folder(self.runs)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            keep_recipe(recipe, 1, folder, self.forbidden)
        except ValueError as error:
            raise ValueError(str(error).replace("--output", "--runs")) from None
        variant, texts = self.plan.variants[job.name], self.texts(recipe.vocab_size)
        start = time.monotonic()
        model, log = train(
            variant, recipe, Run(folder, progress=False), texts, [_Telling(lambda step: report(job, step))]
        )
        training = {"losses": losses(log), "seconds": time.monotonic() - start}
        bare = bare_model(model, variant_config(variant, recipe, len(texts.tokenizer), dropout=0.1))
        if recipe.float16:
            round_to_float16(bare)
        unfinished = folder / "unfinished"
        save_model(bare, unfinished, recipe.float16)
        write_text(unfinished / "training.json", json.dumps(training) + "\n")
        replace_folder(unfinished, finished)
        shutil.rmtree(folder / "checkpoints", ignore_errors=True)

    def _written(self, vocab_size: int) -> Recipe:
        """Return a recipe with all texts and a vocabulary."""
        return replace(self.plan.recipe, vocab_size=vocab_size)

    def _texts(self, vocab_size: int) -> Texts:
        return Texts.prepare(self._written(vocab_size), self.runs, self.forbidden)

    def _measured(
        self, model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, vocab_size: int, seed: int
    ) -> dict[str, Any]:
        measured_on = self.ablation_set(vocab_size)
        if isinstance(measured_on, ChineseMeasures):
            return measure_chinese(model, tokenizer, measured_on, seed)
        return measure(model, tokenizer, measured_on, seed)

    def _ablation_set(self, vocab_size: int) -> AblationSet | ChineseMeasures:
        if self.plan.recipe.town == CHINESE:
            measures = self.plan.measures
            return ChineseMeasures.make(self.texts(vocab_size).tokenizer, measures.size, measures.tasks)
        return AblationSet.make(self.texts(vocab_size), self.plan.measures, self.plan.recipe.town)


class _Telling(TrainerCallback):
    """Tells how many steps are made, every ten steps."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self.tell = tell

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002
        """Tell it."""
        if state.global_step % 10 == 0:
            self.tell(state.global_step)


def losses(logged: list[dict[str, Any]]) -> list[list[float]]:
    """Pick the two losses out of what a Trainer logged."""
    return [[entry["step"], entry["mlm_loss"], entry["nsp_loss"]] for entry in logged if "mlm_loss" in entry]
