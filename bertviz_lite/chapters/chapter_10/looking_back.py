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
    """How few abilities there are in the first test after the first logged loss.

    Attributes
    ----------
    first, last, loss
        The steps of a logged mean that has this test among them, and that mean of the words' loss.
    made
        The share of its way that it has made, from a blind guess to the loss at the way's end.
    measured
        Step of that test.
    there, abilities
        How many abilities had appeared by then, of how many that ever appear.
    """

    first: int
    last: int
    loss: float
    made: float
    measured: int
    there: int
    abilities: int


def early_on(run: TrainingRun, blind: float, until: int) -> EarlyOn:
    """Find out which abilities there are soon after the first logged loss.

    Each logged loss is the mean over the steps since the one before.

    Parameters
    ----------
    run
        The recorded run.
    blind
        The loss of a blind guess.
    until
        A logged step: the end of the way.
    """
    loss_at = {int(entry["step"]): entry["mlm_loss"] for entry in run.losses}
    begin = min(loss_at)
    moment = next(index for index, measured in enumerate(run.steps) if measured > begin)
    last = min(step for step in loss_at if step >= run.steps[moment])
    first = 1 + max(step for step in loss_at if step < run.steps[moment])
    made = (blind - loss_at[last]) / (blind - loss_at[until])
    appearing = [ability.first for ability in run.abilities(HALF) if ability.first is not None]
    there = sum(first <= moment for first in appearing)
    return EarlyOn(first, last, loss_at[last], made, run.steps[moment], there, len(appearing))
