"""What a training run left behind for looking back at it: losses, scores and attention at some moments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bertviz_lite.views.time_lapse.ability import Ability

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["TrainingRun"]


@dataclass(frozen=True)
class TrainingRun:
    """A run, as its files record it.

    Attributes
    ----------
    moments
        Dictionaries with "step", "tokens" (or None), "scores" and "heads", in the order of steps.
    losses
        Dictionaries with "step", "mlm_loss", "nsp_loss".
    texts
        The watched inputs: pairs of sentences, joined for reading.
    tokens
        The tokens of each.
    attention
        For each text, codes of the weights: uint8, shape (moments, num_layers, num_heads, seq_len, seq_len);
        see :func:`bertviz_lite.training.watched.decode_attention`.
    notes
        What a reader must know about the numbers.
    """

    moments: list[dict[str, Any]]
    losses: list[dict[str, float]]
    texts: list[str]
    tokens: list[list[str]]
    attention: list[npt.NDArray[np.uint8]]
    notes: list[str]

    @property
    def steps(self) -> list[int]:
        """Steps of the moments."""
        return [moment["step"] for moment in self.moments]

    @property
    def num_layers(self) -> int:
        """Layers of the model."""
        layers: int = self.attention[0].shape[1]
        return layers

    @property
    def num_heads(self) -> int:
        """Heads of a layer."""
        heads: int = self.attention[0].shape[2]
        return heads

    def abilities(self, threshold: float) -> list[Ability]:
        """Return every score, those that appear first in front, those that never do at the end."""
        names = list(dict.fromkeys(name for moment in self.moments for name in moment["scores"]))
        every = [
            Ability.of(name, [moment["scores"].get(name) for moment in self.moments], threshold)
            for name in names
        ]
        never = len(self.moments)
        return sorted(every, key=lambda ability: never if ability.first is None else ability.first)

    def losses_at(self, moment: int) -> dict[str, float] | None:
        """Return the last entry of losses up to a moment; None before the first."""
        past = [entry for entry in self.losses if entry["step"] <= self.steps[moment]]
        return past[-1] if past else None
