"""One moment of a training run, with the text and the head that are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bertviz_lite.views.time_lapse.ability import Ability
    from bertviz_lite.views.time_lapse.training_run import TrainingRun

__all__ = ["Moment"]


@dataclass(frozen=True, eq=False)
class Moment:
    """What the time-lapse shows.

    Attributes
    ----------
    run
        The whole run.
    index, text
        Which of its moments, and which of its watched inputs.
    layer, head
        The head that is enlarged.
    threshold
        What share of its way a score must have made for its ability to count as there.
    """

    run: TrainingRun
    index: int
    text: int
    layer: int
    head: int
    threshold: float

    @property
    def entry(self) -> dict[str, Any]:
        """Step, tokens, scores and best heads of the moment."""
        return self.run.moments[self.index]

    @property
    def step(self) -> int:
        """After how many steps it is."""
        return self.run.steps[self.index]

    @property
    def tokens(self) -> list[str]:
        """The tokens of the watched input."""
        return self.run.tokens[self.text]

    @cached_property
    def abilities(self) -> list[Ability]:
        """Every score of the run, those that appear first in front."""
        return self.run.abilities(self.threshold)

    @cached_property
    def weights(self) -> npt.NDArray[np.float64]:
        """The weights of every head, (num_layers, num_heads, seq_len, seq_len)."""
        from bertviz_lite.training.watched import decode_attention

        return decode_attention(self.run.attention[self.text][self.index])

    def is_there(self, ability: Ability) -> bool:
        """Whether an ability has appeared."""
        return ability.first is not None and ability.first <= self.index

    @cached_property
    def best_heads(self) -> dict[Ability, tuple[int, int]]:
        """The (layer, head) that is best for a relation now, where its score says that it is there."""
        best = {}
        for ability in self.abilities:
            head = self.entry["heads"].get(ability.name.removeprefix("head."))
            value = ability.values[self.index]
            if head is None or ability.level is None or value is None:
                continue
            if value >= ability.level:
                best[ability] = (head[0], head[1])
        return best
