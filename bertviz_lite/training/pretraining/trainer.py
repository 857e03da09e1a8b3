"""``transformers``' Trainer for pre-training: inputs in their order, both losses logged, a limit of time."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, distributed, nn
from torch.utils.data import SequentialSampler
from transformers import (
    Trainer,
    TrainerCallback,
    TrainingArguments,
)

from bertviz_lite.training.pretraining.parallel.shared_gradients import share_gradients
from bertviz_lite.training.pretraining.recipe import Recipe
from bertviz_lite.training.pretraining.run import Run
from bertviz_lite.training.pretraining.teachers import Teachers

if TYPE_CHECKING:
    from transformers import TrainerControl, TrainerState


class PretrainingTrainer(Trainer):
    """A Trainer that takes the inputs in their order, with or without teachers, and logs both losses."""

    teachers: Teachers | None = None

    def _get_train_sampler(self, train_dataset: Any = None) -> SequentialSampler:  # noqa: ANN401 - a data set
        inputs: Any = self.train_dataset if train_dataset is None else train_dataset
        return SequentialSampler(inputs)

    def training_step(self, model: nn.Module, *args: Any, **kwargs: Any) -> Tensor:  # noqa: ANN401 - as the Trainer
        """Take a step; before the first, see how the processes of a run exchange their gradients."""
        if not getattr(self, "_connected", False):
            share_gradients(model)
            self._connected = True
        loss: Tensor = super().training_step(model, *args, **kwargs)
        return loss

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,  # noqa: ARG002 - the Trainer passes it
    ) -> Any:  # noqa: ANN401 - as the Trainer
        """Return the sum of the two losses."""
        if self.teachers is not None:
            tokens = {name: value for name, value in inputs.items() if name != "next_sentence_label"}
            with self.compute_loss_context_manager():
                inputs = {**inputs, "taught": self.teachers.probabilities(**tokens)}
        outputs = model(**inputs)
        self._parts = [*getattr(self, "_parts", []), (outputs["mlm_loss"], outputs["nsp_loss"])]
        return (outputs["loss"], outputs) if return_outputs else outputs["loss"]

    def log(self, logs: dict[str, float], *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as the Trainer
        """Add the mean of each loss since the last time."""
        parts = getattr(self, "_parts", [])
        if parts and "loss" in logs:
            logs["mlm_loss"] = float(torch.stack([masked for masked, _ in parts]).mean())
            logs["nsp_loss"] = float(torch.stack([next_part for _, next_part in parts]).mean())
            self._parts = []
        super().log(logs, *args, **kwargs)


def as_the_first_process(answer: bool) -> bool:
    """Return the first process's answer in every process of a run, so that all stop after the same step."""
    if not (distributed.is_available() and distributed.is_initialized()):
        return answer
    answers: list[bool] = [answer]
    distributed.broadcast_object_list(answers)
    return answers[0]


class StopAfter(TrainerCallback):
    """Save and stop after some minutes; the same command goes on later.

    It stops at a step whose losses are logged: these are means over the steps since the last time, and those
    before the stop would be missing from the next.
    """

    def __init__(self, minutes: float) -> None:
        self.end = time.monotonic() + 60 * minutes

    def on_step_end(self, args: Any, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:  # noqa: ANN401, ARG002
        """Look at the clock after every step that is logged."""
        if state.global_step % state.logging_steps or state.global_step >= state.max_steps:
            return
        if as_the_first_process(time.monotonic() > self.end):
            control.should_save = control.should_training_stop = True


def training_arguments(recipe: Recipe, run: Run) -> TrainingArguments:
    """Translate a recipe for the Trainer."""
    return TrainingArguments(
        output_dir=str(run.output / "checkpoints"),
        max_steps=recipe.steps,
        per_device_train_batch_size=recipe.batch_size,
        learning_rate=recipe.learning_rate,
        lr_scheduler_type=recipe.schedule,
        warmup_steps=round(recipe.warmup * recipe.steps),
        weight_decay=recipe.weight_decay,
        adam_beta2=recipe.adam_beta2,
        max_grad_norm=recipe.max_grad_norm,
        bf16=recipe.bf16,
        use_cpu=not torch.cuda.is_available(),
        seed=recipe.seed,
        save_steps=run.save_every,
        save_total_limit=2,
        logging_steps=min(100, max(1, recipe.steps // 100)),
        ddp_find_unused_parameters=False,
        dataloader_pin_memory=False,
        remove_unused_columns=False,
        report_to=[],
        disable_tqdm=not run.progress,
    )


def fast_bf16() -> bool:
    """Say whether this machine has instructions for bfloat16 (and may use them)."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    if os.environ.get("ONEDNN_MAX_CPU_ISA") or os.environ.get("ATEN_CPU_CAPABILITY"):
        return False
    probes = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, probe, bool)() for probe in probes)


def fastest_attention(bf16: bool) -> str:
    """Return the kind of attention that trains fastest: the plain one on CPUs with bfloat16."""
    return "eager" if bf16 and not torch.cuda.is_available() else "sdpa"
