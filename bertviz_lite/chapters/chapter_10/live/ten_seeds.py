"""The live training ten times, with ten seeds: how its verbs were answered on the way, recorded.

Made by ``python -m bertviz_lite.chapters.chapter_10.live.ten_seeds``, in four to eight minutes on one core.
Each seed has its own stories, first weights, batches and masks. Once more with lengths mixed in a batch: the
live training puts texts of one length together, and a plural is longer than a singular.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.chapters.chapter_10.live.training import LIVE, LiveTraining
from bertviz_lite.data.pretraining.pairs import Mix
from bertviz_lite.plots import CYCLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

FILE = Path(__file__).with_name("ten_seeds.json")
SEEDS = 10
MOMENTS = 20
EACH = 50
"""Questions of each of the exam's four kinds."""


@lru_cache(maxsize=1)
def record() -> dict[str, Any]:
    """Return what was recorded.

    ``steps``: of the 21 tests. ``right``, for each seed and test: how many of 50 were right, as `Exam.counts`
    orders them. ``end``, for each seed: the same four after the last step, with a first sentence "one of the
    other number", and with "none". ``mixed``: as ``right``, with all lengths mixed in each batch.
    """
    made: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return made


def across(kind: str = "right") -> NDArray[np.float64]:
    """Return the share that is right across a toy of the other number: float64, shape (seeds, moments).

    ``kind`` is "right" or "mixed": which record.
    """
    right = np.array(record()[kind])
    return np.asarray(right[..., 2:].sum(axis=-1) / (2 * EACH))


def falls(kind: str = "right", points: int = 20) -> int:
    """Count the tests of all seeds in which *across* is that many points lower than in the test before.

    Parameters
    ----------
    kind
        "right" or "mixed": which record.
    points
        Hundredths of the questions.
    """
    return int((np.diff(across(kind)[:, 1:], axis=1) <= -points / 100 + 1e-9).sum())


def any_plural_at_some_test(kind: str = "right") -> NDArray[np.bool_]:
    """Return for each seed whether some test was answered as by the rule *any toy plural? say plural*.

    By this rule *direct* is right, and *across* is right for plural subjects and wrong for singular ones.
    Here that's 80 % or more of *direct* of either number, 90 % or more of the plural ones across, and 10 % or
    less of the singular ones. The test before any training doesn't count. ``kind`` is "right" or "mixed".
    """
    shares = np.array(record()[kind])[:, 1:] / EACH
    direct = shares[..., :2].min(axis=-1) >= 0.8
    return np.asarray((direct & (shares[..., 2] >= 0.9) & (shares[..., 3] <= 0.1)).any(axis=-1))


def run(
    seed: int, steps: int = LIVE.steps, *, mixed: bool = False
) -> tuple[list[int], list[list[int]], dict[str, list[int]]]:
    """Train with a seed; return the tested steps, what was right in each test, and what at the end."""
    mix = Mix(0, 0, 0, spread=math.inf) if mixed else None
    live = LiveTraining(replace(LIVE, seed=seed), moments=MOMENTS, mix=mix)
    tested, right = [], []
    while True:
        tested.append(live.step)
        right.append(live.exam.counts(live.exam.right(live.model, live.tokenizer)))
        if live.step >= steps:
            break
        live.run(live.every, curve=False)
    end = {}
    for first in ("one of the other number", "none"):
        exam = live.exam.after(first)
        end[first] = exam.counts(exam.right(live.model, live.tokenizer))
    return tested, right, end


def behind(ax: Axes) -> None:
    """Draw *across* of the ten seeds, thin, behind what an axes shows: from the first test in training on."""
    thin: dict[str, Any] = {"color": CYCLE[1], "alpha": 0.45, "linewidth": 0.9, "zorder": 1.5}
    for k, line in enumerate(across()):
        ax.plot(record()["steps"][1:], line[1:], label="" if k else "the same, ten seeds (recorded)", **thin)


def main() -> None:
    """Train with ten seeds, and write the record."""
    ends: dict[str, list[list[int]]] = {"one of the other number": [], "none": []}
    made: dict[str, Any] = {"steps": [], "right": [], "end": ends, "mixed": []}
    for seed in range(SEEDS):
        made["steps"], right, end = run(seed)
        made["right"].append(right)
        for first, counts in end.items():
            ends[first].append(counts)
        made["mixed"].append(run(seed, mixed=True)[1])
    FILE.write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
