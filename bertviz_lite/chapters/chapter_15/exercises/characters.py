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


def _length_cases() -> Iterator[Case]:
    yield Case(normal(3, 4, seed=3), [1, 2], label="白 | 天鹅, so lengths = [1, 2]")
    yield Case(normal(6, 3, seed=4), [2, 1, 3], label="words of 2, 1 and 3 characters")
    yield Case(normal(4, 2, seed=5), [1, 1, 1, 1], label="four words of one character")
    yield Case(normal(4, 5, seed=6), [4], label="one word of four characters")


@exercise(
    cases=_length_cases,
    hints=(
        "Cut the rows first: hidden.split(lengths) gives a part for each word.",
        "A part is (characters of the word, hidden_size). Its mean over dim=0 is the word's vector.",
        "torch.stack([... for part in ...]) puts the words' vectors below each other.",
    ),
    note="The model needs no words. For a vector of each word you do: somebody must tell you the lengths.",
)
def word_vectors(hidden: Tensor, lengths: list[int]) -> Tensor:
    """Return a vector for each word, the mean over its characters: (number of words, hidden_size).

    `hidden` is (number of characters, hidden_size), of one text, without [CLS] and [SEP]. `lengths` are the
    words' numbers of characters, from left to right.
    """
    return torch.stack([part.mean(dim=0) for part in hidden.split(lengths)])


@word_vectors.mistake("That's a vector for each character. A word of two has two of them: take their mean.")
def _each_character(hidden: Tensor, lengths: list[int]) -> Tensor:  # noqa: ARG001
    return hidden


@word_vectors.mistake("That's the first character of each word; the others count as much.")
def _first_character(hidden: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([part[0] for part in hidden.split(lengths)])


@word_vectors.mistake("That's the sum over a word's characters. Divide it by their number.")
def _sums(hidden: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([part.sum(dim=0) for part in hidden.split(lengths)])


@word_vectors.mistake("That's one vector for the whole text.")
def _whole_text(hidden: Tensor, lengths: list[int]) -> Tensor:  # noqa: ARG001
    return hidden.mean(dim=0, keepdim=True)


@word_vectors.mistake("One number for each word: you took the mean over dim=1, too. Over dim=0 alone.")
def _single_numbers(hidden: Tensor, lengths: list[int]) -> Tensor:
    return torch.stack([part.mean() for part in hidden.split(lengths)])
