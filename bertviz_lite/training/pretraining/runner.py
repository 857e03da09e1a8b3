"""Run a recipe, or what is left of it after a kill."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from transformers import (
    BertForPreTraining,
    TrainingArguments,
    set_seed,
)

from bertviz_lite.basics.threads import threads
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.forbidden import PIECES, TrainingTown
from bertviz_lite.training.pretraining.checkpoints import last_checkpoint
from bertviz_lite.training.pretraining.finished import Reporter
from bertviz_lite.training.pretraining.inputs import recipe_collator, recipe_inputs
from bertviz_lite.training.pretraining.model import PretrainingModel
from bertviz_lite.training.pretraining.optimizer import muon_and_adamw
from bertviz_lite.training.pretraining.parallel.processes import leave_together
from bertviz_lite.training.pretraining.recipe import Recipe, pocket_config
from bertviz_lite.training.pretraining.run import Run, open_output
from bertviz_lite.training.pretraining.teachers import Teachers
from bertviz_lite.training.pretraining.trainer import (
    PretrainingTrainer,
    StopAfter,
    fastest_attention,
    training_arguments,
)
from bertviz_lite.training.pretraining.vocabulary import load_or_train_tokenizer


def pretrain(recipe: Recipe, run: Run) -> Path | None:
    """Run a recipe, or what is left of it.

    Returns
    -------
    Path or None
        The folder of the finished model; None in processes other than the first, and where the time was up.

    Raises
    ------
    ValueError
        Where the output folder holds a run with other settings, or the stories are fewer than the inputs of a
        step.
    """
    arguments = training_arguments(recipe, run)
    with threads(run.threads or max(1, (os.cpu_count() or 1) // arguments.world_size)):
        return _pretrain(recipe, run, arguments)


def _report(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _pretrain(recipe: Recipe, run: Run, arguments: TrainingArguments) -> Path | None:
    if arguments.process_index == 0:
        open_output(recipe, arguments.world_size, run)
    with arguments.main_process_first(desc="writing the stories"):
        tokenizer = load_or_train_tokenizer(run.output / "tokenizer", recipe, run.start)
        corpus = Corpus.prepare(
            run.output / "stories",
            run.output / "tokenizer",
            seed=recipe.seed,
            count=recipe.stories,
            processes=os.cpu_count() or 1,
            progress=run.progress,
            town=TrainingTown(
                recipe.town,
                run.forbidden,
                recipe.boundaries if recipe.whole_words else PIECES,
                run.texts_by_hand,
            ),
        )
    inputs = recipe_inputs(recipe, corpus, tokenizer, recipe.batch_size * arguments.world_size)
    set_seed(recipe.seed)
    model = PretrainingModel(pocket_config(recipe, len(tokenizer), dropout=0.0))
    if run.start is not None:
        model.load_state_dict(BertForPreTraining.from_pretrained(run.start).float().state_dict())
    model.set_attn_implementation(fastest_attention(recipe.bf16))
    if run.compiled:
        model.bert.encoder.compile(dynamic=True)
    reporter = Reporter(recipe, run, tokenizer, inputs) if arguments.process_index == 0 else None
    trainer = PretrainingTrainer(
        model=model,
        args=arguments,
        train_dataset=inputs,
        data_collator=recipe_collator(recipe, tokenizer),
        optimizers=(muon_and_adamw(model, recipe) if recipe.matrix_learning_rate else None, None),
    )
    if run.teachers:
        teachers = Teachers.read(run.teachers, fastest_attention(recipe.bf16), run.compiled)
        trainer.teachers = teachers.to(arguments.device)
    if reporter is not None and run.evaluate:
        trainer.add_callback(reporter.watch(model))
    if run.max_minutes is not None:
        trainer.add_callback(StopAfter(run.max_minutes))
    checkpoint = last_checkpoint(run.output / "checkpoints", None if reporter is None else _report)
    if reporter is not None and reporter.history is not None and checkpoint is not None:
        reporter.history.check(int(checkpoint.name.rpartition("-")[2]))
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    folder = None
    if reporter is not None and trainer.state.global_step >= recipe.steps:
        folder = reporter.write(reporter.as_shipped(model), trainer.state.log_history)
    del trainer  # its wrapped model holds the connection
    leave_together()
    return folder
