"""Figures of chapter 09: shares of pairs, each with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.plots import intervals

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["shares"]


def shares(
    answers: Mapping[str, npt.NDArray[np.bool_]],
    *,
    title: str = "",
    label: str = "",
    reference: Mapping[str, float] | None = None,
) -> Axes:
    """Draw what share of some answers is True, a dot with its 95 % interval (Wilson's) a row.

    Each row's name is followed by the number of its answers.

    Parameters
    ----------
    answers
        A name for each row, and its answers, one a pair.
    title
        The finding, in a sentence.
    label
        What is counted.
    reference
        Lines to compare with: {"guessing": 0.5}.
    """
    counted = {name: (int(np.sum(each)), len(each)) for name, each in answers.items()}
    return intervals(
        [count / n for count, n in counted.values()],
        [interval(count, n) for count, n in counted.values()],
        [f"{name} ({n})" for name, (_, n) in counted.items()],
        title=title,
        label=f"{label}, 95 % intervals",
        reference=reference,
    )
