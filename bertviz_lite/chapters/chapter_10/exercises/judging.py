"""Exercises of chapter 10, pre-training: a gain beside the spread of seeds."""

from collections.abc import Iterator
from statistics import stdev

from bertviz_lite.exercises import Case, exercise


def _gain_cases() -> Iterator[Case]:
    yield Case([0.70, 0.75], 0.80)
    yield Case([0.70, 0.75], 0.74)
    yield Case([0.648, 0.667], 0.60)
    yield Case([0.46, 0.5, 0.4], 0.52)


@exercise(
    cases=_gain_cases,
    hints=(
        "The spread of runs that differ in the seed alone is chance: the largest minus the smallest.",
        "The gain is counted from the mean of these runs.",
        "gain / spread; the sign is the gain's.",
    ),
    note="With three seeds this is a rough guide: a ratio of 1 or 2 means little. More seeds mean more.",
)
def score_gain(seeds: list[float], changed: float) -> float:
    """Build the variant: compare the gain of a changed recipe with the spread of seeds, as a ratio.

    `seeds` are the scores of the old recipe with several seeds, `changed` that of the new one. The spread is
    the largest of `seeds` minus the smallest; the gain is counted from their mean, negative for a loss.
    """
    return (changed - sum(seeds) / len(seeds)) / (max(seeds) - min(seeds))


score_gain.mistake(
    "The sign is lost: a change for the worse is a negative gain.",
    lambda seeds, changed: abs(changed - sum(seeds) / len(seeds)) / (max(seeds) - min(seeds)),
)
score_gain.mistake(
    "That is the gain; divide it by the spread of the seeds.",
    lambda seeds, changed: changed - sum(seeds) / len(seeds),
)
score_gain.mistake(
    "The gain is counted from the best seed; count it from the mean.",
    lambda seeds, changed: (changed - max(seeds)) / (max(seeds) - min(seeds)),
)
score_gain.mistake(
    "That is divided by the standard deviation; the spread is the largest minus the smallest.",
    lambda seeds, changed: (changed - sum(seeds) / len(seeds)) / stdev(seeds),
)
score_gain.mistake(
    "That is a gain in per cent of the old score; compare it with the spread of the seeds.",
    lambda seeds, changed: (changed - sum(seeds) / len(seeds)) / (sum(seeds) / len(seeds)),
)
