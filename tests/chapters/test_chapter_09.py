"""Chapter 09 in a reader's words: the references are the library's, and usual slips get a sentence."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import get_cosine_schedule_with_warmup

from bertviz_lite.chapters.chapter_09 import exercises as chapter_09
from bertviz_lite.exercises import Exercise


def test_the_schedule_is_the_library_s() -> None:
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.004)
    schedule = get_cosine_schedule_with_warmup(optimizer, 10, 110)
    for step in range(111):
        made = chapter_09.learning_rate.reference(step, 0.004, 10, 110)
        assert made == pytest.approx(0.004 * schedule.lr_lambdas[0](step), abs=1e-15)


def test_the_step_is_torch_s() -> None:
    weight = nn.Parameter(torch.tensor([0.5, -1.5, 2.0], dtype=torch.float64))
    optimizer = torch.optim.AdamW([weight], lr=0.01, betas=(0.9, 0.98), weight_decay=0.1)
    mean, square = torch.zeros(3).double(), torch.zeros(3).double()
    for step in range(1, 5):
        gradient = torch.tensor([0.1 * step, -2.0, 1e-3], dtype=torch.float64)
        before = weight.detach().clone()
        weight.grad = gradient
        optimizer.step()
        made: Any = chapter_09.adamw.reference(before, gradient, mean, square, step, 0.01, 0.1)
        assert torch.allclose(made, weight.detach(), atol=1e-14)
        mean, square = 0.9 * mean + 0.1 * gradient, 0.98 * square + 0.02 * gradient**2


def test_clipping_is_torch_s() -> None:
    gradients = [torch.tensor([3.0, 4.0]).double(), torch.tensor([[12.0]]).double()]
    weights = [nn.Parameter(torch.zeros_like(one)) for one in gradients]
    for weight, gradient in zip(weights, gradients, strict=True):
        weight.grad = gradient.clone()
    nn.utils.clip_grad_norm_(weights, 1.0)
    made: Any = chapter_09.clipped.reference(gradients, 1.0)
    for weight, one in zip(weights, made, strict=True):
        assert weight.grad is not None
        assert torch.allclose(one, weight.grad, rtol=1e-6)


def test_other_right_ways() -> None:
    def by_stack(means: list[float], counts: list[int]) -> Tensor:
        weights = torch.tensor(counts, dtype=torch.float64)
        return (torch.tensor(means, dtype=torch.float64) * weights).sum() / weights.sum()

    def by_cat(gradients: list[Tensor], most: float) -> tuple[Tensor, ...]:
        norm = torch.cat([one.flatten() for one in gradients]).norm()
        return tuple(one * (most / norm).clamp(max=1.0) for one in gradients)

    assert chapter_09.global_loss.check(by_stack)
    assert chapter_09.clipped.check(by_cat)
    assert chapter_09.days.check(23_148)


def _clips_in_place(gradients: list[Tensor], most: float) -> list[Tensor]:
    norm = torch.cat([one.flatten() for one in gradients]).norm()
    return [one.mul_((most / norm).clamp(max=1.0)) for one in gradients]


def _steps_in_place(
    weight: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, step: int, rate: float, decay: float
) -> Tensor:
    mean += 0.1 * (gradient - mean)
    square += 0.02 * (gradient**2 - square)
    weight -= rate * decay * weight
    weight -= rate * mean / (1 - 0.9**step) / ((square / (1 - 0.98**step)).sqrt() + 1e-8)
    return weight


@pytest.mark.parametrize(
    ("exercise", "answer", "changed"),
    [(chapter_09.clipped, _clips_in_place, "gradients"), (chapter_09.adamw, _steps_in_place, "weight")],
)
def test_a_step_in_place_is_said_to_be_one(
    exercise: Exercise, answer: Callable[..., object], changed: str
) -> None:
    verdict = exercise.check(answer)
    assert verdict.passed is False
    assert f"The result is right, but {changed} itself was changed" in verdict.text


def test_gradients_of_which_each_is_a_tenth_are_not_taken_for_clipped() -> None:
    assert not chapter_09.clipped.check(lambda gradients, _: [one.mul_(0.1) for one in gradients])


def _forgets_to_return(gradients: list[Tensor], most: float) -> None:
    [one / most for one in gradients]


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        (chapter_09.clipped, lambda gradients, _: gradients[0], "The shape is"),
        (chapter_09.clipped, _forgets_to_return, "is a `return` missing"),
        (chapter_09.adamw, lambda w, _g, m, s, *_: (w, m, s), "The shape is"),
        (chapter_09.adamw, lambda w, *_: w[0], "The shape is"),
        (chapter_09.learning_rate, lambda _step, peak, *_: [peak], "The shape is (1,)"),
        (chapter_09.learning_rate, lambda step, peak, warmup, _: peak * step / warmup, "yours: "),
        (chapter_09.global_loss, lambda means, _: means, "The shape is (2,)"),
        (chapter_09.global_loss, lambda means, counts: means * counts, "raised TypeError"),
        (chapter_09.score_gain, lambda _, changed: changed, "yours: "),
    ],
)
def test_usual_slips_get_a_sentence(exercise: Exercise, answer: Callable[..., object], said: str) -> None:
    verdict = exercise.check(answer)
    assert verdict.passed is False
    assert said in verdict.text
    assert "Traceback" not in verdict.text
