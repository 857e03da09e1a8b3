"""Exercises of chapter 13, a real BERT: positions that rotate."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _rotary_cases() -> Iterator[Case]:
    yield Case(torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]]).double(), torch.tensor([0, 1, 2]))
    yield Case(normal(2, 3, 4), torch.tensor([3, 4, 9]), label="vectors of shape (2, 3, 4), places 3, 4, 9")
    yield Case(normal(5, 6, seed=1), torch.arange(5), label="vectors of shape (5, 6), places 0 to 4")


@exercise(
    cases=_rotary_cases,
    hints=(
        "angles = positions[:, None] * 10_000 ** (-torch.arange(half) / half), of shape (seq_len, half).",
        "a, b = vectors[..., :half], vectors[..., half:]; (a, b) becomes (a cos - b sin, b cos + a sin).",
        "Put both halves side by side again: torch.cat([…, …], dim=-1).",
    ),
    note="Rotated so, the dot product of query and key depends on their distance only.",
)
def rotate(vectors: Tensor, positions: Tensor) -> Tensor:
    """Rotate queries or keys by their place, as ModernBERT does: (…, seq_len, head_size), the shape stays.

    With half = head_size / 2, component i and component i + half are a pair (a, b). At place p it is turned
    by the angle p · 10000 ** (-i / half). `positions` is (seq_len,). Source: Su et al., 2021,
    "RoFormer: enhanced transformer with rotary position embedding", section 3.2.2.
    """
    half = vectors.shape[-1] // 2
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(half, dtype=vectors.dtype) / half)
    a, b = vectors[..., :half], vectors[..., half:]
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


def _turn(
    vectors: Tensor, positions: Tensor, sign: int = 1, power: int = 1, base: float = 10_000.0
) -> Tensor:
    half = vectors.shape[-1] // 2
    angles = positions[:, None] * base ** (-power * torch.arange(half, dtype=vectors.dtype) / half)
    a, b = vectors[..., :half], vectors[..., half:]
    cos, sin = angles.cos(), sign * angles.sin()
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


rotate.mistake("It turns the other way round: the signs of sin are exchanged.", lambda v, p: _turn(v, p, -1))
rotate.mistake(
    "The angles fall too slowly: divide i by half, not by head_size.",
    lambda v, p: _turn(v, p, base=100.0),
)
rotate.mistake(
    "The exponent has the wrong sign: later pairs turn slowly.", lambda v, p: _turn(v, p, power=-1)
)


@rotate.mistake("`positions` is not used: the places are not always 0, 1, 2, …")
def _from_zero(vectors: Tensor, positions: Tensor) -> Tensor:
    return _turn(vectors, torch.arange(len(positions)))


@rotate.mistake("A minus is missing: (a, b) becomes (a cos - b sin, b cos + a sin).")
def _no_minus(vectors: Tensor, positions: Tensor) -> Tensor:
    half = vectors.shape[-1] // 2
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(half, dtype=vectors.dtype) / half)
    a, b = vectors[..., :half], vectors[..., half:]
    return torch.cat([a * angles.cos() + b * angles.sin(), b * angles.cos() + a * angles.sin()], dim=-1)


@rotate.mistake("Neighbouring components are paired (0 with 1); pair component i with i + half.")
def _interleaved(vectors: Tensor, positions: Tensor) -> Tensor:
    half = vectors.shape[-1] // 2
    apart = torch.cat([vectors[..., 0::2], vectors[..., 1::2]], dim=-1)
    turned = _turn(apart, positions)
    return torch.stack([turned[..., :half], turned[..., half:]], dim=-1).flatten(-2)
