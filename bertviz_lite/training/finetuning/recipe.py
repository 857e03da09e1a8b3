"""The recipe of fine-tuning: everything that decides what it does to a model."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bertviz_lite.basics.arguments import ArgumentError, share, shown, whole_number


@dataclass(frozen=True)
class FineTuning:
    """Everything that decides what fine-tuning does to a model; what is set here suits the pocket model.

    Attributes
    ----------
    epochs
        How often every example is seen.
    steps
        Stop after so many steps, whatever ``epochs`` says; None for no such limit.
    batch_size
        Examples per step.
    learning_rate
        The highest; it rises over the first ``warmup`` of the steps and falls to 0 in a straight line.
    warmup, weight_decay
        As in pre-training.
    dropout
        Share of the numbers that training sets to 0 at random, in body and head; None for the body's own.
    frozen
        Train the head alone; the body, pooler included, stays as it is.
    balanced
        Weigh each label in the loss by 1 / (its share among the examples), so that a rare one counts as much.
    every_token
        Train on a word's tag at all of its tokens, not at the first alone; see ``encode``.
    seed
        For the head's first weights, the order of the examples, and dropout.
    """

    epochs: float = 6
    steps: int | None = None
    batch_size: int = 16
    learning_rate: float = 1e-3
    warmup: float = 0.1
    weight_decay: float = 0.01
    dropout: float | None = 0.0
    frozen: bool = False
    balanced: bool = False
    every_token: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("epochs", "learning_rate"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
                raise ArgumentError(f"{name}={shown(value)}: a number above 0 is needed.")
        whole_number("batch_size", self.batch_size, least=1)
        whole_number("seed", self.seed, least=0)
        if self.steps is not None:
            whole_number("steps", self.steps, least=1)
        share("warmup", self.warmup)
        if self.dropout is not None and share("dropout", self.dropout) == 1:
            raise ArgumentError(f"dropout={self.dropout}: a share from 0 to below 1 is needed.")
