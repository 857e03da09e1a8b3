"""Exercises of chapter 09, pre-training: a gain beside the spread between seeds."""

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
        "What lies between runs that differ in the seed alone is luck: the largest minus the smallest.",
        "The gain is counted from the mean of these runs.",
        "gain / luck; the sign is the gain's.",
    ),
    note="With two seeds this is a rough guide: a ratio of 1 or 2 says little. More seeds say more.",
)
def score_gain(seeds: list[float], changed: float) -> float:
    """Build the variant: say how many times as large as luck the gain of a changed recipe is.

    `seeds` are the scores of the old recipe with several seeds, `changed` that of the new one. Luck is the
    largest of `seeds` minus the smallest; the gain is counted from their mean, and is negative for a loss.
    """
    return (changed - sum(seeds) / len(seeds)) / (max(seeds) - min(seeds))


score_gain.mistake(
    "The sign is lost: a change for the worse is a negative gain.",
    lambda seeds, changed: abs(changed - sum(seeds) / len(seeds)) / (max(seeds) - min(seeds)),
)
score_gain.mistake(
    "That is the gain; divide it by what lies between the seeds.",
    lambda seeds, changed: changed - sum(seeds) / len(seeds),
)
score_gain.mistake(
    "The gain is counted from the best seed; count it from the mean.",
    lambda seeds, changed: (changed - max(seeds)) / (max(seeds) - min(seeds)),
)
score_gain.mistake(
    "That is divided by the standard deviation; luck is the largest minus the smallest.",
    lambda seeds, changed: (changed - sum(seeds) / len(seeds)) / stdev(seeds),
)
score_gain.mistake(
    "That is a gain in per cent of the old score; it is to be compared with what lies between the seeds.",
    lambda seeds, changed: (changed - sum(seeds) / len(seeds)) / (sum(seeds) / len(seeds)),
)
