"""Exercises of chapter 11, the whole BERT: repairs of patients 1 to 3."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from bertviz_lite.chapters.chapter_11.exercises.shared import FORWARD_HINT, Repair
from bertviz_lite.chapters.chapter_11.treatment import treatment


@treatment(
    1,
    hints=(FORWARD_HINT, "The pooler: patient.bert.pooler. Chapter 06: three steps, the last one bends."),
    note="Without tanh the numbers are not held between -1 and 1, and the NSP head was trained on those.",
)
def repair_1(patient: Any) -> Any:
    """Mend patient 1, and return it."""
    pooler = patient.bert.pooler
    pooler.forward = lambda last_hidden_state: pooler.dense(last_hidden_state[:, 0]).tanh()
    return patient


def _pooled(forward: Callable[[Any, Tensor], Tensor]) -> Repair:
    def repair(patient: Any) -> Any:
        patient.bert.pooler.forward = partial(forward, patient.bert.pooler.dense)
        return patient

    return repair


repair_1.mistake(
    "tanh comes before the linear map; it comes after.", _pooled(lambda dense, x: dense(x[:, 0].tanh()))
)
repair_1.mistake(
    "The pooler takes the mean of all tokens; it takes the first.",
    _pooled(lambda dense, x: dense(x.mean(1)).tanh()),
)
repair_1.mistake("All tokens are pooled: take the first, [:, 0].", _pooled(lambda dense, x: dense(x).tanh()))
repair_1.mistake("The linear map is missing.", _pooled(lambda _, x: x[:, 0].tanh()))


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


@treatment(
    3,
    hints=(
        FORWARD_HINT,
        "It is one module only: patient.bert.encoder.layer[2].output, called with (inside, around).",
        "Chapter 04: add, then normalise. LayerNorm comes last.",
    ),
    note="Where LayerNorm stands belongs to the weights: these were trained with it after the sum.",
)
def repair_3(patient: Any) -> Any:
    """Mend patient 3, and return it."""
    part = patient.bert.encoder.layer[2].output
    part.forward = lambda inside, around: part.LayerNorm(part.dense(inside) + around)
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
