"""Exercises of chapter 10, pre-training: a whole step of training."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler
from transformers import BertConfig, BertForPreTraining

from bertviz_lite.exercises import Case, exercise

Answer = Callable[[BertForPreTraining, dict[str, Tensor], Optimizer, LRScheduler, float], float]

_STEPS = 3


def _cases() -> Iterator[Case]:
    yield Case(0.5, 100.0, label="three steps of a tiny BERT, no gradient longer than most")
    yield Case(0.5, 0.2, label="three steps of a tiny BERT, every gradient longer than most")


def _small() -> BertForPreTraining:
    """Make a tiny BERT without dropout, the same each time."""
    config = BertConfig(
        vocab_size=9,
        hidden_size=4,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=6,
        max_position_embeddings=6,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return BertForPreTraining(config).double()


def _batch(step: int) -> dict[str, Tensor]:
    ids = (torch.arange(10).reshape(2, 5) + step) % 9
    labels = ids.where(ids % 3 == 0, -100)
    return {"input_ids": ids, "labels": labels, "next_sentence_label": torch.tensor([step % 2, 0])}


def _after(answer: Answer, rate: float, most: float) -> object:
    """Let an answer do some steps, and say what has become of the model."""
    model = _small()
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / 10)
    losses: list[float] = []
    with torch.enable_grad():
        for step in range(_STEPS):
            loss: object = answer(model, _batch(step), optimizer, schedule, most)
            if loss is None or loss is ...:
                return loss
            number = loss.item() if isinstance(loss, Tensor) else loss
            losses.append(float(number))  # type: ignore[arg-type]
    weights = torch.cat([weight.detach().flatten() for weight in model.parameters()])
    return {"the losses": losses, "the weights": weights, "the next learning rate": schedule.get_last_lr()[0]}


@exercise(
    cases=_cases,
    call=_after,
    hints=(
        "PyTorch adds to the gradients that are there, so begin with optimizer.zero_grad().",
        "model(**batch).loss is the sum of both losses; .backward() puts a gradient into every .grad.",
        "torch.nn.utils.clip_grad_norm_(model.parameters(), most), between backward and optimizer.step().",
    ),
    note="That's the whole of a training: now a for loop around it, and some weeks.",
)
def training_step(
    model: BertForPreTraining,
    batch: dict[str, Tensor],
    optimizer: Optimizer,
    schedule: LRScheduler,
    most: float,
) -> float:
    """Do one step of training, with the gradients clipped to the length `most`; return its loss, a number."""
    optimizer.zero_grad()
    loss = model(**batch).loss
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), most)
    optimizer.step()
    schedule.step()
    return float(loss.item())


def _step(*leave_out: str) -> Answer:
    """Make an answer that leaves something out."""

    def answer(
        model: BertForPreTraining,
        batch: dict[str, Tensor],
        optimizer: Optimizer,
        schedule: LRScheduler,
        most: float,
    ) -> float:
        if "zero" not in leave_out:
            optimizer.zero_grad()
        loss = model(**batch).loss
        if "backward" not in leave_out:
            loss.backward()
        if "clip" not in leave_out:
            nn.utils.clip_grad_norm_(model.parameters(), most)
        optimizer.step()
        if "schedule" not in leave_out:
            schedule.step()
        return float(loss.item())

    return answer


training_step.mistake(
    "The gradients of the step before are still there, and the new ones are added: begin with zero_grad().",
    _step("zero"),
)
training_step.mistake("The gradients aren't clipped.", _step("clip"))
training_step.mistake("The learning rate stays as it was: schedule.step() is missing.", _step("schedule"))
training_step.mistake("The weights don't move: without .backward() there's no gradient.", _step("backward"))


@training_step.mistake("Each number is clipped by itself; it's the length of all gradients together.")
def _by_value(
    model: BertForPreTraining,
    batch: dict[str, Tensor],
    optimizer: Optimizer,
    schedule: LRScheduler,
    most: float,
) -> float:
    optimizer.zero_grad()
    loss = model(**batch).loss
    loss.backward()
    nn.utils.clip_grad_value_(model.parameters(), most)
    optimizer.step()
    schedule.step()
    return float(loss.item())
