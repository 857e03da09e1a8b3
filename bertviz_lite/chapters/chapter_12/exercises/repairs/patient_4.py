"""Exercises of chapter 12, the whole BERT: the repair of patient 4."""

# ruff: noqa: ANN401 - a repair may replace any part by anything

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

from bertviz_lite.chapters.chapter_12.exercises.repairs.new_forwards import Repair
from bertviz_lite.chapters.chapter_12.treatment import treatment


@treatment(
    4,
    hints=(
        "No code is wrong here, but a tensor. patient.parameters are 720,000 too many: which table is that?",
        "Chapter 08: one tensor with two names, bert.embeddings.word_embeddings.weight and …",
        "Set patient.cls.predictions.decoder.weight to the token table itself, not to a copy.",
    ),
    note="patient.tie() and the same assignment by hand are equally right. (So is a forward that reads the "
    "token table, but it leaves 720,000 random numbers in the model that nothing uses.) A file stores the "
    "table once; whoever loads it without tying is left with random numbers.",
)
def repair_4(patient: Any) -> Any:
    """Mend patient 4, and return it."""
    # patient.tie() does the same.
    patient.cls.predictions.decoder.weight = patient.bert.embeddings.word_embeddings.weight
    return patient


@repair_4.mistake("The decoder has a copy: the first step of training would part the two. Tie them.")
def _copied_table(patient: Any) -> Any:
    table = patient.bert.embeddings.word_embeddings.weight
    patient.cls.predictions.decoder.weight = nn.Parameter(table.detach().clone())
    return patient


@repair_4.mistake(
    "Tied, but the wrong way round: the table that was trained is lost, the random one is kept."
)
def _tied_to_random(patient: Any) -> Any:
    patient.bert.embeddings.word_embeddings.weight = patient.cls.predictions.decoder.weight
    return patient


def _decoded(forward: Callable[[Any, Tensor, Tensor], Tensor]) -> Repair:
    def repair(patient: Any) -> Any:
        head, table = patient.cls.predictions, patient.bert.embeddings.word_embeddings
        head.forward = lambda hidden_states: forward(head, hidden_states, table.weight)
        return patient

    return repair


repair_4.mistake(
    "The bias of the words is missing.", _decoded(lambda head, x, table: head.transform(x) @ table.T)
)
repair_4.mistake("The transform is missing.", _decoded(lambda head, x, table: x @ table.T + head.bias))
