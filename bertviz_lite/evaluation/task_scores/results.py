"""Answers of a fine-tuned model, and how good they are together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bertviz_lite.world.tasks.sets import Example


@dataclass(frozen=True)
class Answer:
    """What a model predicts for one example.

    Attributes
    ----------
    example
        The example.
    predicted, true
        A label; the tags of all words; or the words of the answer, empty for "the story does not say".
    right
        Whether they are the same, all of them.
    confidence
        Probability of the prediction (of the least certain tag; of first times last token).
    """

    example: Example
    predicted: Any
    true: Any
    right: bool
    confidence: float


@dataclass(frozen=True)
class Result:
    """How good a model is on examples that it was not trained on.

    Attributes
    ----------
    metric
        What ``value`` is: "accuracy", "F1 of names" or "exact match".
    value, interval
        The score, and the interval that holds it in 95 of 100 cases; ``how`` says how that is computed.
    how
        "Wilson" for shares, "bootstrap" (over examples) for F1.
    answers
        One for each example, in order.
    parts
        Further numbers by name: the accuracy on each label or kind, F1 of words for questions.
    """

    metric: str
    value: float
    interval: tuple[float, float]
    how: str
    answers: tuple[Answer, ...] = field(repr=False)
    parts: dict[str, float] = field(default_factory=dict)

    @property
    def errors(self) -> list[Answer]:
        """The wrong answers, the most confident first."""
        wrong = [answer for answer in self.answers if not answer.right]
        return sorted(wrong, key=lambda answer: -answer.confidence)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.metric} {self.value:.3f} ({low:.3f} to {high:.3f}, {len(self.answers)} examples)"
