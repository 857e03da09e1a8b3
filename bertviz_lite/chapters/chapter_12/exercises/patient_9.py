"""Exercises of chapter 12, the whole BERT: a patient that the batch of the proof lets pass."""

# ruff: noqa: ANN401 - a reader may change any part

from typing import Any

import torch
from torch import nn

from bertviz_lite.chapters.chapter_12.exercises.harm import harm


@harm(
    hints=(
        "Which of the model's numbers does that batch never read? Go through the tables of the embeddings.",
        "Words are out: the decoder reads the whole token table. Both segments occur. What is left?",
        "Its texts are 16 tokens long. Change a later row of the position table.",
    ),
    note="The batch reads 16 rows of 128. So a proof needs texts of full length too: see For those who stay.",
)
def patient_9(well: Any) -> Any:
    """Harm a healthy model, so that the proof's batch shows nothing, and return it."""
    with torch.no_grad():
        well.bert.embeddings.position_embeddings.weight[16:] = 0
    return well


@patient_9.mistake("A word that the batch lacks has a row that is read: the decoder uses the same table.")
def _a_rare_word(well: Any) -> Any:
    with torch.no_grad():
        well.bert.embeddings.word_embeddings.weight[3000] = 0
    return well


@patient_9.mistake("The batch reads these rows. Which rows of which table doesn't it read?")
def _all_positions(well: Any) -> Any:
    with torch.no_grad():
        well.bert.embeddings.position_embeddings.weight[:] = 0
    return well


@patient_9.mistake(
    "No text shows a mistake. Is what you changed read at all? And does its change stay? (LayerNorm takes "
    "away a number that is added to a whole row.)"
)
def _nothing(well: Any) -> Any:
    return well


@patient_9.mistake("A patient runs without complaint: leave the table its size, and change its numbers.")
def _a_short_table(well: Any) -> Any:
    table = well.bert.embeddings.position_embeddings
    table.weight = nn.Parameter(table.weight[:16].detach())
    return well
