"""Chapter 10 in a reader's words: the solutions are the library's, and usual slips get a sentence."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import BertForPreTraining, get_linear_schedule_with_warmup

from bertviz_lite.chapters.chapter_10 import exercises as chapter_10, five_logs, five_tests
from bertviz_lite.chapters.chapter_10.live import ten_seeds
from bertviz_lite.chapters.chapter_10.live.tiny_stories import small_tokenizer, tiny_stories
from bertviz_lite.chapters.chapter_10.live.training import LIVE
from bertviz_lite.exercises import Exercise


def test_the_paper_s_schedule_equals_that_of_transformers() -> None:
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.004)
    schedule = get_linear_schedule_with_warmup(optimizer, 10, 110)
    for step in range(111):
        made = chapter_10.learning_rate.reference(step, 0.004, 10, 110)
        assert made == pytest.approx(0.004 * schedule.lr_lambdas[0](step), abs=1e-15)


def test_the_step_equals_that_of_torch() -> None:
    weight = nn.Parameter(torch.tensor([0.5, -1.5, 2.0], dtype=torch.float64))
    optimizer = torch.optim.AdamW([weight], lr=0.01, betas=(0.9, 0.98), weight_decay=0.1)
    mean, square = torch.zeros(3).double(), torch.zeros(3).double()
    for step in range(1, 5):
        gradient = torch.tensor([0.1 * step, -2.0, 1e-3], dtype=torch.float64)
        before = weight.detach().clone()
        weight.grad = gradient
        optimizer.step()
        made: Any = chapter_10.adamw.reference(before, gradient, mean, square, step, 0.01, 0.1)
        assert torch.allclose(made, weight.detach(), atol=1e-14)
        mean, square = 0.9 * mean + 0.1 * gradient, 0.98 * square + 0.02 * gradient**2


def test_other_right_ways_pass() -> None:
    def by_stack(means: list[float], counts: list[int]) -> Tensor:
        weights = torch.tensor(counts, dtype=torch.float64)
        return (torch.tensor(means, dtype=torch.float64) * weights).sum() / weights.sum()

    assert chapter_10.global_loss.check(by_stack)
    assert chapter_10.days.check(28)


def test_a_loop_s_losses_may_be_tensors() -> None:
    def mine(
        model: BertForPreTraining,
        batches: list[dict[str, Tensor]],
        optimizer: torch.optim.Optimizer,
        schedule: torch.optim.lr_scheduler.LRScheduler,
    ) -> list[Tensor]:
        losses = []
        for batch in batches:
            loss = model(**batch).loss
            model.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss)
        return losses

    assert chapter_10.training_loop.check(mine)


def test_the_library_s_default_beta_is_named() -> None:
    def by_default(
        weight: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, step: int, rate: float, decay: float
    ) -> Tensor:
        parameter = nn.Parameter(weight.clone())
        parameter.grad = gradient
        optimizer = torch.optim.AdamW([parameter], lr=rate, weight_decay=decay)
        optimizer.state[parameter] = {
            "step": torch.tensor(step - 1.0), "exp_avg": mean.clone(), "exp_avg_sq": square.clone()
        }  # fmt: skip
        optimizer.step()
        return parameter.detach()

    verdict = chapter_10.adamw.check(by_default)
    assert verdict.passed is False
    assert "β₂ is 0.999, the library's default" in verdict.text


@pytest.mark.parametrize("nonsense", [10**400, -(10**400), float("nan"), 1j, "x", [10**400], object(), {}])
def test_nonsense_gets_one_clear_line(nonsense: object) -> None:
    verdict = chapter_10.days.check(nonsense)
    assert verdict.passed is False
    assert "\n" not in verdict.text
    assert len(verdict.text) < 100


def _steps_in_place(
    weight: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, step: int, rate: float, decay: float
) -> Tensor:
    mean += 0.1 * (gradient - mean)
    square += 0.02 * (gradient**2 - square)
    weight -= rate * decay * weight
    weight -= rate * mean / (1 - 0.9**step) / ((square / (1 - 0.98**step)).sqrt() + 1e-8)
    return weight


def test_a_result_in_place_is_reported_as_a_change_of_the_input() -> None:
    verdict = chapter_10.adamw.check(_steps_in_place)
    assert verdict.passed is False
    assert "The result is right, but weight itself was changed" in verdict.text


def test_a_step_in_place_that_is_wrong_is_not_accepted() -> None:
    assert not chapter_10.adamw.check(lambda weight, *_: weight.mul_(0.1))


def _forgets_to_return(means: list[float], counts: list[int]) -> None:
    max(zip(means, counts, strict=True))


@pytest.mark.parametrize(
    ("exercise", "answer", "message"),
    [
        (chapter_10.global_loss, _forgets_to_return, "is a `return` missing"),
        (chapter_10.diagnosis, "DECAB", "D isn't the good one"),
        (chapter_10.which_rule, "ABCDE", "a dictionary with the keys 'A', 'B', 'C', 'D', 'E'"),
        (chapter_10.which_rule, dict.fromkeys("ABCDE", "subject"), "Entry 'A': 'subject' is not it"),
        (chapter_10.which_rule, dict.fromkeys("ABC", "nearest"), "a dictionary with the keys"),
        (chapter_10.adamw, lambda w, _g, m, s, *_: (w, m, s), "The shape is"),
        (chapter_10.adamw, lambda w, *_: w[0], "The shape is"),
        (chapter_10.learning_rate, lambda _step, peak, *_: [peak], "The shape is (1,)"),
        (chapter_10.learning_rate, lambda step, peak, warmup, _: peak * step / warmup, "yours: "),
        (chapter_10.global_loss, lambda means, _: means, "The shape is (2,)"),
        (chapter_10.global_loss, lambda means, counts: means * counts, "raised TypeError"),
        (chapter_10.clear, lambda _, changed: max(changed) > 0.7, "yours: "),
        (chapter_10.gradients, lambda *_: 0.5, "The shape is"),
        (chapter_10.training_loop, lambda model, batches, *_: model(**batches[0]).loss.item(), "shape"),
        (chapter_10.training_loop, lambda model, batches, *_: [model(**b).loss for b in batches], "never"),
    ],
)
def test_usual_slips_get_a_sentence(exercise: Exercise, answer: object, message: str) -> None:
    verdict = exercise.check(answer)
    assert verdict.passed is False
    assert message in verdict.text
    assert "Traceback" not in verdict.text


@pytest.mark.parametrize("name", five_logs.LOGS)
def test_a_recorded_log_is_that_of_its_training(name: str) -> None:
    training = five_logs.training(name)
    training.run(2 * five_logs.EVERY, curve=False)
    words = torch.tensor(training.losses)[:, 0].reshape(2, -1).mean(dim=1)
    assert words.tolist() == pytest.approx(five_logs.LOGS[name][:2], abs=0.006)


def test_the_logs_end_as_the_exercise_says() -> None:
    ends = {name: log[-1] for name, log in five_logs.LOGS.items()}
    assert all(len(log) == five_logs.RECIPE.steps // five_logs.EVERY for log in five_logs.LOGS.values())
    assert ends["one batch"] < 0.01 < ends["every token scored"] < 0.5 < 1 < ends["as it should be"] < 2
    stories = " ".join(map(str, tiny_stories(LIVE.seed, LIVE.stories)))
    counts = torch.tensor(small_tokenizer()(stories, add_special_tokens=False)["input_ids"]).bincount()
    shares = counts[counts > 0].double() / counts.sum()
    assert -(shares * shares.log()).sum() == pytest.approx(3.83, abs=0.005)  # the note of the exercise
    assert ends["answers mixed up"] == pytest.approx(3.83, abs=0.05)
    assert ends["rate too small"] > 4
    ax = five_logs.draw(title="Five")
    assert [line.get_ydata()[-1] for line in ax.get_lines()] == [log[-1] for log in five_logs.LOGS.values()]


def test_the_five_tests_are_recorded_ones_and_three_have_the_same_score() -> None:
    counts = five_tests.counts()
    assert counts["A"] == ten_seeds.record()["right"][5][1]
    assert [sum(right) for right in counts.values()] == [100, 140, 100, 128, 101]
    header, _, first, *rest = five_tests.table().splitlines()
    assert header.startswith("right, of 50")
    assert first.split() == ["A", *map(str, counts["A"]), "100"]
    assert [line[0] for line in rest[:4]] == ["B", "C", "D", "E"]
    answers = chapter_10.which_rule.reference()
    assert isinstance(answers, dict)
    assert sorted(answers.values()) == sorted(five_tests.RULES)  # one each
    assert all(f'"{rule}"' in rest[6 + k] for k, rule in enumerate(five_tests.RULES))


def test_an_exchange_of_two_models_gets_a_sentence_about_the_two() -> None:
    right = chapter_10.which_rule.reference()
    assert isinstance(right, dict)
    said = chapter_10.which_rule.check(right | {"B": "always plural", "E": "any plural"}).text
    assert "B and E have the same answers across. Look at *direct*" in said
    assert "B and E" not in chapter_10.which_rule.check(right | {"B": "nearest"}).text
