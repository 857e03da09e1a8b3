"""Exercises of chapter 15: from a vector for each character to one for each word."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


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
