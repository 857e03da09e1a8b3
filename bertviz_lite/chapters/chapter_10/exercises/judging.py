"""Exercises of chapter 10, pre-training: whether a changed recipe has helped, beyond chance."""

from collections.abc import Iterator

from bertviz_lite.exercises import Case, exercise


def _clear_cases() -> Iterator[Case]:
    yield Case([0.70, 0.72, 0.71], [0.75, 0.76, 0.74])
    yield Case([0.70, 0.76, 0.73], [0.74, 0.79, 0.75])
    yield Case([0.70, 0.71, 0.72], [0.80, 0.80, 0.70])
    yield Case([0.50, 0.52, 0.51], [0.44, 0.47, 0.46])
    yield Case([0.648, 0.667], [0.70, 0.70])
    yield Case([0.60, 0.66, 0.62], [0.61, 0.68, 0.73])
    yield Case([0.50, 0.56], [0.57, 0.60])


@exercise(
    cases=_clear_cases,
    hints=(
        "The gains, seed by seed: changed minus before.",
        "All gains above 0, or all below 0: then the seeds agree.",
        "The spread is max(before) - min(before); the mean gain may be negative, so take its size, abs().",
    ),
    note="A rough guide: three seeds agree by chance in a quarter of all cases. More seeds say more.",
)
def clear(before: list[float], changed: list[float]) -> bool:
    """Say whether a change is clear: all seeds agree, and the mean gain is larger than the spread.

    `before` are the scores of the old recipe, a seed each, `changed` those of the new one with the same
    seeds. The spread is the largest of `before` minus the smallest. A clear loss is clear, too.
    """
    gains = [new - old for old, new in zip(before, changed, strict=True)]
    agree = all(gain > 0 for gain in gains) or all(gain < 0 for gain in gains)
    return agree and abs(sum(gains) / len(gains)) > max(before) - min(before)


def _gains(before: list[float], changed: list[float]) -> list[float]:
    return [new - old for old, new in zip(before, changed, strict=True)]


def _agree(gains: list[float]) -> bool:
    return min(gains) > 0 or max(gains) < 0


@clear.mistake("The mean gain alone doesn't do: all seeds must agree in the direction, too.")
def _mean_alone(before: list[float], changed: list[float]) -> bool:
    gains = _gains(before, changed)
    return abs(sum(gains) / len(gains)) > max(before) - min(before)


clear.mistake(
    "That the seeds agree isn't enough: compare the mean gain with the spread of the old recipe's seeds.",
    lambda before, changed: _agree(_gains(before, changed)),
)


@clear.mistake("A change for the worse can be clear, too: compare the size of the mean gain.")
def _gains_alone(before: list[float], changed: list[float]) -> bool:
    gains = _gains(before, changed)
    return _agree(gains) and sum(gains) / len(gains) > max(before) - min(before)


@clear.mistake("That is the largest gain of a seed; take the mean of all.")
def _best_seed(before: list[float], changed: list[float]) -> bool:
    gains = _gains(before, changed)
    return _agree(gains) and max(map(abs, gains)) > max(before) - min(before)


clear.mistake(
    "That asks whether the two recipes' scores overlap; compare the mean gain with the spread.",
    lambda before, changed: min(changed) > max(before) or max(changed) < min(before),
)
