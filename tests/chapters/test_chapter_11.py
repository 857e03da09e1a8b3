"""Chapter 11 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import BertForSequenceClassification

from bertviz_lite.chapters.chapter_11 import exercises as chapter_11
from bertviz_lite.exercises import Exercise
from tests.helpers.tiny_models import make


def test_names_are_exchanged_as_the_chapter_does_it() -> None:
    nina = "Nina was at the harbour. Anna won the race. Nina's cloak fell into the river."
    exchanged = chapter_11.names_exchanged.reference(nina, "Nina", "Anna")
    assert exchanged == "Anna was at the harbour. Nina won the race. Anna's cloak fell into the river."


def test_answers_from_a_table_of_sums_pass() -> None:
    def by_table(starts: Tensor, ends: Tensor, longest: int) -> tuple[int, ...]:
        scores = starts[:, None] + ends[None]
        allowed = torch.ones_like(scores).triu() - torch.ones_like(scores).triu(longest)
        allowed[0] = 0
        allowed[0, 0] = 1
        best = scores.masked_fill(allowed == 0, -torch.inf).argmax().item()
        return tuple(divmod(int(best), len(starts)))

    assert chapter_11.best_answer.check(by_table)


def test_places_may_be_a_tensor() -> None:
    assert chapter_11.best_answer.check(lambda *given: torch.tensor(chapter_11.best_answer.reference(*given)))


def test_a_lopsided_square_has_a_high_accuracy_and_a_low_macro_f1() -> None:
    always_thanks = torch.tensor([[90.0, 0.0], [10.0, 0.0]])
    accuracy, macro_f1 = chapter_11.accuracy_and_macro_f1.reference(always_thanks)  # type: ignore[misc]
    assert float(accuracy) == pytest.approx(0.9)
    assert float(macro_f1) == pytest.approx((180 / 190 + 0) / 2)


def test_gradients_of_the_chapters_first_head() -> None:
    h = torch.tensor([1.0, 2.0], dtype=torch.float64)
    both, labels = torch.stack([h, 9 * h]), torch.tensor([0, -100])  # the second is left out
    to_weight, to_bias = chapter_11.head_gradients.reference(both, torch.zeros(2, 2).double(), 0 * h, labels)  # type: ignore[misc]
    assert to_bias.tolist() == [-0.5, 0.5]
    assert to_weight.tolist() == [[-0.5, -1.0], [0.5, 1.0]]


def test_weights_are_used_as_cross_entropy_uses_them() -> None:
    labels = [0, 0, 0, 1]
    weights: Any = chapter_11.label_weights.reference(labels, 2)
    sums = torch.zeros(2, dtype=torch.float64).index_add(0, torch.tensor(labels), weights[labels])
    assert sums[0] == pytest.approx(sums[1])  # either label counts as much as the other
    assert weights.mean() == pytest.approx(1)


def test_the_trained_names_are_those_of_a_real_model() -> None:
    model = make(BertForSequenceClassification, num_labels=3)
    names = [name for name, _ in model.named_parameters()]
    trained = chapter_11.trained_names.reference(names, 1)
    layers = nn.ModuleList(model.bert.encoder.layer[1:])
    upper = [layers, model.bert.pooler, model.classifier]
    assert len(trained) == sum(len([*part.parameters()]) for part in upper)  # type: ignore[arg-type]


def test_trained_names_by_prefix_pass() -> None:
    def by_prefix(names: list[str], frozen: int) -> list[str]:
        bottom = ("bert.embeddings.", *(f"bert.encoder.layer.{layer}." for layer in range(frozen)))
        return [name for name in names if not name.startswith(bottom)]

    assert chapter_11.trained_names.check(by_prefix)


def test_the_best_answer_is_never_beaten() -> None:
    generator = torch.Generator().manual_seed(3)
    for _ in range(20):
        starts, ends = torch.randn(2, 9, generator=generator, dtype=torch.float64)
        start, end = chapter_11.best_answer.reference(starts, ends, 4)  # type: ignore[misc]
        allowed = [(0, 0), *((i, j) for i, j in product(range(1, 9), repeat=2) if i <= j < i + 4)]
        assert (start, end) in allowed
        assert starts[start] + ends[end] == max(starts[i] + ends[j] for i, j in allowed)


@pytest.mark.parametrize(
    ("exercise", "answer", "message"),
    [
        (chapter_11.names_exchanged, lambda *_: 3, "not an int"),
        (chapter_11.broken_job, "DGC", "careless"),
        (chapter_11.head_gradients, lambda vectors, weight, bias, _: vectors @ weight.T + bias, "2 results"),
        (
            chapter_11.head_gradients,
            lambda vectors, weight, bias, labels: (
                (vectors[labels >= 0] @ weight.T + bias).softmax(dim=-1).T
                @ vectors[labels >= 0]
                / (labels >= 0).sum(),
                (vectors[labels >= 0] @ weight.T + bias).softmax(dim=-1).mean(dim=0),
            ),
            "take 1 off p there",
        ),
        (
            chapter_11.accuracy_and_macro_f1,
            lambda counts: (
                counts.diagonal().sum() / counts.sum(),
                (counts.diagonal() / counts.sum(dim=1)).mean(),
            ),
            "mean recall",
        ),
        (chapter_11.broken_job, "DHG", "the last two complaints are exchanged"),
        (chapter_11.broken_job, "DFH", "Which line scores"),
        (chapter_11.best_answer, lambda starts, *_: starts.argmax(), "2 results"),
        (
            chapter_11.best_answer,
            lambda starts, ends, _: (starts.argmax(), ends.argmax()),
            "without the other",
        ),
        (chapter_11.label_weights, lambda labels, n: [1 / labels.count(k) for k in range(n)], "mean weight"),
        (chapter_11.label_weights, lambda labels, _: torch.tensor(labels).bincount(), "floating point"),
        (
            chapter_11.trained_names,
            lambda names, frozen: [
                name
                for name in names
                if "embeddings" not in name and not any(f"layer.{k}" in name for k in range(frozen))
            ],
            "compare the whole number",
        ),
        (chapter_11.trained_names, lambda names, _: names, "should have 8 entries"),
        (chapter_11.trained_names, lambda names, _: len(names), "list of strings"),
    ],
)
def test_usual_slips_get_a_sentence(
    exercise: Exercise, answer: Callable[..., object] | str, message: str
) -> None:
    verdict = exercise.check(answer)
    assert verdict.passed is False
    assert message in verdict.text
    assert "Traceback" not in verdict.text
