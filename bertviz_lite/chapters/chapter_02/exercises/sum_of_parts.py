"""The three parts of an input vector: which one changes, how long they are, and their sum."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_02.exercises.model_tables import (
    own_embeddings,
    real_batch,
    rows_of,
    small_tables,
)
from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=(
        "Each part is a row of a table. What is the number of the row for each of the three?",
        "The id of the word is the same, and so is its side of [SEP].",
    ),
    note="The other two are looked up by the word's id and by its side of [SEP]; neither has moved.",
)
def which_part_changes() -> str:
    """Say which part of a word's input vector changes when the word moves one place to the right.

    "token", "position", "segment" or "all".
    """
    return "position"


which_part_changes.mistake(
    "The token row is looked up by the id of the word: the same word, the same row.", "token"
)
which_part_changes.mistake(
    "The segment row says on which side of [SEP] a word is; it stays there.", "segment"
)
which_part_changes.mistake("Not all three: what are the rows of each table numbered by?", "all")


def _lengths_cases() -> Iterator[Case]:
    yield Case(torch.tensor([[3.0, 4.0, 0.0], [0.0, -2.0, 0.0]], dtype=torch.float64))
    yield Case(torch.tensor([[1.0, 2.0, 2.0], [2.0, 3.0, 6.0], [0.5, 0.0, 0.0]], dtype=torch.float64))
    table = rows_of(own_embeddings().position_embeddings, slice(20))
    yield Case(table, label="the first 20 rows of the model's position table")


@exercise(
    cases=_lengths_cases,
    hints=(
        "Length (Euclidean norm): square every entry, add them up along the row, take the root.",
        "`dim` names the axis that disappears. A row runs along the last axis, which is 1 or -1.",
    ),
)
def lengths(table: Tensor) -> Tensor:
    """Give the length of every row of a table: (rows, hidden_size) -> (rows,)."""
    return (table**2).sum(dim=1) ** 0.5


lengths.mistake(
    "These are the lengths of the columns: `dim` names the axis that disappears.",
    lambda table: (table**2).sum(dim=0) ** 0.5,
)
lengths.mistake("These are squared lengths: the root is missing.", lambda table: (table**2).sum(dim=1))
lengths.mistake(
    "These are sums of absolute values; a length squares first.", lambda table: table.abs().sum(dim=1)
)
lengths.mistake(
    "These are roots of the *mean* square: a length adds up, it does not average.",
    lambda table: (table**2).mean(dim=1) ** 0.5,
)
lengths.mistake("This is one length for the whole table.", lambda table: (table**2).sum() ** 0.5)


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
