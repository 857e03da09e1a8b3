"""Exercises of chapter 09, pre-training: its schedule, its step, its cost, its processes, and a variant.

`rate_in_warmup`, `learning_rate`, `clipped`, `adamw`, `days`, `global_loss`, `score_gain`.
"""

import math
from collections.abc import Callable, Iterator
from statistics import stdev

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, question

# The schedule


@question(
    hints=(
        "In the warm-up the rate grows by the same amount in every step, from 0 at step 0.",
        "After 15 of 60 steps it is at 15/60 of its peak.",
    ),
    note="At step 0 it is 0: the first step of all changes nothing.",
)
def rate_in_warmup() -> float:
    """Give the learning rate at step 15 (steps count from 0), where 60 steps of warm-up lead to 0.004."""
    return 0.004 * 15 / 60


rate_in_warmup.mistake("That is the peak; at step 15 the warm-up is not over.", 0.004)
rate_in_warmup.mistake("Steps count from 0, and step 0 has the rate 0: no 1 is added.", 0.004 * 16 / 60)
rate_in_warmup.mistake("That is what is still missing to the peak.", 0.004 * 45 / 60)
rate_in_warmup.mistake("That is the share of the warm-up that is over; multiply it by the peak.", 0.25)
rate_in_warmup.mistake("That is the growth in one step; 15 steps have passed.", 0.004 / 60)
rate_in_warmup.mistake("The peak is divided by the step; it is multiplied by 15/60.", 0.004 / 15)


@exercise(
    cases=lambda: [
        Case(5, 0.004, 10, 110),
        Case(0, 0.004, 10, 110),
        Case(10, 0.004, 10, 110),
        Case(60, 0.004, 10, 110),
        Case(85, 0.004, 10, 110),
        Case(110, 0.004, 10, 110),
    ],
    hints=(
        "Two parts: for step < warmup a straight line, after it half a wave of the cosine.",
        "After the warm-up, progress runs from 0 to 1: (step - warmup) / (steps - warmup).",
        "cos(0) is 1 and cos(π) is -1, so (1 + cos(π · progress)) / 2 runs from 1 to 0.",
    ),
    note="The same numbers as get_cosine_schedule_with_warmup gives.",
)
def learning_rate(step: int, peak: float, warmup: int, steps: int) -> float:
    """Give the learning rate of a step, from 0: a line up to `peak` over `warmup` steps, then a cosine to 0.

    The cosine reaches 0 at `steps`.
    """
    if step < warmup:
        return peak * step / warmup
    progress = (step - warmup) / (steps - warmup)
    return peak * (1 + math.cos(math.pi * progress)) / 2


def _rate(after: Callable[[int, int, int], float], shift: int = 0) -> Callable[[int, float, int, int], float]:
    """Make an answer whose second part is `after(step, warmup, steps)`, times the peak."""

    def answer(step: int, peak: float, warmup: int, steps: int) -> float:
        return peak * (step + shift) / warmup if step < warmup else peak * after(step, warmup, steps)

    return answer


learning_rate.mistake(
    "The warm-up starts at 1/warmup; at step 0 the rate is 0.",
    _rate(lambda s, w, n: (1 + math.cos(math.pi * (s - w) / (n - w))) / 2, shift=1),
)
learning_rate.mistake(
    "After the warm-up the rate stays at its peak; it falls along a cosine.", _rate(lambda *_: 1.0)
)
learning_rate.mistake(
    "After the warm-up it falls along a straight line, as BERT's did in 2018; asked is a cosine.",
    _rate(lambda s, w, n: (n - s) / (n - w)),
)
learning_rate.mistake(
    "The cosine counts from step 0, so that it jumps where the warm-up ends: count from the warm-up's end.",
    _rate(lambda s, _, n: (1 + math.cos(math.pi * s / n)) / 2),
)
learning_rate.mistake(
    "After the warm-up it grows on along the line; from there it falls.",
    lambda step, peak, warmup, _: peak * step / warmup,
)
learning_rate.mistake(
    "That is the share of the peak: multiply it by the peak.",
    lambda step, _, warmup, steps: learning_rate.reference(step, 1.0, warmup, steps),
)
learning_rate.mistake(
    "The cosine alone falls to -1: add 1 and halve it.",
    _rate(lambda s, w, n: math.cos(math.pi * (s - w) / (n - w))),
)
learning_rate.mistake(
    "The cosine is not halved, so that it starts at twice the peak.",
    _rate(lambda s, w, n: 1 + math.cos(math.pi * (s - w) / (n - w))),
)
learning_rate.mistake(
    "That is the cosine without a warm-up: in the first steps the rate grows.",
    lambda step, peak, _, steps: peak * (1 + math.cos(math.pi * step / steps)) / 2,
)
learning_rate.mistake(
    "That is a quarter of a wave: it must run to cos(π), not to cos(π/2).",
    _rate(lambda s, w, n: math.cos(math.pi / 2 * (s - w) / (n - w))),
)


