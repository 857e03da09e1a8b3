"""Exercises of chapter 12, the whole BERT: the repair of patient 3."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Tensor

from bertviz_lite.chapters.chapter_12.exercises.repairs.new_forwards import FORWARD_HINT, Repair
from bertviz_lite.chapters.chapter_12.treatment import treatment


@treatment(
    3,
    hints=(
        FORWARD_HINT,
        "It is one module only: patient.bert.encoder.layer[2].output, called with (inside, around).",
        "Chapter 04: add, then normalise. LayerNorm is last.",
    ),
    note="The place of LayerNorm belongs to the weights: these were trained with it after the sum.",
)
def repair_3(patient: Any) -> Any:
    """Mend patient 3, and return it."""
    part = patient.bert.encoder.layer[2].output

    def forward(inside: Tensor, around: Tensor) -> Any:
        return part.LayerNorm(part.dense(inside) + around)

    part.forward = forward
    return patient


def _added(forward: Callable[[Any, Tensor, Tensor], Tensor]) -> Repair:
    def repair(patient: Any) -> Any:
        part = patient.bert.encoder.layer[2].output
        part.forward = partial(forward, part)
        return patient

    return repair


repair_3.mistake(
    "The residual is missing.", _added(lambda part, inside, _: part.LayerNorm(part.dense(inside)))
)
repair_3.mistake("LayerNorm is missing.", _added(lambda part, inside, around: part.dense(inside) + around))
repair_3.mistake(
    "LayerNorm is applied to what goes around; it belongs on the sum.",
    _added(lambda part, inside, around: part.dense(inside) + part.LayerNorm(around)),
)
