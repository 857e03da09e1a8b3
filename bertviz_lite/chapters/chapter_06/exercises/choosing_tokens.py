"""Which tokens are chosen: whole words, or a fixed count."""

from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, uniform


def _word_cases() -> Iterator[Case]:
    continues = torch.tensor([[False, False, True, True, False, False, True, False]])
    choose_draw = torch.tensor([[0.0, 0.1, 0.9, 0.9, 0.5, 0.9, 0.1, 0.0]], dtype=torch.float64)
    ordinary = torch.tensor([[False, True, True, True, True, True, True, False]])
    yield Case(choose_draw, continues, ordinary, 0.15)
    many = uniform(4, 60, seed=5) < 0.3
    edges = torch.ones(4, 60, dtype=torch.bool)
    edges[:, [0, -1]] = False
    yield Case(uniform(4, 60, seed=4), many & edges, edges, 0.4, label="shape (4, 60), rate 0.4")


@exercise(
    cases=_word_cases,
    hints=(
        "Every token takes the draw of its word's first token. Which position is that?",
        "With loops: go along each row, and keep the draw of the last token that doesn't continue a word.",
        "Or number the positions, put 0 where a token continues a word, take the running maximum: cummax.",
        "choose_draw.gather(1, first) takes from each row the entries at the positions in `first`.",
    ),
    note="What replaces each chosen token is still drawn token by token.",
)
def whole_words(choose_draw: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    """Say which tokens are chosen if words are chosen whole.

    All tensors are (batch, seq_len). A word is chosen if `choose_draw` of its first token is below `rate`,
    and then all of its tokens are. `continues` is True for the tokens that start with ##; only `ordinary`
    tokens may be chosen.
    """
    positions = torch.arange(choose_draw.shape[1]).expand(choose_draw.shape)
    first = torch.where(continues, 0, positions).cummax(dim=1).values
    return ordinary & (choose_draw.gather(1, first) < rate)


whole_words.mistake(
    "Each token is chosen on its own: the draw of its word's first token should decide.",
    lambda choose_draw, continues, ordinary, rate: ordinary & (choose_draw < rate),
)
whole_words.mistake(
    "Only first tokens are chosen: the rest of their words should follow.",
    lambda choose_draw, continues, ordinary, rate: ordinary & (choose_draw < rate) & ~continues,
)


@whole_words.mistake("A word is chosen if any of its tokens is drawn: long words are then chosen more often.")
def _any_token(choose_draw: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    chosen = torch.zeros_like(ordinary)
    for row, marks in enumerate(continues.tolist()):
        starts = [place for place, mark in enumerate(marks) if not mark]
        for start, stop in zip(starts, [*starts[1:], len(marks)], strict=True):
            chosen[row, start:stop] = bool((choose_draw[row, start:stop] < rate).any())
    return ordinary & chosen


def _by_first(
    choose_draw: Tensor, continues: Tensor, ordinary: Tensor, rate: float, *, mixed: bool, dim: int
) -> Tensor:
    """Give a wrong answer with another first token: the wrong ones are set to 0, or along the wrong axis."""
    positions = torch.arange(choose_draw.shape[1]).expand(choose_draw.shape)
    first = torch.where(continues ^ mixed, 0, positions).cummax(dim=dim).values
    return ordinary & (choose_draw.gather(1, first) < rate)


whole_words.mistake(
    "The running maximum goes down the batch: it should go along the row, dim=1.",
    partial(_by_first, mixed=False, dim=0),
)
whole_words.mistake(
    "choose_draw[first] takes whole rows; choose_draw.gather(1, first) takes one entry for each position.",
    lambda choose_draw, continues, _ordinary, _rate: choose_draw[
        torch.where(continues, 0, torch.arange(choose_draw.shape[1]).expand(choose_draw.shape))
        .cummax(dim=1)
        .values
    ],
)
whole_words.mistake(
    "cummax gives two things, the maxima and where they stand: take .values.",
    lambda choose_draw, _continues, _ordinary, _rate: choose_draw.gather(1, choose_draw.cummax(dim=1)),
)
whole_words.mistake(
    "& is computed before <: write ordinary & (choose_draw < rate), with parentheses.",
    lambda choose_draw, _continues, ordinary, rate: ordinary & choose_draw < rate,
)


@whole_words.mistake("Special tokens are chosen too: keep to `ordinary`.")
def _special_too(choose_draw: Tensor, continues: Tensor, _ordinary: Tensor, rate: float) -> Tensor:
    positions = torch.arange(choose_draw.shape[1]).expand(choose_draw.shape)
    first = torch.where(continues, 0, positions).cummax(dim=1).values
    return choose_draw.gather(1, first) < rate


@whole_words.mistake("Only the second token of a word follows the first; the third and later ones do too.")
def _one_further(choose_draw: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    before = torch.roll(choose_draw, 1, dims=1)
    return ordinary & (torch.where(continues, before, choose_draw) < rate)


def _capped_cases() -> Iterator[Case]:
    choose_draw = torch.tensor([[0.0, 0.7, 0.2, 0.9, 0.4, 0.6, 0.3, 0.1]], dtype=torch.float64)
    ordinary = torch.tensor([[False, True, True, True, True, True, True, False]])
    yield Case(choose_draw, ordinary, 0.5, 20)
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
        "Take as many with the lowest draws: set those of the others to 2, then topk(…, largest=False).",
    ),
    note="So a sequence always has a question, and never more than `most`: shapes stay the same.",
)
def capped_choice(choose_draw: Tensor, ordinary: Tensor, rate: float, most: int) -> Tensor:
    """Choose a fixed count in each row, nearly as the BERT paper's code does: those with the lowest draws.

    `choose_draw` and `ordinary` are (batch, seq_len). The count is `rate` times the ordinary tokens of the
    row, rounded, at least 1 and at most `most`; the paper's code counts [CLS] and [SEP] too. Every row has
    an ordinary token.
    """
    chosen = torch.zeros_like(ordinary)
    for row, allowed in enumerate(ordinary):
        count = min(most, max(1, round(rate * int(allowed.sum()))))
        places = torch.where(allowed, choose_draw[row], 2.0).topk(count, largest=False).indices
        chosen[row, places] = True
    return chosen


def _counted(choose_draw: Tensor, ordinary: Tensor, counts: list[int], *, lowest: bool = True) -> Tensor:
    chosen = torch.zeros_like(ordinary)
    for row, (allowed, count) in enumerate(zip(ordinary, counts, strict=True)):
        places = torch.where(allowed, choose_draw[row], 2.0 if lowest else -1.0).topk(
            count, largest=not lowest
        )
        chosen[row, places.indices] = True
    return chosen


def _sizes(ordinary: Tensor) -> list[int]:
    return [int(size) for size in ordinary.sum(dim=1)]


capped_choice.mistake(
    "Each token has a draw of its own, so the count varies: it should be the same every time.",
    lambda choose_draw, ordinary, rate, most: ordinary & (choose_draw < rate),
)
capped_choice.mistake(
    "The cap is missing: at most `most` in a row.",
    lambda choose_draw, ordinary, rate, most: _counted(
        choose_draw, ordinary, [max(1, round(rate * size)) for size in _sizes(ordinary)]
    ),
)
capped_choice.mistake(
    "A short row has no question at all: at least one token is to be chosen.",
    lambda choose_draw, ordinary, rate, most: _counted(
        choose_draw, ordinary, [min(most, round(rate * size)) for size in _sizes(ordinary)]
    ),
)
capped_choice.mistake(
    "The count is taken of the whole row, special tokens and padding included.",
    lambda choose_draw, ordinary, rate, most: _counted(
        choose_draw, ordinary, [min(most, max(1, round(rate * choose_draw.shape[1]))) for _ in choose_draw]
    ),
)
capped_choice.mistake(
    "The count is cut off, not rounded: int(0.9) is 0, round(0.9) is 1.",
    lambda choose_draw, ordinary, rate, most: _counted(
        choose_draw, ordinary, [min(most, max(1, int(rate * size))) for size in _sizes(ordinary)]
    ),
)
capped_choice.mistake(
    "A sum of a tensor is a tensor, and round wants a number: round(rate * int(…)).",
    lambda _draw, ordinary, rate, _most: round(rate * ordinary.sum()),
)
capped_choice.mistake(
    "These are the tokens with the highest draws, not the lowest.",
    lambda choose_draw, ordinary, rate, most: _counted(
        choose_draw,
        ordinary,
        [min(most, max(1, round(rate * size))) for size in _sizes(ordinary)],
        lowest=False,
    ),
)
capped_choice.mistake(
    "Special tokens are chosen too: only `ordinary` tokens may be.",
    lambda choose_draw, ordinary, rate, most: _counted(
        choose_draw,
        torch.ones_like(ordinary),
        [min(most, max(1, round(rate * size))) for size in _sizes(ordinary)],
    ),
)