# The step


def _random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _clip_cases() -> Iterator[Case]:
    yield Case([torch.tensor([3.0, 0.0], dtype=torch.float64), torch.tensor([[4.0]]).double()], 1.0)
    yield Case([torch.tensor([0.3, 0.0], dtype=torch.float64), torch.tensor([[0.4]]).double()], 1.0)
    yield Case([_random(3, seed=1), 5 * _random(2, 2, seed=2), _random(4, seed=3)], 2.0)


@exercise(
    cases=_clip_cases,
    hints=(
        "The norm is that of all numbers of all gradients together: the root of the sum of all squares.",
        "Where it is above `most`, every gradient is multiplied by the same factor, most / norm.",
        "Where it is not, nothing changes: the factor is min(1, most / norm).",
    ),
    note="All gradients keep their direction; torch adds 1e-6 to the norm, which nobody notices.",
    call=lambda answer, gradients, most: _flat(answer(gradients, most)),
)
def clipped(gradients: list[Tensor], most: float) -> list[Tensor]:
    """Shorten gradients, all by one factor, so that their norm, taken of all together, is at most `most`."""
    norm = math.sqrt(sum(float((one**2).sum()) for one in gradients))
    factor = min(1.0, most / norm)
    return [factor * one for one in gradients]


def _flat(answer: object) -> object:
    """Join the gradients of an answer to one row, so that they can be compared."""
    if isinstance(answer, list | tuple) and answer and all(isinstance(one, Tensor) for one in answer):
        return torch.cat([one.flatten() for one in answer])
    return answer


def _norm(gradients: list[Tensor]) -> float:
    return math.sqrt(sum(float((one**2).sum()) for one in gradients))


clipped.mistake(
    "Each gradient is clipped by its own norm; the norm is taken of all together.",
    lambda gradients, most: [one * min(1.0, most / float(one.norm())) for one in gradients],
)
clipped.mistake(
    "Each number is clipped by itself, which changes the direction; all are multiplied by one factor.",
    lambda gradients, most: [one.clamp(-most, most) for one in gradients],
)
clipped.mistake(
    "Short gradients are made longer; only what is above `most` changes.",
    lambda gradients, most: [one * most / _norm(gradients) for one in gradients],
)
clipped.mistake(
    "The root is missing: that is divided by the sum of squares.",
    lambda gradients, most: [one * min(1.0, most / _norm(gradients) ** 2) for one in gradients],
)
clipped.mistake(
    "The norms of the gradients are added up; it is the root of the sum of all squares.",
    lambda gradients, most: [
        one * min(1.0, most / sum(float(each.norm()) for each in gradients)) for one in gradients
    ],
)
clipped.mistake("Nothing is clipped.", lambda gradients, _most: gradients)
clipped.mistake(
    "They are divided by the norm, whatever `most` is.",
    lambda gradients, _most: [one / max(1.0, _norm(gradients)) for one in gradients],
)


def _adamw_cases() -> Iterator[Case]:
    zero = torch.zeros(2, dtype=torch.float64)
    yield Case(torch.tensor([1.0, -2.0]).double(), torch.tensor([0.5, 4.0]).double(), zero, zero, 1, 0.1, 0.0)
    yield Case(torch.tensor([1.0, -2.0]).double(), zero, zero, zero, 1, 0.1, 0.1)
    tiny = torch.tensor([1e-6, -2e-7]).double()  # as small as these, eps and its place are seen
    yield Case(torch.tensor([1.0, -2.0]).double(), tiny, zero, zero, 1, 0.1, 0.0)
    first, second = 0.1 * _random(3, seed=4), 0.01 * _random(3, seed=5) ** 2
    yield Case(
        _random(3, seed=6), _random(3, seed=7), first, second, 5, 0.01, 0.1, label="step 5 of three weights"
    )


