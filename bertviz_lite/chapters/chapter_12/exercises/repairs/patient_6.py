"""Exercises of chapter 12, the whole BERT: the repair of patient 6."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Tensor

from bertviz_lite.chapters.chapter_12.exercises.repairs.new_forwards import FORWARD_HINT, Repair
from bertviz_lite.chapters.chapter_12.treatment import treatment


@treatment(
    6,
    hints=(
        FORWARD_HINT,
        "patient.cls is called with (last_hidden_state, pooler_output), and returns (LM logits, NSP logits).",
        "Each head has its own input: the LM head every vector, the NSP head one for each text.",
    ),
    note="Both vectors are (batch, hidden_size), so no shape gives it away: chapter 07's two names.",
)
def repair_6(patient: Any) -> Any:
    """Mend patient 6, and return it."""
    heads = patient.cls

    def forward(last_hidden_state: Tensor, pooler_output: Tensor) -> tuple[Any, Any]:
        return heads.predictions(last_hidden_state), heads.seq_relationship(pooler_output)

    heads.forward = forward
    return patient


def _headed(forward: Callable[[Any, Tensor, Tensor], object]) -> Repair:
    def repair(patient: Any) -> Any:
        patient.cls.forward = partial(forward, patient.cls)
        return patient

    return repair


repair_6.mistake(
    "The NSP head reads the hidden states of all tokens; it reads the pooled vector.",
    _headed(lambda heads, states, _: (heads.predictions(states), heads.seq_relationship(states))),
)
repair_6.mistake(
    "tanh is done twice: what is handed to the heads is pooled already.",
    _headed(lambda heads, states, pooled: (heads.predictions(states), heads.seq_relationship(pooled.tanh()))),
)
repair_6.mistake(
    "The tanh of the vector at [CLS] is not the pooled vector: the pooler's linear map is missing.",
    _headed(
        lambda heads, states, _: (heads.predictions(states), heads.seq_relationship(states[:, 0].tanh()))
    ),
)
repair_6.mistake(
    "The two results have changed places: first the LM logits, then the NSP logits.",
    _headed(lambda heads, states, pooled: (heads.seq_relationship(pooled), heads.predictions(states))),
)
