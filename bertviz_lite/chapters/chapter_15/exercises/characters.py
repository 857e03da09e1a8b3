"""Exercises of chapter 15: a sentence as BERT reads it, a character at a time."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal

PAD, UNK, CLS, SEP, MASK = range(5)


def _vector_cases() -> Iterator[Case]:
    yield Case(normal(1, 7, 3), torch.tensor([[CLS, 50, 51, 52, 53, 54, SEP]]), label="five characters")
    rows = [[CLS, 60, 61, SEP, PAD, PAD], [CLS, 62, UNK, MASK, 63, SEP]]
    yield Case(normal(2, 6, 4, seed=1), torch.tensor(rows), label="two texts, 60 61 and 62 [UNK] [MASK] 63")
    pair = [[CLS, 70, SEP, 71, 72, SEP, PAD], [CLS, 73, 74, 75, 76, 77, SEP]]
    yield Case(normal(2, 7, 2, seed=2), torch.tensor(pair), label="a pair, 70 and 71 72; and five characters")


@exercise(
    cases=_vector_cases,
    hints=(
        "A boolean tensor says where the text's own characters are: not [PAD], not [CLS], not [SEP].",
        "own = (ids != 0) & (ids != 2) & (ids != 3)",
        "For one text: vectors[own[0]] is (number of characters, hidden_size). Do this for each row.",
    ),
    note=(
        "[0, 1:6] gives the same for one text of five characters, and for no other. In bert-base-chinese "
        "[CLS] is 101 and [SEP] 102: there, ask the tokenizer for return_special_tokens_mask=True instead."
    ),
)
def own_vectors(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    """Return for each text the vectors of its own characters, (its number of characters, hidden_size).

    `hidden` is (batch, seq_len, hidden_size), `ids` (batch, seq_len). [PAD] is 0, [CLS] 2, [SEP] 3. An
    unknown character, 1, and [MASK], 4, stand for characters of the text: keep them.
    """
    own = (ids != 0) & (ids != 2) & (ids != 3)
    return [vectors[places] for vectors, places in zip(hidden, own, strict=True)]


@own_vectors.mistake("Positions 1 to 5 are the characters of a text of five. This one is longer or shorter.")
def _one_to_six(hidden: Tensor, ids: Tensor) -> list[Tensor]:  # noqa: ARG001
    return [vectors[1:6] for vectors in hidden]


@own_vectors.mistake("A [SEP] is still among them.")
def _with_sep(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    return [vectors[(row != PAD) & (row != CLS)] for vectors, row in zip(hidden, ids, strict=True)]


@own_vectors.mistake("[PAD] has a vector too, and it's no character: leave it out.")
def _with_padding(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    return [vectors[(row != CLS) & (row != SEP)] for vectors, row in zip(hidden, ids, strict=True)]


@own_vectors.mistake("[UNK] and [MASK] stand for characters of the text: keep them.")
def _only_known(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    return [vectors[row > MASK] for vectors, row in zip(hidden, ids, strict=True)]


@own_vectors.mistake("Only the first text of the batch is there.")
def _only_first(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    return own_vectors.reference(hidden[:1], ids[:1])  # type: ignore[return-value]
