"""What the record of a training run says: when abilities appear, and how far the loss was by then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bertviz_lite.views.time_lapse.training_run import TrainingRun

HALF = 0.5


def milestones(run: TrainingRun) -> str:
    """Write between which two moments each ability has made half of its way, the earliest first."""
    lines = [f"{'ability':38} {'appears between steps':>21}   first → best"]
    for ability in run.abilities(HALF):
        if ability.first is None:
            lines.append(f"{ability.title:38} {ability.absence:>21}   {ability.best:12.2f}")
            continue
        before = 0 if ability.below is None else run.steps[ability.below]
        between = f"{before:,} and {run.steps[ability.first]:,}"
        lines.append(f"{ability.title:38} {between:>21}    {ability.start:.2f} → {ability.best:.2f}")
    return "\n".join(lines)


@dataclass(frozen=True)
class EarlyOn:
    """How few abilities there are in the next test after the loss has come some way.

    Attributes
    ----------
    step
        The first logged step at which the loss of the words has made its share of the way.
    measured
        Step of the first moment from then on at which abilities were measured.
    there, abilities
        How many abilities had appeared by then, of how many that ever appear.
    right
        The share of masked words that were named at that moment.
    """

    step: int
    measured: int
    there: int
    abilities: int
    right: float


def when_loss_has_made(run: TrainingRun, share: float, start: float | None = None) -> EarlyOn:
    """Find out which abilities there are when the words' loss has made a share of its way down.

    Parameters
    ----------
    run
        The recorded run.
    share
        Of the way from ``start`` to the last logged loss, 0 to 1.
    start
        A loss; the first logged one if None.
    """
    losses = [entry["mlm_loss"] for entry in run.losses]
    begun = losses[0] if start is None else start
    level = begun + share * (losses[-1] - begun)
    step = next(int(entry["step"]) for entry in run.losses if entry["mlm_loss"] <= level)
    later = (index for index, measured in enumerate(run.steps) if measured >= step)
    moment = next(later, len(run.steps) - 1)
    appearing = [ability.first for ability in run.abilities(HALF) if ability.first is not None]
    right = run.moments[moment]["scores"]["masked_words"]
    there = sum(first <= moment for first in appearing)
    return EarlyOn(step, run.steps[moment], there, len(appearing), float(right))
