"""The three parts of an input vector, added up."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_02.exercises.model_tables import (
    own_embeddings,
    real_batch,
    rows_of,
    small_tables,
)
from bertviz_lite.exercises import Case, exercise


def _add_cases() -> Iterator[Case]:
    yield Case(torch.tensor([2, 3]), torch.tensor([0, 1]), *small_tables())
    yield Case(torch.tensor([3, 1, 1]), torch.tensor([0, 0, 1]), *small_tables())
    own, batch = own_embeddings(), real_batch()
    ids = batch["input_ids"][0]
    yield Case(
        ids,
        batch["token_type_ids"][0],
        # No more of a large vocabulary than is looked up: every wrong answer is tried on a copy.
        rows_of(own.word_embeddings, slice(int(ids.max()) + 1)),
        *(rows_of(table) for table in (own.position_embeddings, own.token_type_embeddings)),
        label="a pair of texts, the model's tables",
    )


@exercise(
    cases=_add_cases,
    hints=(
        "A table indexed by a tensor of ids gives one row for each id: words[input_ids].",
        "Positions are 0, 1, 2, …, as many as there are ids: positions[: len(input_ids)].",
    ),
    note="Nothing in the sum says what came from where; only the rows' directions keep the parts apart.",
)
def add_by_hand(
    input_ids: Tensor, token_type_ids: Tensor, words: Tensor, positions: Tensor, segments: Tensor
) -> Tensor:
    """Add up the three parts of every token: (seq_len,) ids and three tables -> (seq_len, hidden_size)."""
    return words[input_ids] + positions[: len(input_ids)] + segments[token_type_ids]


add_by_hand.mistake("The segment part is missing.", lambda ids, types, w, p, s: w[ids] + p[: len(ids)])
add_by_hand.mistake(
    "Segment 0 is added everywhere: look the row up by token_type_ids.",
    lambda ids, types, w, p, s: w[ids] + p[: len(ids)] + s[0],
)
add_by_hand.mistake("The position part is missing.", lambda ids, types, w, p, s: w[ids] + s[types])
add_by_hand.mistake(
    "The positions start at 1: the first token has position 0.",
    lambda ids, types, w, p, s: w[ids] + p[1 : len(ids) + 1] + s[types],
)
add_by_hand.mistake(
    "The position table is looked up by the ids of the words; it wants 0, 1, 2, …",
    lambda ids, types, w, p, s: w[ids] + p[ids] + s[types],
)
add_by_hand.mistake(
    "The parts are put end to end; BERT adds them up, so hidden_size stays the same.",
    lambda ids, types, w, p, s: torch.cat([w[ids], p[: len(ids)], s[types]], dim=-1),
)