_FIRST, _SECOND, _EPS = 0.9, 0.98, 1e-8


@exercise(
    cases=_adamw_cases,
    hints=(
        "mean = 0.9 · mean + 0.1 · gradient; square = 0.98 · square + 0.02 · gradient².",
        "Both start at 0, so early they are too small: divide by 1 - 0.9**step and by 1 - 0.98**step.",
        "The weight first loses rate · decay of itself, then rate · mean / (√square + 1e-8).",
    ),
    note="The weight decay never passes through the division by √square: that is the W in AdamW.",
)
def adamw(
    weight: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, step: int, rate: float, decay: float
) -> Tensor:
    """Give the weights after step `step` (from 1) of AdamW with betas 0.9 and 0.98 and eps 1e-8.

    `mean` and `square` are the running means of the gradient and of its square, as they were before.
    """
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return weight - rate * decay * weight - rate * mean_hat / (square_hat.sqrt() + 1e-8)


def _adam(
    *,
    correct: bool = True,
    late: int = 0,
    root: bool = True,
    inside: float = 0.0,
    sign: int = 1,
    decayed: str = "weight",
    times: str = "rate",
    betas: tuple[float, float] = (_FIRST, _SECOND),
) -> Callable[..., Tensor]:
    """Make AdamW, or a version of it with a mistake."""
    first, second = betas

    def answer(w: Tensor, g: Tensor, m: Tensor, s: Tensor, step: int, rate: float, decay: float) -> Tensor:
        if decayed == "gradient":
            g = g + decay * w
        m, s = first * m + (1 - first) * g, second * s + (1 - second) * g**2
        if correct:
            m, s = m / (1 - _FIRST ** (step + late)), s / (1 - _SECOND ** (step + late))
        change = sign * rate * m / (((s + inside).sqrt() if root else s) + (0.0 if inside else _EPS))
        shrink = {"rate": rate * decay, "none": decay}[times] if decayed == "weight" else 0.0
        return w - shrink * w - change

    return answer


adamw.mistake(
    "The weight decay went into the gradient, and so through the division: that is Adam with an L2 term.",
    _adam(decayed="gradient"),
)
adamw.mistake("The weight decay is missing.", _adam(decayed="nothing"))
adamw.mistake("The weight decay is not multiplied by the learning rate.", _adam(times="none"))
adamw.mistake(
    "The two means are not corrected for their start at 0: divide by 1 - 0.9**step, 1 - 0.98**step.",
    _adam(correct=False),
)
adamw.mistake("`step` counts from 1 already: divide by 1 - 0.9**step and 1 - 0.98**step.", _adam(late=1))
adamw.mistake(
    "The shares are swapped: 0.9 and 0.98 are what stays of the old means.",
    _adam(betas=(1 - _FIRST, 1 - _SECOND)),
)
adamw.mistake("The root of the mean square is missing.", _adam(root=False))
adamw.mistake("eps is added under the root; add it to the root.", _adam(inside=_EPS))
adamw.mistake("The sign is wrong: a step goes down, against the gradient.", _adam(sign=-1))
adamw.mistake(
    "That is plain gradient descent with decay: the two running means are not used.",
    lambda w, g, _m, _s, _step, rate, decay: w - rate * decay * w - rate * g,
)
adamw.mistake(
    "That is the change of the weights; asked are the weights after it.",
    lambda w, *rest: _adam()(w, *rest) - w,
)


# Its cost


@question(
    hints=(
        "Operations divided by operations per second are seconds.",
        "A day has 86,400 seconds: 1e20 / 5e10 / 86,400.",
    ),
    note="More than sixty years. All of BERT-Base was about a quarter of that.",
    rtol=0.02,
)
def days() -> float:
    """Say how many days 10²⁰ operations take on a machine that makes 50 billion of them in a second."""
    return 1e20 / 50e9 / 86_400


days.mistake("These are seconds.", 1e20 / 50e9)
days.mistake("These are hours.", 1e20 / 50e9 / 3_600)
days.mistake("These are minutes.", 1e20 / 50e9 / 60)
days.mistake("These are years.", 1e20 / 50e9 / 86_400 / 365)
days.mistake("50 billion are 50 · 10⁹, not 50 · 10⁶.", 1e20 / 50e6 / 86_400)
days.mistake("50 billion are 50 · 10⁹, not 50 · 10¹².", 1e20 / 50e12 / 86_400)


# Several processes


