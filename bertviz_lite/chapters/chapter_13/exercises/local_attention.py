"""Exercises of chapter 13, a real BERT: ModernBERT's local attention."""

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [Case(5, 1), Case(7, 2), Case(4, 0), Case(3, 9)],
    hints=(
        "places = torch.arange(seq_len); places[:, None] - places[None] is every query minus every key.",
        "Its absolute value, .abs(), is the distance: True where it is at most `half`.",
    ),
    note="ModernBERT does so in two layers of three, 64 places to either side; in the third all is seen.",
)
def near_enough(seq_len: int, half: int) -> Tensor:
    """Mark the keys that each query may see if it sees `half` places to either side, and itself.

    True and False, of shape (seq_len, seq_len): a row for each query.
    """
    places = torch.arange(seq_len)
    return (places[:, None] - places[None]).abs() <= half


def _apart(seq_len: int) -> Tensor:
    places = torch.arange(seq_len)
    return places[:, None] - places[None]


near_enough.mistake(
    "The places at a distance of exactly `half` are missing.", lambda n, half: _apart(n).abs() < half
)
near_enough.mistake(
    "Later places are all seen: the distance has no sign here, use .abs().",
    lambda n, half: _apart(n) <= half,
)
near_enough.mistake(
    "Only earlier places are seen; later ones are, too.",
    lambda n, half: (_apart(n) >= 0) & (_apart(n) <= half),
)
near_enough.mistake(
    "`half` is for either side; here each side has half of it.", lambda n, half: _apart(n).abs() <= half // 2
)
near_enough.mistake(
    "Those are distances; compare them with `half`.", lambda n, half: _apart(n).abs().double()
)
