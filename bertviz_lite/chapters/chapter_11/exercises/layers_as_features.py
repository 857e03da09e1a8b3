"""Exercises of chapter 11, fine-tuning: the last four layers as features."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


def _layer_cases() -> Iterator[Case]:
    for layers, seed in ((7, 0), (5, 1)):
        generator = torch.Generator().manual_seed(seed)
        states = tuple(torch.randn(2, 3, 4, generator=generator, dtype=torch.float64) for _ in range(layers))
        yield Case(states, label=f"hidden_states of {layers} tensors, each (2, 3, 4)")


@exercise(
    cases=_layer_cases,
    hints=(
        "hidden_states[-4:] are the last four of the tuple.",
        "torch.cat(…, dim=-1) puts vectors end to end; the last layer's part is last.",
    ),
    note="For a linear probe, adding the four is a special case of it: equal weights on the four parts.",
)
def last_four(hidden_states: tuple[Tensor, ...]) -> Tensor:
    """Put the vectors of the last four layers end to end, the lowest of them first.

    Each of `hidden_states` is (batch, seq_len, hidden_size); the result is (batch, seq_len, 4 · hidden_size).
    """
    return torch.cat(hidden_states[-4:], dim=-1)


last_four.mistake("This is the sum of the four; put them end to end.", lambda states: sum(states[-4:]))
last_four.mistake(
    "The order is the opposite: the lowest of the four is first.",
    lambda states: torch.cat(states[-4:][::-1], dim=-1),
)
last_four.mistake(
    "The four are laid along the tokens, axis 1; put the vectors end to end, axis -1.",
    lambda states: torch.cat(states[-4:], dim=1),
)
last_four.mistake(
    "The four are laid along the batch, axis 0; put the vectors end to end, axis -1.",
    lambda states: torch.cat(states[-4:]),
)
last_four.mistake(
    "The last layer is left out: states[-4:] goes to the end, states[-4:-1] does not.",
    lambda states: torch.cat(states[-4:-1], dim=-1),
)
last_four.mistake(
    "The four are still apart; put them end to end with torch.cat.", lambda states: torch.stack(states[-4:])
)
last_four.mistake(
    "This is the mean of the four; put them end to end.", lambda states: torch.stack(states[-4:]).mean(dim=0)
)
