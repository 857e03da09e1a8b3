"""Which tokens are chosen: whole words, or a fixed count."""

from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, uniform


def _word_cases() -> Iterator[Case]:
    continues = torch.tensor([[False, False, True, True, False, False, True, False]])
    luck = torch.tensor([[0.0, 0.1, 0.9, 0.9, 0.5, 0.9, 0.1, 0.0]], dtype=torch.float64)
    ordinary = torch.tensor([[False, True, True, True, True, True, True, False]])
    yield Case(luck, continues, ordinary, 0.15)
    many = uniform(4, 60, seed=5) < 0.3
    edges = torch.ones(4, 60, dtype=torch.bool)
    edges[:, [0, -1]] = False
    yield Case(uniform(4, 60, seed=4), many & edges, edges, 0.4, label="shape (4, 60), rate 0.4")


@exercise(
    cases=_word_cases,
    hints=(
        "Every piece takes the luck of its word's first piece. Which position is that?",
        "Number the positions, put 0 where a piece continues a word, and take the running maximum: cummax.",
        "luck.gather(1, first) takes from each row the entries at the positions in `first`.",
    ),
    note="What becomes of each chosen piece is still tossed piece by piece.",
)
def whole_words(luck: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    """Say which pieces are chosen if words are chosen whole.

    All tensors are (batch, seq_len). A word is chosen if the luck of its first piece is below `rate`, and
    then all of its pieces are. `continues` is True for the pieces that start with ##; only `ordinary` tokens
    may be chosen.
    """
    positions = torch.arange(luck.shape[1]).expand(luck.shape)
    first = torch.where(continues, 0, positions).cummax(dim=1).values
    return ordinary & (luck.gather(1, first) < rate)


whole_words.mistake(
    "Each piece is chosen on its own: the luck of its word's first piece should decide.",
    lambda luck, continues, ordinary, rate: ordinary & (luck < rate),
)


whole_words.mistake(
    "Only first pieces are chosen: the rest of their words should follow.",
    lambda luck, continues, ordinary, rate: ordinary & (luck < rate) & ~continues,
)


@whole_words.mistake("A word is chosen if any of its pieces is lucky: long words then come more often.")
def _any_piece(luck: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    chosen = torch.zeros_like(ordinary)
    for row, marks in enumerate(continues.tolist()):
        starts = [place for place, mark in enumerate(marks) if not mark]
        for start, stop in zip(starts, [*starts[1:], len(marks)], strict=True):
            chosen[row, start:stop] = bool((luck[row, start:stop] < rate).any())
    return ordinary & chosen


def _by_first(
    luck: Tensor, continues: Tensor, ordinary: Tensor, rate: float, *, mixed: bool, dim: int
) -> Tensor:
    """Give a wrong answer with another first piece: the wrong ones are set to 0, or along the wrong axis."""
    positions = torch.arange(luck.shape[1]).expand(luck.shape)
    first = torch.where(continues ^ mixed, 0, positions).cummax(dim=dim).values
    return ordinary & (luck.gather(1, first) < rate)


whole_words.mistake(
    "The running maximum goes down the batch: it should go along the row, dim=1.",
    partial(_by_first, mixed=False, dim=0),
)


whole_words.mistake(
    "luck[first] takes whole rows of `luck`; luck.gather(1, first) takes one entry for each position.",
    lambda luck, continues, _ordinary, _rate: luck[
        torch.where(continues, 0, torch.arange(luck.shape[1]).expand(luck.shape)).cummax(dim=1).values
    ],
)


whole_words.mistake(
    "cummax gives two things, the maxima and where they stand: take .values.",
    lambda luck, _continues, _ordinary, _rate: luck.gather(1, luck.cummax(dim=1)),
)


whole_words.mistake(
    "& comes before <: without parentheses `ordinary & luck` is computed first. ordinary & (luck < rate)",
    lambda luck, _continues, ordinary, rate: ordinary & luck < rate,
)


@whole_words.mistake("Special tokens are chosen too: keep to `ordinary`.")
def _special_too(luck: Tensor, continues: Tensor, _ordinary: Tensor, rate: float) -> Tensor:
    positions = torch.arange(luck.shape[1]).expand(luck.shape)
    first = torch.where(continues, 0, positions).cummax(dim=1).values
    return luck.gather(1, first) < rate


@whole_words.mistake("Only the second piece of a word follows the first; the third and later ones do too.")
def _one_further(luck: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    before = torch.roll(luck, 1, dims=1)
    return ordinary & (torch.where(continues, before, luck) < rate)


def _capped_cases() -> Iterator[Case]:
    luck = torch.tensor([[0.0, 0.7, 0.2, 0.9, 0.4, 0.6, 0.3, 0.1]], dtype=torch.float64)
    ordinary = torch.tensor([[False, True, True, True, True, True, True, False]])
    yield Case(luck, ordinary, 0.5, 20)
    rows = torch.ones(3, 80, dtype=torch.bool)
    rows[:, [0, -1]], rows[1, 30:], rows[2, 5:] = False, False, False
    for rate in (0.1, 0.4):
        label = f"78, 29 and 4 ordinary tokens, rate {rate}, at most 20"
        yield Case(uniform(3, 80, seed=6), rows, rate, 20, label=label)


@exercise(
    cases=_capped_cases,
    hints=(
        "For each row: how many ordinary tokens has it, and so how many are to be chosen?",
        "The count is round(rate * ordinary), at least 1 and at most `most`.",
        "Take as many with the lowest luck: set the others' luck to 2, then topk(…, largest=False).",
    ),
    note="So a sequence always has a question, and never more than `most`: shapes stay the same.",
)
def capped_choice(luck: Tensor, ordinary: Tensor, rate: float, most: int) -> Tensor:
    """Choose a fixed count in each row, nearly as the BERT paper's code does: those with the lowest luck.

    `luck` and `ordinary` are (batch, seq_len). The count is `rate` times the ordinary tokens of the row,
    rounded, at least 1 and at most `most`; the paper's code counts [CLS] and [SEP] too. Every row has an
    ordinary token.
    """
    chosen = torch.zeros_like(ordinary)
    for row, allowed in enumerate(ordinary):
        count = min(most, max(1, round(rate * int(allowed.sum()))))
        places = torch.where(allowed, luck[row], 2.0).topk(count, largest=False).indices
        chosen[row, places] = True
    return chosen


def _counted(luck: Tensor, ordinary: Tensor, counts: list[int], *, lowest: bool = True) -> Tensor:
    chosen = torch.zeros_like(ordinary)
    for row, (allowed, count) in enumerate(zip(ordinary, counts, strict=True)):
        places = torch.where(allowed, luck[row], 2.0 if lowest else -1.0).topk(count, largest=not lowest)
        chosen[row, places.indices] = True
    return chosen


def _sizes(ordinary: Tensor) -> list[int]:
    return [int(size) for size in ordinary.sum(dim=1)]


capped_choice.mistake(
    "Each token is tossed for on its own, so the count varies: it should be the same every time.",
    lambda luck, ordinary, rate, most: ordinary & (luck < rate),
)


capped_choice.mistake(
    "The cap is missing: at most `most` in a row.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [max(1, round(rate * size)) for size in _sizes(ordinary)]
    ),
)


capped_choice.mistake(
    "A short row has no question at all: at least one token is to be chosen.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [min(most, round(rate * size)) for size in _sizes(ordinary)]
    ),
)


capped_choice.mistake(
    "The count is taken of the whole row, special tokens and padding included.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [min(most, max(1, round(rate * luck.shape[1]))) for _ in luck]
    ),
)


capped_choice.mistake(
    "The count is cut off, not rounded: int(0.9) is 0, round(0.9) is 1.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [min(most, max(1, int(rate * size))) for size in _sizes(ordinary)]
    ),
)


capped_choice.mistake(
    "A sum of a tensor is a tensor, and round wants a number: round(rate * int(…)).",
    lambda _luck, ordinary, rate, _most: round(rate * ordinary.sum()),
)


capped_choice.mistake(
    "These are the tokens with the highest luck, not the lowest.",
    lambda luck, ordinary, rate, most: _counted(
        luck, ordinary, [min(most, max(1, round(rate * size))) for size in _sizes(ordinary)], lowest=False
    ),
)


capped_choice.mistake(
    "Special tokens are chosen too: only `ordinary` tokens may be.",
    lambda luck, ordinary, rate, most: _counted(
        luck,
        torch.ones_like(ordinary),
        [min(most, max(1, round(rate * size))) for size in _sizes(ordinary)],
    ),
)
