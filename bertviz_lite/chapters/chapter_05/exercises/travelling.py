"""How far news travels: through layers that see only neighbours, and through attention weights."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _window_cases() -> Iterator[Case]:
    yield Case(12, 1, label="12 tokens, one neighbour on each side")
    yield Case(12, 4, label="12 tokens, four neighbours on each side")
    yield Case(512, 64, label="512 tokens, 64 neighbours on each side")
    yield Case(9, 8, label="9 tokens, eight neighbours on each side")


@exercise(
    cases=_window_cases,
    hints=(
        "The longest way is from the last token to the first. How many steps of one token is that?",
        "In one layer news moves by at most `window` tokens. Divide, and round up.",
        "Rounding up in whole numbers: -(-a // b).",
    ),
    note="BERT's own layers see everything: there one layer is enough for news to arrive.",
)
def layers_needed(seq_len: int, window: int) -> int:
    """Say after how many layers every token can have heard from every other.

    In each layer a token reads itself and `window` neighbours on each side; `seq_len` is at least 2.
    """
    return -(-(seq_len - 1) // window)


layers_needed.mistake(
    "From the last token to the first it is seq_len - 1 steps, not seq_len.",
    lambda seq_len, window: -(-seq_len // window),
)
layers_needed.mistake(
    "Round up: news that has nearly arrived needs one layer more.",
    lambda seq_len, window: (seq_len - 1) // window,
)
layers_needed.mistake(
    "A layer moves news by `window` tokens, not by 2 · window: it has to go from one end to the other.",
    lambda seq_len, window: -(-(seq_len - 1) // (2 * window)),
)
layers_needed.mistake(
    "A layer takes in `window` neighbours on each side, not one.", lambda seq_len, _window: seq_len - 1
)


def _weights(layers: int, heads: int, seq_len: int, seed: int) -> Tensor:
    return (2 * normal(layers, heads, seq_len, seq_len, seed=seed)).softmax(dim=-1)


def _rollout_cases() -> Iterator[Case]:
    first = torch.tensor([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], dtype=torch.float64)
    second = torch.tensor([[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]], dtype=torch.float64)
    yield Case(torch.stack([first, second])[:, None])
    yield Case(_weights(3, 2, 4, 1), label="3 layers of 2 heads, 4 tokens")


@exercise(
    cases=_rollout_cases,
    hints=(
        "For each layer: the mean over its heads, and half of it replaced by the identity (torch.eye).",
        "Start with the identity. Each layer's matrix is multiplied from the left: mixed @ rolled.",
        "for weights in attentions: rolled = (weights.mean(dim=0) + eye) / 2 @ rolled",
    ),
    note="Each row sums to one: it says of which tokens a place is mixed, if weights were all that counts.",
)
def rollout(attentions: Tensor) -> Tensor:
    """Follow news through the layers: (layers, heads, seq_len, seq_len) -> (seq_len, seq_len).

    In each layer a place keeps half of itself, and takes the other half as the heads look, on average.
    Row: the place after the last layer; column: the token at the input.
    """
    own = torch.eye(attentions.shape[-1], dtype=attentions.dtype)
    rolled = own
    for weights in attentions:
        rolled = (weights.mean(dim=0) + own) / 2 @ rolled
    return rolled


def _rolled(
    attentions: Tensor, share: float = 0.5, *, backwards: bool = False, total: bool = False
) -> Tensor:
    own = torch.eye(attentions.shape[-1], dtype=attentions.dtype)
    rolled = own
    for weights in attentions:
        mean = weights.sum(dim=0) if total else weights.mean(dim=0)
        mixed = (1 - share) * mean + share * own
        rolled = rolled @ mixed if backwards else mixed @ rolled
    return rolled


rollout.mistake(
    "The half that a place keeps of itself is missing: average with the identity.",
    lambda attentions: _rolled(attentions, 0.0),
)
rollout.mistake(
    "The layers are multiplied in the wrong order: a later layer mixes what the earlier ones have made, so "
    "it stands on the left.",
    lambda attentions: _rolled(attentions, backwards=True),
)
rollout.mistake(
    "The heads are added up: take their mean, so that each row still sums to one.",
    lambda attentions: _rolled(attentions, total=True),
)
rollout.mistake(
    "That is the last layer alone: multiply the matrices of all layers.",
    lambda attentions: _rolled(attentions[-1:]),
)
rollout.mistake(
    "That is the mean over the layers: news is handed on from layer to layer, so multiply.",
    lambda attentions: (
        (attentions.mean(dim=(0, 1)) + torch.eye(attentions.shape[-1], dtype=attentions.dtype)) / 2
    ),
)
rollout.mistake(
    "Turned round: rows are the places that read, columns the tokens that are read.",
    lambda attentions: _rolled(attentions).T,
)
rollout.mistake(
    "Multiply as matrices, with @; * multiplies number by number.",
    lambda attentions: torch.stack(
        [(w.mean(dim=0) + torch.eye(w.shape[-1], dtype=w.dtype)) / 2 for w in attentions]
    ).prod(dim=0),
)
rollout.mistake(
    "The identity is added, and not divided by 2 again: each row should sum to one.",
    lambda attentions: _rolled(attentions) * 2 ** len(attentions),
)
