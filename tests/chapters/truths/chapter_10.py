"""Chapter 10: truths by torch's optimizer and clipping, by the schedules of `transformers`, and by hand."""

from fractions import Fraction

import torch
from torch import Tensor, nn
from transformers import BertForPreTraining, get_linear_schedule_with_warmup

from bertviz_lite.chapters.chapter_10.five_logs import LOGS
from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth


def rate_of_library(step: int, peak: float, warmup: int, steps: int) -> float:
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=peak)
    schedule = get_linear_schedule_with_warmup(optimizer, warmup, steps)
    for _ in range(step):
        optimizer.step()
        schedule.step()
    return float(schedule.get_last_lr()[0])


def step_of_torch(
    weight: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, step: int, rate: float, decay: float
) -> Tensor:
    parameter = nn.Parameter(weight.clone())
    optimizer = torch.optim.AdamW([parameter], lr=rate, betas=(0.9, 0.98), eps=1e-8, weight_decay=decay)
    parameter.grad = gradient.clone()
    before = torch.tensor(float(step - 1))
    optimizer.state[parameter] = {"step": before, "exp_avg": mean.clone(), "exp_avg_sq": square.clone()}
    optimizer.step()
    return parameter.detach()


def step_by_autograd(
    model: BertForPreTraining,
    batch: dict[str, Tensor],
    optimizer: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    most: float,
) -> float:
    """Put the gradients in their places by hand: from autograd.grad, times one factor."""
    weights = list(model.parameters())
    loss = model(**batch).loss
    gradients = torch.autograd.grad(loss, weights)
    length = torch.cat([gradient.flatten() for gradient in gradients]).norm()
    for weight, gradient in zip(weights, gradients, strict=True):
        weight.grad = gradient * min(1.0, most / float(length))
    optimizer.step()
    schedule.step()
    return float(loss.item())


def mean_of_all_tokens(means: list[float], counts: list[int]) -> float:
    """Write every token's loss down, as if it were its process' mean, and take the mean of all."""
    losses = [mean for mean, count in zip(means, counts, strict=True) for _ in range(count)]
    return sum(losses) / len(losses)


def gain_in_fractions(seeds: list[float], changed: float) -> float:
    exact = sorted(Fraction(str(score)) for score in seeds)
    mean = sum(exact, Fraction(0)) / len(exact)
    return float((Fraction(str(changed)) - mean) / (exact[-1] - exact[0]))


def fresh_steps() -> list[Case]:
    return [
        Case(normal(4), normal(4, seed=1), 0.3 * normal(4, seed=2), normal(4, seed=3) ** 2, step, 0.03, 0.2)
        for step in (1, 2, 40)
    ]


TRUTHS = {
    "learning_rate": Truth(
        "get_linear_schedule_with_warmup",
        rate_of_library,
        lambda: [Case(step, 0.01, 3, 12) for step in range(13)],
    ),
    "diagnosis": Truth(
        "the letters of the recorded logs, by their names",
        "".join(
            "ABCDE"[[*LOGS].index(name)]
            for name in (
                "as it should be",
                "rate too small",
                "one batch",
                "answers mixed up",
                "every token scored",
            )
        ),
    ),
    "adamw": Truth("torch.optim.AdamW", step_of_torch, fresh_steps),
    "training_step": Truth("autograd.grad", step_by_autograd, lambda: [Case(0.3, 0.5), Case(0.1, 1e-3)]),
    "days": Truth("by hand: 2.4 · 10⁶ seconds of 86,400 a day are 27.8 days", 27.777_777_8),
    "global_loss": Truth(
        "every token counted", mean_of_all_tokens, lambda: [Case([0.5, 9.0, 1.0], [1, 2, 7])]
    ),
    "score_gain": Truth(
        "exact fractions",
        gain_in_fractions,
        lambda: [Case([0.25, 0.5, 0.75], 1.0), Case([0.9, 0.8], 0.5), Case([0.1, 0.2], 0.15)],
    ),
}
