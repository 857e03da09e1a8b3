"""Exercises of chapter 12, the whole BERT: the repair of patient 2."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from bertviz_lite.chapters.chapter_12.exercises.repairs.new_forwards import FORWARD_HINT, Repair
from bertviz_lite.chapters.chapter_12.treatment import treatment


@treatment(
    2,
    hints=(
        FORWARD_HINT,
        "patient.bert.embeddings is called with (input_ids, token_type_ids): each token has its own segment.",
    ),
    note="One text alone is all segment 0: a test without pairs would never have found it.",
)
def repair_2(patient: Any) -> Any:
    """Mend patient 2, and return it."""
    part = patient.bert.embeddings

    def forward(input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
        position = part.position_embeddings(torch.arange(input_ids.shape[1]))
        total = part.word_embeddings(input_ids) + part.token_type_embeddings(token_type_ids) + position
        normalised: Tensor = part.LayerNorm(total)
        return normalised

    part.forward = forward
    return patient


def _embedded(join: Callable[[nn.Module, Tensor, Tensor, Tensor], Tensor]) -> Repair:
    def repair(patient: Any) -> Any:
        part = patient.bert.embeddings

        def forward(input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
            position = part.position_embeddings(torch.arange(input_ids.shape[1]))
            segment = part.token_type_embeddings(token_type_ids)
            return join(part.LayerNorm, part.word_embeddings(input_ids), segment, position)

        part.forward = forward
        return patient

    return repair


repair_2.mistake(
    "LayerNorm is missing.", _embedded(lambda _, token, segment, position: token + segment + position)
)
repair_2.mistake(
    "The segment is added after LayerNorm; all three are added before it.",
    _embedded(lambda norm, token, segment, position: norm(token + position) + segment),
)
repair_2.mistake("The position is missing.", _embedded(lambda norm, token, segment, _: norm(token + segment)))
repair_2.mistake(
    "The segment is missing.", _embedded(lambda norm, token, _, position: norm(token + position))
)