@exercise(
    cases=lambda: [
        Case([2.0, 4.0], [10, 30]),
        Case([1.0, 1.0, 7.0], [5, 5, 2]),
        Case([3.0, 5.0], [8, 8]),
        Case([2.5], [4]),
    ],
    hints=(
        "A mean times its count is a sum.",
        "Add up the sums, and divide by all masked tokens together.",
    ),
    note="The mean of the means is the same only where all processes have equally many.",
)
def global_loss(means: list[float], counts: list[int]) -> float:
    """Give the mean loss over all masked tokens of a step, from each process' mean and its count of them."""
    return sum(mean * count for mean, count in zip(means, counts, strict=True)) / sum(counts)


global_loss.mistake(
    "That is the mean of the means: a process with few masked tokens counts as much as one with many.",
    lambda means, _: sum(means) / len(means),
)
global_loss.mistake("The means are added up.", lambda means, _: sum(means))
global_loss.mistake(
    "That is the sum over all masked tokens; divide it by their number.",
    lambda means, counts: sum(mean * count for mean, count in zip(means, counts, strict=True)),
)
global_loss.mistake(
    "The sum is divided by the number of processes; divide it by that of all masked tokens.",
    lambda means, counts: sum(mean * count for mean, count in zip(means, counts, strict=True)) / len(counts),
)
global_loss.mistake(
    "The means are added up and divided by the number of tokens: multiply each by its own count first.",
    lambda means, counts: sum(means) / sum(counts),
)
global_loss.mistake(
    "The weights are the wrong way round: many tokens must count more.",
    lambda means, counts: (
        sum(mean / count for mean, count in zip(means, counts, strict=True))
        / sum(1 / count for count in counts)
    ),
)


# The variant


def _gain_cases() -> Iterator[Case]:
    yield Case([0.70, 0.75], 0.80)
    yield Case([0.70, 0.75], 0.74)
    yield Case([0.648, 0.667], 0.60)
    yield Case([0.46, 0.5, 0.4], 0.52)


@exercise(
    cases=_gain_cases,
    hints=(
        "What lies between runs that differ in the seed alone is luck: the largest minus the smallest.",
        "The gain is counted from the mean of these runs.",
        "gain / luck; the sign is the gain's.",
    ),
    note="With two seeds this is a rough guide: a ratio of 1 or 2 says little. More seeds say more.",
)
def score_gain(seeds: list[float], changed: float) -> float:
    """Build the variant: say how many times as large as luck the gain of a changed recipe is.

    `seeds` are the scores of the old recipe with several seeds, `changed` that of the new one. Luck is the
    largest of `seeds` minus the smallest; the gain is counted from their mean, and is negative for a loss.
    """
    return (changed - sum(seeds) / len(seeds)) / (max(seeds) - min(seeds))


score_gain.mistake(
    "The sign is lost: a change for the worse is a negative gain.",
    lambda seeds, changed: abs(changed - sum(seeds) / len(seeds)) / (max(seeds) - min(seeds)),
)
score_gain.mistake(
    "The sign is wrong: a higher score is a gain.",
    lambda seeds, changed: (sum(seeds) / len(seeds) - changed) / (max(seeds) - min(seeds)),
)
score_gain.mistake(
    "That is the gain; divide it by what lies between the seeds.",
    lambda seeds, changed: changed - sum(seeds) / len(seeds),
)
score_gain.mistake(
    "The gain is counted from the best seed; count it from the mean.",
    lambda seeds, changed: (changed - max(seeds)) / (max(seeds) - min(seeds)),
)
score_gain.mistake(
    "Luck is not the difference of the first two seeds, but the largest minus the smallest of all.",
    lambda seeds, changed: (changed - sum(seeds) / len(seeds)) / abs(seeds[0] - seeds[1]),
)
score_gain.mistake(
    "That is divided by the standard deviation; luck is the largest minus the smallest.",
    lambda seeds, changed: (changed - sum(seeds) / len(seeds)) / stdev(seeds),
)
score_gain.mistake(
    "The gain is counted from the first seed; count it from the mean.",
    lambda seeds, changed: (changed - seeds[0]) / (max(seeds) - min(seeds)),
)
score_gain.mistake(
    "That is a gain in per cent of the old score; it is to be compared with what lies between the seeds.",
    lambda seeds, changed: (changed - sum(seeds) / len(seeds)) / (sum(seeds) / len(seeds)),
)
