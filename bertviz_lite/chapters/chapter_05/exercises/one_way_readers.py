"""Readers of one side: who may look at whom."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


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
