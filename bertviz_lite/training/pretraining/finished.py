"""The folder of a finished model: weights, tokenizer, scores, history and card; and shipping it."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from transformers import (
    BertForPreTraining,
)

from bertviz_lite.basics.files import replace_folder, write_text
from bertviz_lite.data.pretraining.forbidden import TrainingTown
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.evaluation import scores as evaluation
from bertviz_lite.evaluation.scores.chinese import evaluation_set_of, score_on
from bertviz_lite.evaluation.scores.own_words import OWN_WORDS_FILE, BothExams, both_exams, read_exam
from bertviz_lite.models import POCKET
from bertviz_lite.models.pins import write_pin
from bertviz_lite.training.card import Making, model_card
from bertviz_lite.training.history import History
from bertviz_lite.training.pretraining.model import (
    PretrainingModel,
    bare_model,
    round_to_float16,
    save_model,
)
from bertviz_lite.training.pretraining.recipe import Recipe, command_of, pocket_config
from bertviz_lite.training.pretraining.run import Run, Stage, stages_of
from bertviz_lite.training.pretraining.vocabulary import save_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


class Reporter:
    """Writes the finished model's folder: weights, tokenizer, scores, history and card.

    Parameters
    ----------
    recipe, run
        What is run, and how.
    tokenizer
        The run's tokenizer.
    inputs
        All inputs of the run.
    """

    def __init__(
        self, recipe: Recipe, run: Run, tokenizer: PreTrainedTokenizerFast, inputs: TrainingInputs
    ) -> None:
        self.recipe, self.run, self.tokenizer, self.inputs = recipe, run, tokenizer, inputs
        self.history: History | None = None
        self.exam = None if run.exam is None else read_exam(run.exam, "unread")

    @cached_property
    def quick_set(self) -> evaluation.EvaluationSet:
        """What the model is scored on at the moments of the history."""
        return self._evaluation_set(quick=True)

    def _evaluation_set(self, *, quick: bool) -> evaluation.EvaluationSet:
        return evaluation_set_of(
            self.recipe.town, self.tokenizer, quick=quick, training_seed=self.recipe.seed
        )

    def as_shipped(self, model: PretrainingModel) -> BertForPreTraining:
        """Return what would be shipped if training ended now: plain, on the CPU, rounded if so wished."""
        shipped = bare_model(model, pocket_config(self.recipe, len(self.tokenizer)))
        if self.recipe.float16:
            round_to_float16(shipped)
        return shipped

    def watch(self, model: PretrainingModel) -> History:
        """Return the callback that keeps the history of a model, rounded if it is to be shipped so."""
        evaluation_set = self.quick_set

        def current() -> BertForPreTraining:
            rounded = self.recipe.float16
            return self.as_shipped(model).to(model.device) if rounded else model  # type: ignore[arg-type]

        begun = max((stage.until for stage in stages_of(self.run.output)), default=0)
        self.history = History(
            self.run.output / "history",
            current,
            self.tokenizer,
            range(begun, self.recipe.steps),
            measure=lambda model: score_on(model, self.tokenizer, evaluation_set),
            tokens=lambda step: self.inputs.tokens(step * self.inputs.group),
            town=self.recipe.town,
        )
        return self.history

    def write(self, model: BertForPreTraining, log: Sequence[dict[str, float]]) -> Path:
        """Write everything beside the final place, then move it there; return the place."""
        target = self.run.output / self.run.name
        with tempfile.TemporaryDirectory(dir=self.run.output) as temporary:
            folder = Path(temporary) / self.run.name
            save_model(model, folder, self.recipe.float16)
            save_tokenizer(self.tokenizer, folder)
            digest = write_pin(folder)
            if self.history is not None:
                self.history.write(folder, log)
                evaluation_set = self.quick_set if self.run.quick else self._evaluation_set(quick=False)
                scores = score_on(model, self.tokenizer, evaluation_set)
                write_text(folder / "scores.json", scores.to_json())
                exams = self._exams(model)
                if exams is not None:
                    write_text(folder / OWN_WORDS_FILE, exams.to_json())
                making = self._making(model, evaluation_set)
                write_text(folder / "README.md", model_card(making, scores, digest, exams))
            replace_folder(folder, target)
        return target

    def _exams(self, model: BertForPreTraining) -> BothExams | None:
        if self.exam is None:
            return None
        town = TrainingTown(self.recipe.town, self.run.forbidden, by_hand=self.run.texts_by_hand)
        return both_exams(model, self.tokenizer, self.exam, "unread", town=town, seed=self.recipe.seed)

    def _making(self, model: BertForPreTraining, evaluation_set: evaluation.EvaluationSet) -> Making:
        assert self.history is not None
        processes = self.inputs.group // self.recipe.batch_size
        if torch.cuda.is_available():
            device = torch.cuda.get_device_name()
        else:
            device = f"{processes} × {torch.get_num_threads()} CPU threads"
        training = self.inputs.corpus.fingerprints
        test = np.array(sorted(evaluation_set.fingerprints()), dtype=np.uint64)
        return Making(
            command=command_of(
                self.recipe,
                processes,
                self.run.exam,
                self.run.by_hand,
                self.run.by_hand_share,
                self.run.start,
                self.run.teachers,
            ),
            town=self.recipe.town,
            parameters=model.num_parameters(),
            stories=len(self.inputs.corpus),
            steps=self.recipe.steps,
            batch=self.inputs.group,
            tokens=self.inputs.tokens(len(self.inputs)),
            seed=self.recipe.seed,
            minutes=self.history.seconds / 60,
            device=device + (" (bfloat16)" if self.recipe.bf16 else ""),
            shared_stories=int(np.isin(test, training).sum()),
            fitting=evaluation_set.fitting,
            quick=self.run.quick,
            name=self.run.name,
            vocabulary=model.config.vocab_size,
            swapped=self.recipe.swapped,
            renamed=self.recipe.renamed,
            float16=self.recipe.float16,
            by_hand=self.run.texts_by_hand.share,
            forbidden=len(self.run.forbidden.hashes),
            left_out=self.inputs.corpus.left_out,
            stages=tuple((stage.until, self._other(stage)) for stage in stages_of(self.run.output)),
        )

    def _other(self, stage: Stage) -> dict[str, float]:
        """Return the settings of a stage that are others now."""
        return {name: old for name, old in stage.settings.items() if old != getattr(self.recipe, name)}


def shipped_folder(name: str) -> Path:
    """Return the folder from which the package ships a model of this name.

    Raises
    ------
    ValueError
        Where the name is another's, or no name.
    """
    taken = name == "minilm" or (POCKET.parent / f"{name}.py").exists()
    if taken or not re.fullmatch("[a-z][a-z0-9_-]*", name):
        raise ValueError(
            f"--install {name}: a name of small letters, digits, _ and - that is not taken is needed, "
            "as pocket"
        )
    return POCKET.parent / name


def install(folder: Path, target: Path = POCKET) -> None:
    """Copy a finished model to the place from which the package ships it, and pin its weights.

    Raises
    ------
    ValueError
        Where the folder holds no finished model.
    """
    if not (folder / "model.safetensors").is_file():
        raise ValueError(f"{folder} holds no finished model")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".incoming-") as temporary:
        copy = Path(temporary) / target.name
        shutil.copytree(folder, copy)
        write_pin(copy)
        replace_folder(copy, target)
