"""Readers of one side: who may look at whom, and two guesses glued together."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _reader_cases() -> Iterator[Case]:
    is_token = torch.tensor([[True, True, True, True, True, False]])
    is_special = torch.tensor([[True, False, False, False, True, False]])  # [CLS] a b c [SEP] [PAD]
    yield Case(is_token, is_special, label="[CLS] a b c [SEP] [PAD]")
    is_token = torch.tensor([[True] * 5, [True] * 4 + [False]])
    is_special = torch.tensor([[True, False, False, False, True], [True, False, False, True, False]])
    yield Case(is_token, is_special, label="[CLS] a b c [SEP], and [CLS] a b [SEP] [PAD]")


@exercise(
    cases=_reader_cases,
    hints=(
        "Without special tokens it is a triangle: row i may look at column j where j <= i.",
        "Special tokens are seen from everywhere: … | is_special[:, None, :]",
        "Special tokens see only each other: in their rows, & ~is_special[:, :, None] before the |.",
        "Padding is seen by nobody: & is_token[:, None, :]",
    ),
    note="Without the third rule, [CLS] reads the right side in one layer, and hands it on in the next.",
)
def left_only(is_token: Tensor, is_special: Tensor) -> Tensor:
    """Say who may look at whom in a reader of the left side: (batch, seq_len) -> (batch, seq_len, seq_len).

    Row: the place that looks; column: what is looked at; True: it may. A word looks at itself and at words
    before it; special tokens can be seen by all, and see only special tokens; padding is seen by nobody (the
    rows of padding are not read: make them like those of words).
    """
    seq_len = is_token.shape[1]
    before = torch.ones(seq_len, seq_len, dtype=torch.bool).tril()
    allowed = (before & ~is_special[:, :, None]) | is_special[:, None, :]
    return allowed & is_token[:, None, :]


def _reader(
    is_token: Tensor,
    is_special: Tensor,
    keep: Callable[[Tensor], Tensor] = torch.tril,
    *,
    seen: bool = True,
    closed: bool = True,
) -> Tensor:
    allowed = keep(torch.ones(is_token.shape[1], is_token.shape[1])) == 1
    allowed = allowed & ~is_special[:, :, None] if closed else allowed.expand(len(is_token), -1, -1)
    allowed = allowed | is_special[:, None, :] if seen else allowed
    return allowed & is_token[:, None, :]


left_only.mistake(
    "Words look to the right: the triangle is the wrong way round.",
    lambda tokens, special: _reader(tokens, special, torch.triu),
)
left_only.mistake(
    "A word does not see itself: the diagonal belongs to it.",
    lambda tokens, special: _reader(tokens, special, lambda ones: ones.tril(-1)),
)
left_only.mistake(
    "Special tokens see words: they would carry news from the right side to the left.",
    lambda tokens, special: _reader(tokens, special, closed=False),
)
left_only.mistake(
    "[SEP] stands on the right, but may be seen by all: special tokens are a place to rest on.",
    lambda tokens, special: _reader(tokens, special, seen=False),
)
left_only.mistake(
    "Padding is seen.",
    lambda tokens, special: _reader(torch.ones_like(tokens), special),
)
left_only.mistake(
    "That is GPT's triangle for all: the rules for special tokens are missing.",
    lambda tokens, special: _reader(tokens, special, seen=False, closed=False),
)
left_only.mistake(
    "Inverted: True is what may be seen.",
    lambda tokens, special: ~_reader(tokens, special),
)


def _glue_cases() -> Iterator[Case]:
    left, right, frequency = (
        torch.tensor(shares, dtype=torch.float64).log()
        for shares in ([0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.5, 0.25, 0.25])
    )
    yield Case(left, right, frequency)
    left, right = (2 * normal(4, 6, seed=seed) for seed in (1, 2))
    frequency = normal(6, seed=3).log_softmax(dim=-1)
    yield Case(left.log_softmax(dim=-1), right.log_softmax(dim=-1), frequency, label="4 places, 6 words")


@exercise(
    cases=_glue_cases,
    hints=(
        "In logarithms a product is a sum, and a division a difference.",
        "left + right - frequency: the probabilities don't yet sum to one.",
        "log_softmax along the last axis makes them sum to one.",
    ),
    note="If the two sides are independent given the word, nothing better can be done with the two guesses.",
)
def glue(left: Tensor, right: Tensor, frequency: Tensor) -> Tensor:
    """Glue two guesses: p(w | left) p(w | right) / p(w), scaled so that it sums to one.

    All are logarithms: `left` and `right` of shape (…, vocab_size), `frequency` (vocab_size,); so is the
    result, (…, vocab_size).
    """
    return (left + right - frequency).log_softmax(dim=-1)


glue.mistake(
    "The division by the frequency is missing: both sides have counted how common a word is.",
    lambda left, right, frequency: (left + right).log_softmax(dim=-1),
)
glue.mistake(
    "Multiplied by the frequency: divide, which is a minus in logarithms.",
    lambda left, right, frequency: (left + right + frequency).log_softmax(dim=-1),
)
glue.mistake(
    "The probabilities don't sum to one: log_softmax along the last axis.",
    lambda left, right, frequency: left + right - frequency,
)
glue.mistake(
    "That is the mean of the two guesses: a word that one side excludes should be out.",
    lambda left, right, frequency: ((left.exp() + right.exp()) / 2).log(),
)
glue.mistake(
    "These are probabilities: give their logarithms.",
    lambda left, right, frequency: (left + right - frequency).softmax(dim=-1),
)
