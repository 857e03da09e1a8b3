"""Exercises of chapter 10, pre-training: the loop of a training."""

import warnings
from collections.abc import Callable, Iterable

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler
from transformers import BertConfig, BertForPreTraining, get_linear_schedule_with_warmup

from bertviz_lite.exercises import Case, exercise

Batches = list[dict[str, Tensor]]

_VOCAB, _BATCH, _SEQ_LEN = 40, 2, 6
_HIDDEN = [[2, 4], [1, 5]]
"""Which tokens of a batch are to be named, row by row."""


def _train(answer: Callable[..., object], seed: int, steps: int) -> object:
    """Call an answer with a small BERT, batches, an optimizer and a schedule, all made anew from a seed."""
    made = torch.Generator().manual_seed(seed)
    config = BertConfig(
        vocab_size=_VOCAB, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=_SEQ_LEN, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    model = BertForPreTraining(config).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.3 * torch.randn(parameter.shape, generator=made, dtype=torch.float64))
    batches = [_batch(made) for _ in range(steps)]
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    schedule = get_linear_schedule_with_warmup(optimizer, 0, steps + 1)
    with torch.enable_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns where the schedule goes before the optimizer
        losses = answer(model, batches, optimizer, schedule)
    return [_number(loss) for loss in losses] if isinstance(losses, list) else losses


def _batch(made: torch.Generator) -> dict[str, Tensor]:
    input_ids = torch.randint(5, _VOCAB, (_BATCH, _SEQ_LEN), generator=made)
    labels = torch.full_like(input_ids, -100)
    for row, hidden in enumerate(_HIDDEN):
        labels[row, hidden] = input_ids[row, hidden]
        input_ids[row, hidden] = 4
    pairs = torch.randint(2, (_BATCH,), generator=made)
    return {"input_ids": input_ids, "labels": labels, "next_sentence_label": pairs}


def _number(loss: object) -> object:
    """Take a loss that is still a tensor, too."""
    return loss.item() if isinstance(loss, Tensor) and loss.numel() == 1 else loss


def _cases() -> Iterable[Case]:
    for seed, steps in ((0, 4), (1, 3)):
        yield Case(seed, steps, label=f"a small BERT, {steps} batches, AdamW, a rate that falls to 0")


@exercise(
    cases=_cases,
    call=_train,
    hints=(
        "For each batch, in this order: empty the gradients, forward, backward, the optimizer, the schedule.",
        "model(**batch).loss is the sum of the two losses; .backward() adds to the gradients that are there.",
        "zero_grad() of the optimizer, loss = model(**batch).loss, loss.backward(), step(), schedule.step().",
    ),
    note="The losses are those of the course's own loop.",
)
def training_loop(
    model: BertForPreTraining, batches: Batches, optimizer: Optimizer, schedule: LRScheduler
) -> list[float]:
    """Train one step for each batch, without clipping, and give the list of the losses.

    Each is the loss before its step; `model(**batch).loss` is the sum of both.
    """
    found = []
    for batch in batches:
        optimizer.zero_grad()
        outputs = model(**batch)
        outputs.loss.backward()
        optimizer.step()
        schedule.step()
        found.append(float(outputs.loss.detach()))
    return found


def _loop(*order: str, late: bool = False) -> Callable[..., list[float]]:
    """Make a loop of these steps in this order; ``late`` gives the losses after the steps."""

    def answer(
        model: BertForPreTraining, batches: Batches, optimizer: Optimizer, schedule: LRScheduler
    ) -> list[float]:
        found = []
        for batch in batches:
            loss = model(**batch).loss
            actions = {
                "zero": optimizer.zero_grad, "back": loss.backward, "step": optimizer.step,
                "schedule": schedule.step,
            }  # fmt: skip
            for action in order:
                actions[action]()
            found.append(float(model(**batch).loss if late else loss))
        return found

    return answer


training_loop.mistake(
    "The gradients of earlier batches are still there when the next ones are added: empty them at each step.",
    _loop("back", "step", "schedule"),
)
training_loop.mistake(
    "The weights never change. Is a step of the optimizer missing, or is there no gradient when it comes?",
    _loop("zero", "schedule"),
)
training_loop.mistake(
    "The learning rate stays as it is: the schedule has to take a step, too.", _loop("zero", "back", "step")
)
training_loop.mistake(
    "The schedule takes its step before the optimizer: then the first learning rate is skipped.",
    _loop("zero", "back", "schedule", "step"),
)
training_loop.mistake(
    "These are the losses after the steps; give the loss that each step started from.",
    _loop("zero", "back", "step", "schedule", late=True),
)
training_loop.mistake(
    "The optimizer takes its step before backward(), so with the gradients of the batch before.",
    _loop("step", "zero", "back", "schedule"),
)
