"""Exercises of chapter 12, the whole BERT: the repair of patient 1."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Tensor

from bertviz_lite.chapters.chapter_12.exercises.repairs.new_forwards import FORWARD_HINT, Repair
from bertviz_lite.chapters.chapter_12.treatment import treatment


@treatment(
    1,
    hints=(
        FORWARD_HINT,
        "The pooler: patient.bert.pooler. Chapter 07: three steps, the last a non-linearity.",
    ),
    note="Without tanh the numbers are not held between -1 and 1, and the NSP head was trained on those.",
)
def repair_1(patient: Any) -> Any:
    """Mend patient 1, and return it."""
    pooler = patient.bert.pooler

    def forward(last_hidden_state: Tensor) -> Any:
        return pooler.dense(last_hidden_state[:, 0]).tanh()

    pooler.forward = forward
    return patient


def _pooled(forward: Callable[[Any, Tensor], Tensor]) -> Repair:
    def repair(patient: Any) -> Any:
        patient.bert.pooler.forward = partial(forward, patient.bert.pooler.dense)
        return patient

    return repair


repair_1.mistake(
    "tanh is before the linear map; it belongs after it.", _pooled(lambda dense, x: dense(x[:, 0].tanh()))
)
repair_1.mistake(
    "The pooler takes the mean of all tokens; it takes the first.",
    _pooled(lambda dense, x: dense(x.mean(1)).tanh()),
)
repair_1.mistake("All tokens are pooled: take the first, [:, 0].", _pooled(lambda dense, x: dense(x).tanh()))
repair_1.mistake("The linear map is missing.", _pooled(lambda _, x: x[:, 0].tanh()))
