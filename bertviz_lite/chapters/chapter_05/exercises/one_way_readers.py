"""Readers of one side: who may look at whom, and how two guesses are glued."""

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
    two = torch.tensor([[0.1, 0.4], [0.2, 0.4], [0.3, 0.1]], dtype=torch.float64)  # goes, is
    yield Case(two[0], two[1:2], two[2:], label="the two words of the pencil")
    p, left, right = normal(5, seed=1), normal(3, 5, seed=2), normal(3, 5, seed=3)
    yield Case(p.softmax(dim=-1), left.softmax(dim=-1), right.softmax(dim=-1))


@exercise(
    cases=_glue_cases,
    hints=(
        "How many times as likely does a side make a word? left / p, and right / p.",
        "p times both fractions. One p cancels: left * right / p.",
        "Then divide by the sum over the words: .sum(dim=-1, keepdim=True)",
    ),
    note="Both sides know how common a word is; dividing by p once keeps that from counting twice.",
)
def glue(p: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """Glue what two one-way readers guess: (vocab_size,), 2 × (holes, vocab_size) -> (holes, vocab_size).

    `p` says how common each word is. Each row of the answer sums to one.
    """
    product = p * (left / p) * (right / p)
    return product / product.sum(dim=-1, keepdim=True)


def _scaled(product: Tensor) -> Tensor:
    return product / product.sum(dim=-1, keepdim=True)


glue.mistake(
    "How common a word is counts twice: divide by p once (each side knows it already).",
    lambda _p, left, right: _scaled(left * right),
)
glue.mistake(
    "The answer doesn't sum to one: divide by its sum over the words.",
    lambda p, left, right: left * right / p,
)
glue.mistake(
    "p is multiplied in, but not taken out of the two sides: they are to be left / p and right / p.",
    lambda p, left, right: _scaled(p * left * right),
)
glue.mistake(
    "p is multiplied in, but not taken out of the two sides; and the answer doesn't sum to one.",
    lambda p, left, right: p * left * right,
)
glue.mistake(
    "p itself is missing: p(w) times both fractions.",
    lambda p, left, right: _scaled(left * right / p**2),
)
glue.mistake(
    "That is the mean of the two: the formula multiplies.", lambda _p, left, right: (left + right) / 2
)
glue.mistake(
    "Scaled over all holes together: each row, a hole, should sum to one.",
    lambda p, left, right: (left * right / p) / (left * right / p).sum(),
)
