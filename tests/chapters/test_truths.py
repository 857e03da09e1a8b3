"""Each exercise's solution agrees with a truth from outside, and the truth would notice a wrong solution."""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import pytest
import torch
from torch import Tensor
from transformers import BertForPreTraining

from bertviz_lite.exercises import Exercise, course_model
from tests.helpers.exercises import CHAPTERS, exercises_of
from tests.helpers.tiny_models import make, save
from tests.helpers.truths import Truth, agrees, cases_of, disturbed, results, wrong_places


def truths_of(chapter: str) -> dict[str, Truth]:
    return importlib.import_module(f"tests.chapters.truths.{chapter}").TRUTHS


PAIRS = [
    pytest.param(exercises_of(chapter)[name], truth, id=f"{chapter}-{name}")
    for chapter in CHAPTERS
    for name, truth in truths_of(chapter).items()
]


@pytest.fixture(scope="module", autouse=True)
def _small_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = save(tmp_path_factory.mktemp("model") / "tiny", make(BertForPreTraining))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERTVIZ_LITE_MODEL", str(folder))
        yield
    course_model.load_once.cache_clear()


def test_every_chapter_has_a_table_of_truths() -> None:
    tables = {path.stem for path in (Path(__file__).parent / "truths").glob("chapter_*.py")}
    assert tables == set(CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_exercise_has_a_truth(chapter: str) -> None:
    assert set(truths_of(chapter)) == set(exercises_of(chapter))


@pytest.mark.parametrize(("exercise", "truth"), PAIRS)
def test_the_solution_agrees_with_a_truth_from_outside(exercise: Exercise, truth: Truth) -> None:
    assert wrong_places(exercise, truth, exercise.reference) == []
    assert exercise.cases is None or list(truth.fresh())


@pytest.mark.parametrize(("exercise", "truth"), PAIRS)
def test_a_truth_notices_a_result_that_is_a_little_wrong(exercise: Exercise, truth: Truth) -> None:
    for result in results(exercise, exercise.reference, cases_of(exercise, truth)):
        wrong = list(disturbed(result))
        assert wrong
        assert not any(agrees(other, result) for other in wrong)


@pytest.mark.thorough
@pytest.mark.parametrize(("exercise", "truth"), PAIRS)
def test_a_truth_notices_every_typical_mistake(exercise: Exercise, truth: Truth) -> None:
    for mistake in exercise.mistakes:
        assert wrong_places(exercise, truth, mistake.wrong), mistake.feedback


# Wrong solutions that the checks of an exercise by itself have let pass


def median_loss(logits: Tensor, labels: Tensor) -> float:
    rows = zip(logits.flatten(0, 1).log_softmax(-1), labels.flatten().tolist(), strict=True)
    return median(-float(row[label]) for row, label in rows if label != -100)


def four_back(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    scores = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
    seen = torch.ones(scores.shape[-2:]).tril() - torch.ones(scores.shape[-2:]).tril(-5)
    return scores.masked_fill(seen == 0, -1e30).softmax(-1) @ value


WRONG: dict[tuple[int, str], Callable[[Callable[..., object]], object]] = {
    (3, "weight_at_distance"): lambda right: lambda maps, distance: right(maps, -distance),
    (3, "softmax_row"): lambda right: lambda scores: right(scores) + 0.01,
    (3, "causal_head"): lambda _: four_back,
    (4, "one_but_not_both"): lambda right: lambda: (*right()[:2], right()[2] * 1.01),
    (6, "masked_loss"): lambda _: median_loss,
    (6, "capped_choice"): lambda right: lambda draws, *rest: right(1 - draws, *rest),
    (7, "through_tanh"): lambda _: lambda gradient, pooled: gradient * (1 - pooled.abs()),
    (9, "pair_cost"): lambda right: right() - 2,  # that of the other label
    (10, "learning_rate"): lambda right: lambda step, *rest: right(step + 1, *rest),
}


@pytest.mark.parametrize(("chapter", "name"), WRONG)
def test_a_wrong_solution_is_noticed(chapter: int, name: str) -> None:
    exercise = exercises_of(f"chapter_{chapter:02}")[name]
    truth = truths_of(f"chapter_{chapter:02}")[name]
    assert wrong_places(exercise, truth, WRONG[chapter, name](exercise.reference))
