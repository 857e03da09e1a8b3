"""Chapter 10: truths by torch's optimizer and clipping, by the schedules of `transformers`, and by hand."""

import math
from collections.abc import Callable
from fractions import Fraction

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler
from transformers import BertForPreTraining, get_linear_schedule_with_warmup

from bertviz_lite.chapters.chapter_10 import five_tests
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


def gradients_by_autograd(x: float, w1: float, b: float, w2: float) -> list[float]:
    knobs = [torch.tensor(knob, dtype=torch.float64, requires_grad=True) for knob in (w1, b, w2)]
    logit = knobs[2] * torch.tanh(knobs[0] * x + knobs[1])
    with torch.enable_grad():
        found = torch.autograd.grad(nn.functional.softplus(logit), knobs)  # -ln(1 - σ(z)) = ln(1 + e^z)
    return [float(gradient) for gradient in found]


def loop_by_hand(
    model: BertForPreTraining, batches: list[dict[str, Tensor]], optimizer: Optimizer, schedule: LRScheduler
) -> list[float]:
    """Use neither of the two: gradients by autograd, AdamW written out, the rate as a fraction left to go."""
    del schedule
    group, losses = optimizer.param_groups[0], []
    weights = list(model.parameters())
    means = [torch.zeros_like(weight) for weight in weights]
    squares = [torch.zeros_like(weight) for weight in weights]
    for step, batch in enumerate(batches, start=1):
        loss = model(**batch).loss
        losses.append(loss.item())
        rate = group["initial_lr"] * (1 - (step - 1) / (len(batches) + 1))
        gradients = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            for weight, gradient, mean, square in zip(weights, gradients, means, squares, strict=True):
                mean.mul_(0.9).add_(0.1 * gradient)
                square.mul_(0.999).add_(0.001 * gradient**2)
                usual = (square / (1 - 0.999**step)).sqrt() + 1e-8
                weight.mul_(1 - 0.01 * rate).sub_(rate * mean / (1 - 0.9**step) / usual)
    return losses


def mean_of_all_tokens(means: list[float], counts: list[int]) -> float:
    """Write every token's loss down, as if it were its process' mean, and take the mean of all."""
    losses = [mean for mean, count in zip(means, counts, strict=True) for _ in range(count)]
    return sum(losses) / len(losses)


def clear_in_fractions(before: list[float], changed: list[float]) -> bool:
    """Count signs, and compare without dividing: the sum of the gains with so many spreads."""
    old, new = ([Fraction(str(score)) for score in scores] for scores in (before, changed))
    signs = {(b > a) - (b < a) for a, b in zip(old, new, strict=True)}
    far = abs(sum(new) - sum(old)) > len(old) * (max(old) - min(old))
    return len(signs) == 1 and 0 not in signs and far


def rules_by_their_answers() -> dict[str, str]:
    """Let each rule answer a question of each kind, and give each model the rule that is nearest to it."""
    rules: dict[str, Callable[[list[bool]], bool]] = {  # which nouns are plural → whether to say plural
        "nearest": lambda plural: plural[-1],
        "any plural": any,
        "any singular": all,
        "always plural": lambda _: True,
        "always singular": lambda _: False,
    }
    questions = [
        [noun.endswith("s") for noun in nouns.split()] for nouns in ("tops", "top", "tops kite", "top kites")
    ]
    ideal = {name: [50 * (rule(nouns) == nouns[0]) for nouns in questions] for name, rule in rules.items()}
    return {
        letter: min(ideal, key=lambda name: math.dist(ideal[name], right))
        for letter, right in five_tests.counts().items()
    }


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
    "which_rule": Truth("rules that answer in words, the nearest for each model", rules_by_their_answers()),
    "training_loop": Truth(
        "AdamW written out, gradients by autograd.grad", loop_by_hand, lambda: [Case(5, 3), Case(6, 2)]
    ),
    "adamw": Truth("torch.optim.AdamW", step_of_torch, fresh_steps),
    "gradients": Truth("autograd.grad", gradients_by_autograd, lambda: [Case(0.3, -2.0, 0.5, 1.5)]),
    "days": Truth("by hand: 2.4 · 10⁶ seconds of 86,400 a day are 27.8 days", 27.777_777_8),
    "global_loss": Truth(
        "every token counted", mean_of_all_tokens, lambda: [Case([0.5, 9.0, 1.0], [1, 2, 7])]
    ),
    "clear": Truth(
        "exact fractions",
        clear_in_fractions,
        lambda: [
            Case([0.25, 0.5], [1.0, 1.0]),
            Case([0.9, 0.8], [0.5, 0.85]),
            Case([0.1, 0.2], [0.15, 0.25]),
        ],
    ),
}
