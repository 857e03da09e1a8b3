"""Train a copy of a model on the examples of a task, with ``transformers``' Trainer."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers import (
    Trainer,
    TrainingArguments,
    set_seed,
)
from transformers.trainer_callback import PrinterCallback, ProgressCallback

from bertviz_lite.basics.arguments import ArgumentError, instance
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.task_inputs import Encoded, collate, encode, kind_of
from bertviz_lite.evaluation.checks import check_model_and_tokenizer
from bertviz_lite.evaluation.task_scores import labels_of
from bertviz_lite.training.finetuning.heads import new_model
from bertviz_lite.training.finetuning.progress import ProgressBar, bars_are_wanted
from bertviz_lite.training.finetuning.recipe import FineTuning
from bertviz_lite.world.tasks.sets import Question

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerFast

    from bertviz_lite.world.tasks.sets import Example


class _HeadTrainer(Trainer):
    """A Trainer whose loss can weigh the labels."""

    label_weights: Tensor | None = None

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,  # noqa: ARG002 - the Trainer passes it
    ) -> Any:  # noqa: ANN401 - as the Trainer
        """Return the head's own loss, or the weighted one."""
        outputs = model(**inputs)
        loss = outputs.loss
        if self.label_weights is not None:
            logits, labels = outputs.logits.flatten(0, -2), inputs["labels"].flatten()
            weights = self.label_weights.to(logits)
            loss = nn.functional.cross_entropy(logits, labels, weights, ignore_index=IGNORED)
        return (loss, outputs) if return_outputs else loss


@dataclass(frozen=True)
class Tuned:
    """A model that has learned a task.

    Attributes
    ----------
    model
        In evaluation mode; ``save_pretrained`` and ``from_pretrained`` work as with any model.
    losses
        Step and training loss (the mean since the entry before), in order.
    steps, seconds
        How many optimizer steps were made, and how long they took.
    interrupted
        Whether somebody stopped it; the model is as it was then.
    recipe
        How it was trained.
    """

    model: PreTrainedModel
    losses: list[tuple[int, float]]
    steps: int
    seconds: float
    interrupted: bool
    recipe: FineTuning


def fine_tune(
    body: PreTrainedModel,
    tokenizer: PreTrainedTokenizerFast,
    examples: Sequence[Example],
    *,
    recipe: FineTuning | None = None,
    labels: Sequence[str] | None = None,
    pretrained: bool = True,
    progress: bool = True,
) -> Tuned:
    """Teach a copy of a model a task.

    Interrupting it (the kernel's stop button, Ctrl-C) is no error: what has been learned so far is returned.

    Parameters
    ----------
    body
        Any BERT. It stays as it is.
    tokenizer
        The model's.
    examples
        All of one class of ``world.tasks``.
    recipe
        See ``FineTuning``.
    labels
        Of a new head, in the order of its outputs; those of the task where None.
    pretrained
        Start from the body's weights; with False from random ones.
    progress
        Show a bar while it runs (none where ``bars_are_wanted`` says no).

    Raises
    ------
    ValueError
        For examples that ``encode`` refuses, and for questions with a balanced loss.
    """
    check_model_and_tokenizer(body, tokenizer)
    recipe = FineTuning() if recipe is None else instance("recipe", recipe, FineTuning, "a FineTuning")
    kind = kind_of(examples)
    if recipe.balanced and kind is Question:
        raise ArgumentError("balanced=True: answers are places, not labels; leave it out for questions")
    model = new_model(body, kind, labels, pretrained=pretrained, dropout=recipe.dropout, seed=recipe.seed)
    names = labels_of(model)
    rows = encode(examples, tokenizer, names, every_token=recipe.every_token)
    model.base_model.requires_grad_(not recipe.frozen)
    set_seed(recipe.seed)
    bar = ProgressBar()
    began = time.perf_counter()
    interrupted = False
    with tempfile.TemporaryDirectory() as folder:
        trainer = _HeadTrainer(
            model=model,
            args=_arguments(recipe, len(rows), folder),
            train_dataset=rows,
            data_collator=lambda chosen: collate(chosen, tokenizer.pad_token_id),
        )
        trainer.remove_callback(PrinterCallback)
        trainer.remove_callback(ProgressCallback)
        if recipe.balanced:
            trainer.label_weights = label_weights(rows, len(names))
        if progress and bars_are_wanted():
            trainer.add_callback(bar)
        mine = gc.get_freeze_count() == 0  # else the caller has frozen it, and keeps it so
        try:
            # The Trainer looks for garbage among all that there is: a fifth of a second in a notebook.
            if mine:
                gc.freeze()
            with torch.enable_grad():  # a notebook may have switched gradients off
                trainer.train()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            if mine:
                gc.unfreeze()
            bar.close()
    model.requires_grad_(True).eval()
    log = trainer.state.log_history
    losses = [(int(entry["step"]), float(entry["loss"])) for entry in log if "loss" in entry]
    return Tuned(model, losses, trainer.state.global_step, time.perf_counter() - began, interrupted, recipe)


def _arguments(recipe: FineTuning, count: int, folder: str) -> TrainingArguments:
    per_epoch = -(-count // recipe.batch_size)
    steps = max(1, round(recipe.epochs * per_epoch))
    steps = steps if recipe.steps is None else min(steps, recipe.steps)
    return TrainingArguments(
        output_dir=folder,
        max_steps=steps,
        per_device_train_batch_size=recipe.batch_size,
        learning_rate=recipe.learning_rate,
        lr_scheduler_type="linear",
        warmup_steps=round(recipe.warmup * steps),
        weight_decay=recipe.weight_decay,
        logging_steps=max(1, steps // 40),
        save_strategy="no",
        use_cpu=not torch.cuda.is_available(),
        seed=recipe.seed,
        dataloader_pin_memory=False,
        remove_unused_columns=False,
        report_to=[],
        disable_tqdm=True,
    )


def label_weights(rows: Sequence[Encoded], count: int) -> Tensor:
    """Return 1 / share of each label among the examples, scaled to a mean of 1 over the labels that occur."""
    labels = np.concatenate([np.atleast_1d(row.labels["labels"]) for row in rows])
    counts = np.bincount(labels[labels != IGNORED], minlength=count).astype(np.float64)
    weights = np.divide(1.0, counts, out=np.zeros(count), where=counts > 0)
    return torch.tensor(weights / weights[counts > 0].mean(), dtype=torch.float32)
