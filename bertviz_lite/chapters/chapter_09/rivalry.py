"""A's own B beside a stranger: which of the two gets more log-odds, where names and tense say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bertviz_lite.data.story_pairs import StoryPair

__all__ = ["in_the_same_tense"]


def in_the_same_tense(
    true: Sequence[StoryPair],
    own: npt.NDArray[np.float64],
    strangers: Sequence[StoryPair],
    theirs: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the log-odds of own Bs and of strangers, for each A whose stranger is in A's tense.

    Parameters
    ----------
    true, own
        True pairs, and the log-odds of each.
    strangers, theirs
        Pairs with a B of another story, some of the same As, and the log-odds of each.

    Returns
    -------
    tuple
        Those of A's own B and those of the stranger, row by row of the same A.
    """
    of_story = {pair.story: log_odds for pair, log_odds in zip(true, own, strict=True)}
    both = [
        (of_story[pair.story], log_odds)
        for pair, log_odds in zip(strangers, theirs, strict=True)
        if pair.tenses[0] == pair.tenses[1]
    ]
    ours, others = np.array(both, np.float64).reshape(-1, 2).T
    return ours, others
