"""Exercises of chapter 12, the whole BERT: the repair of patient 5."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from collections.abc import Callable
from typing import Any

from torch import Tensor

from bertviz_lite.chapters.chapter_12.exercises.repairs.new_forwards import FORWARD_HINT, Repair
from bertviz_lite.chapters.chapter_12.treatment import treatment


@treatment(
    5,
    hints=(
        FORWARD_HINT,
        "One module only: patient.bert.encoder.layer[1].attention.self. It takes (hidden_states, bias).",
        "Chapter 03: `bias` is added to the scores before the softmax. Return two things: context, weights.",
    ),
    note="Weights set to 0 after the softmax leave rows that sum to less than 1; only padding shows it.",
)
def repair_5(patient: Any) -> Any:
    """Mend patient 5, and return it."""
    part = patient.bert.encoder.layer[1].attention.self

    def forward(hidden_states: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        query, key, value = (
            part.split(linear(hidden_states)) for linear in (part.query, part.key, part.value)
        )
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        weights = (scores + bias).softmax(dim=-1)
        return (weights @ value).transpose(1, 2).flatten(2), weights

    part.forward = forward
    return patient


def _attended(
    weigh: Callable[[Tensor, Tensor], Tensor],
    *,
    divide: Callable[[int], float] = lambda size: size**0.5,
    result: Callable[[Tensor, Tensor], object] = lambda context, weights: (context, weights),
) -> Repair:
    def repair(patient: Any) -> Any:
        part = patient.bert.encoder.layer[1].attention.self

        def forward(hidden_states: Tensor, bias: Tensor) -> object:
            query, key, value = (
                part.split(linear(hidden_states)) for linear in (part.query, part.key, part.value)
            )
            scores = query @ key.transpose(-1, -2) / divide(query.shape[-1])
            weights = weigh(scores, bias)
            return result((weights @ value).transpose(1, 2).flatten(2), weights)

        part.forward = forward
        return patient

    return repair


def _masked(scores: Tensor, bias: Tensor) -> Tensor:
    return (scores + bias).softmax(dim=-1)


repair_5.mistake(
    "The bias is not used: padding is read like words.", _attended(lambda scores, _: scores.softmax(dim=-1))
)
repair_5.mistake("The scores are not divided.", _attended(_masked, divide=lambda _: 1.0))
repair_5.mistake(
    "The bias is added after the softmax; it belongs to the scores.",
    _attended(lambda scores, bias: scores.softmax(dim=-1) + bias),
)
repair_5.mistake(
    "It returns one result; SelfAttention returns two: what the heads have read, and their weights.",
    _attended(_masked, result=lambda context, _: context),
)
