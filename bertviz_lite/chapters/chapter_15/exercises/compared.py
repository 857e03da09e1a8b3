"""Exercises of chapter 15: what four trainings and two languages tell when they are compared."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal, question

_RIGHT = {
    "A": "random pieces",
    "B": "single characters",
    "C": "a segmenter's words",
    "D": "the town's words",
}


@question(
    hints=(
        "A word of one character is one gap. Which arm has filled single gaps most often?",
        "A longer word is two gaps or more, side by side. Which arm saw just these? Which has seen none?",
        "Two are left. The segmenter glues more, so it leaves the fewest single gaps.",
    ),
    note="A word is guessed best by those who trained on gaps of its kind.",
)
def which_arm() -> dict[str, str]:
    """Say of each of four models what was hidden together when it was trained."""
    short = {"A": 0.42, "B": 0.47, "C": 0.30, "D": 0.44}
    longer = {"A": 0.12, "B": 0.07, "C": 0.12, "D": 0.17}
    # it seldom filled gaps side by side: worst at longer words
    answer = {min(longer, key=longer.__getitem__): "single characters"}
    # it filled just such words: best at longer ones
    answer[max(longer, key=longer.__getitem__)] = "the town's words"
    # the longest pieces leave the fewest single gaps: worst at one character, as in the figure
    rest = sorted(short.keys() - answer.keys(), key=short.__getitem__)
    return answer | dict(zip(rest, ("a segmenter's words", "random pieces"), strict=True))


def _swapped(one: str, other: str) -> dict[str, str]:
    return _RIGHT | {one: _RIGHT[other], other: _RIGHT[one]}


which_arm.mistake(
    "A and C fill longer gaps equally well. But which of the two has seen fewer single gaps? The segmenter "
    "glues what often stands together.",
    _swapped("A", "C"),
)
which_arm.mistake(
    "B and D: the model that hid single characters hardly ever had two gaps side by side, so longer words "
    "are hard for it.",
    _swapped("B", "D"),
)
which_arm.mistake(
    "A and D: both have filled gaps side by side. One of them filled whole words, and this exam asks for "
    "whole words.",
    _swapped("A", "D"),
)
which_arm.mistake(
    "A and B: random pieces are as long as words, so neighbours were hidden together. Is 0.07 of the longer "
    "words what such a model gets?",
    _swapped("A", "B"),
)
which_arm.mistake(
    "C and D: the segmenter's words are the town's only in part. Who is best at the town's longer words?",
    _swapped("C", "D"),
)
which_arm.mistake(
    "B and C: single characters train on single gaps. Would that model be worst at words of one character?",
    _swapped("B", "C"),
)


def _table(count: int, seed: int) -> Tensor:
    """Return the cosines of some random vectors."""
    vectors = normal(count, 4, seed=seed)
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    cosines: Tensor = unit @ unit.T
    return cosines


def _table_cases() -> Iterator[Case]:
    for count, order in ((4, [1, 2, 3, 0]), (6, [2, 0, 5, 1, 3, 4]), (7, [3, 6, 0, 1, 2, 4, 5])):
        yield Case(
            _table(count, count),
            _table(count, 2 * count),
            torch.tensor(order),
            label=f"two tables of {count} events, order = {order}",
        )


def _above(table: Tensor) -> Tensor:
    return table[torch.ones_like(table, dtype=torch.bool).triu(diagonal=1)]


def _correlation(one: Tensor, other: Tensor) -> Tensor:
    return torch.corrcoef(torch.stack([one, other]))[0, 1]


@exercise(
    cases=_table_cases,
    hints=(
        "An event has a row and a column. Put both in the new order: other[order][:, order].",
        "Each pair once, none with itself: above = torch.ones_like(one, dtype=torch.bool).triu(diagonal=1).",
        "torch.corrcoef(torch.stack([one[above], other[above]])) is 2 × 2; you need [0, 1].",
    ),
    note="200 random orders, and the best of them: that is the lowest line of the figure.",
)
def in_another_order(one: Tensor, other: Tensor, order: Tensor) -> Tensor:
    """Put the events of the second table in another order, and return the correlation of the pairs.

    `one` and `other` are tables of cosines, (n, n), and `order` holds the numbers 0 to n − 1. Each pair
    counts once, and no event with itself.
    """
    other = other[order][:, order]
    above = torch.ones_like(one, dtype=torch.bool).triu(diagonal=1)
    return torch.corrcoef(torch.stack([one[above], other[above]]))[0, 1]


@in_another_order.mistake(
    "That's the agreement in the old order. If you reordered both tables, each pair still meets itself."
)
def _as_it_was(one: Tensor, other: Tensor, order: Tensor) -> Tensor:  # noqa: ARG001
    return _correlation(_above(one), _above(other))


@in_another_order.mistake("Only the rows are in the new order: an event has a column, too.")
def _rows_only(one: Tensor, other: Tensor, order: Tensor) -> Tensor:
    return _correlation(_above(one), _above(other[order]))


@in_another_order.mistake("Only the columns are in the new order: an event has a row, too.")
def _columns_only(one: Tensor, other: Tensor, order: Tensor) -> Tensor:
    return _correlation(_above(one), _above(other[:, order]))


@in_another_order.mistake(
    "The diagonal is among the numbers: an event with itself is 1 in both tables, and makes them look alike."
)
def _with_diagonal(one: Tensor, other: Tensor, order: Tensor) -> Tensor:
    return _correlation(one.flatten(), other[order][:, order].flatten())


@in_another_order.mistake(
    "triu() alone keeps the diagonal, where both tables have 1: begin one further up, diagonal=1."
)
def _triangle_with_diagonal(one: Tensor, other: Tensor, order: Tensor) -> Tensor:
    kept = torch.ones_like(one, dtype=torch.bool).triu()
    return _correlation(one[kept], other[order][:, order][kept])


@in_another_order.mistake("That's the cosine of the two lists. For a correlation, take each list's mean off.")
def _cosine(one: Tensor, other: Tensor, order: Tensor) -> Tensor:
    return torch.cosine_similarity(_above(one), _above(other[order][:, order]), dim=0)


@in_another_order.mistake("corrcoef gives a table of 2 × 2. The correlation of the two lists is at [0, 1].")
def _whole_table(one: Tensor, other: Tensor, order: Tensor) -> Tensor:
    return torch.corrcoef(torch.stack([_above(one), _above(other[order][:, order])]))
