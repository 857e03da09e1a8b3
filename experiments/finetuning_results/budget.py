"""How much is measured: examples, sizes, seeds, learning rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bertviz_lite.training.finetuning import FineTuning
from bertviz_lite.world.tasks.sets import (
    feelings,
    names,
    questions,
    sentence_pairs,
)

if TYPE_CHECKING:
    from bertviz_lite.world.tasks.sets import Example

TASKS: dict[str, Callable[[int, int], Sequence[Example]]] = {
    "feelings": feelings,
    "names": names,
    "questions": questions,
    "sentence_pairs": sentence_pairs,
}
TWO_TEXTS = ("questions", "sentence_pairs")
TRAINED_STARTS = ("pre-trained", "random", "word2vec + BiLSTM")
FROM_LITTLE = ("random", "word2vec + BiLSTM")
"""Without a pre-trained BERT: after the passes of the curve, these do not know their own examples."""
FITTED_STARTS = ("pre-trained, frozen", "frozen, mean of four layers", "word counts")
"""A linear map is fitted, nothing is trained."""
STARTS = TRAINED_STARTS + FITTED_STARTS


@dataclass(frozen=True)
class Budget:
    """How much is measured; the file says it, too.

    Attributes
    ----------
    train, test
        Examples for ``tasks``, ``layers``, ``rates`` and ``imbalance``; held-out examples.
    sizes, seeds
        Of the learning curve.
    epochs, fewest_steps
        Passes over the examples, and steps at least, of every training.
    rates
        Learning rates tried.
    scratch_rates, validation
        Learning rates tried from random weights, and the held-out examples by which one is chosen.
    longer, longer_rate
        Of ``longer``: passes over the examples, and the learning rate from random weights.
    unlabelled
        Unlabelled texts for word2vec.
    few, runs, small, large
        Of ``best_of_runs``: examples, trainings that differ in their seed, texts of its validation set and of
        its test set, and texts that stand for all to come.
    """

    train: int = 300
    test: int = 500
    sizes: tuple[int, ...] = (30, 100, 300)
    seeds: int = 3
    epochs: int = 6
    fewest_steps: int = 90
    rates: tuple[float, ...] = (1e-5, 1e-4, 5e-4, 1e-3, 2e-3, 1e-2)
    scratch_rates: tuple[float, ...] = (1e-4, 3e-4, 1e-3)
    validation: int = 150
    longer: int = 40
    longer_rate: float = 3e-4
    unlabelled: int = 13_000
    few: int = 100
    runs: int = 20
    small: int = 100
    large: int = 500

    def recipe(self, count: int, **changes: Any) -> FineTuning:  # noqa: ANN401 - fields of FineTuning
        """Return the recipe for so many examples."""
        batch = FineTuning().batch_size
        per_epoch = -(-count // batch)
        return FineTuning(epochs=max(self.epochs, self.fewest_steps / per_epoch), **changes)
