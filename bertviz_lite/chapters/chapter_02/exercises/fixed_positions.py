"""The position table of the first Transformer, from sines and cosines."""

from functools import partial

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [Case(2, 4), Case(3, 4), Case(7, 6), Case(60, 16)],
    hints=(
        "Make a column of positions, (seq_len, 1), and a row of exponents 0, 2, 4, …, (1, hidden_size / 2).",
        "The angles are positions / 10000 ** (exponents / hidden_size).",
        "table[:, 0::2] are the even columns, for the sines; table[:, 1::2] the odd ones, for the cosines.",
    ),
    note="No row of it is learned, and it does not end: any position has a vector. BERT's own table ends.",
)
def sinusoidal(seq_len: int, hidden_size: int) -> Tensor:
    """Build the fixed position table of the first Transformer: (seq_len, hidden_size), hidden_size even.

    Column 2i of row p is sin(p / 10000^(2i / hidden_size)), column 2i + 1 the cosine of the same angle.
    Vaswani et al., 2017, "Attention Is All You Need", section 3.5.
    """
    positions = torch.arange(seq_len).double()[:, None]
    angles = positions / 10_000 ** (torch.arange(0, hidden_size, 2).double() / hidden_size)
    table = torch.empty(seq_len, hidden_size, dtype=torch.float64)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


def _waves(
    seq_len: int, hidden_size: int, *, first: int = 0, step: float = 2.0, swap: bool = False
) -> Tensor:
    pairs = torch.arange(hidden_size // 2).double()
    angles = torch.arange(first, seq_len + first).double()[:, None] * 10_000 ** (-step * pairs / hidden_size)
    waves = [angles.cos(), angles.sin()] if swap else [angles.sin(), angles.cos()]
    return torch.stack(waves, dim=-1).flatten(1)


sinusoidal.mistake(
    "All sines come first, then all cosines; in the paper they take turns: sin, cos, sin, cos, …",
    lambda seq_len, hidden_size: torch.cat([_waves(seq_len, hidden_size)[:, i::2] for i in (0, 1)], dim=1),
)
sinusoidal.mistake("Sine and cosine have changed places: column 0 is a sine.", partial(_waves, swap=True))
sinusoidal.mistake("The positions start at 1: the first row is position 0.", partial(_waves, first=1))
sinusoidal.mistake(
    "The exponent grows half as fast as it should: it is 2i / hidden_size, not i / hidden_size.",
    partial(_waves, step=1.0),
)
sinusoidal.mistake(
    "The exponent grows twice as fast as it should: the even numbers 0, 2, 4, … are 2i already.",
    partial(_waves, step=4.0),
)


@sinusoidal.mistake("A cosine has an angle of its own here; it shares that of the sine to its left.")
def _own_angles(seq_len: int, hidden_size: int) -> Tensor:
    columns = torch.arange(hidden_size).double()
    angles = torch.arange(seq_len).double()[:, None] / 10_000 ** (columns / hidden_size)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
