"""Shares of hidden words that were guessed, drawn; and by how much one kind of text is worth more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.plots import bars

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_worth", "gain"]


def gain(some: Sequence[bool], others: Sequence[bool]) -> tuple[float, float]:
    """Return by how much the share of `some` is larger, and the standard error of that.

    Both are answers to the same questions, so they are compared one by one: where both are right, or both
    wrong, there is no difference.

    >>> gain([True, True, False, True], [False, True, False, False])
    (0.5, 0.25)
    """
    difference = np.asarray(some, dtype=float) - np.asarray(others, dtype=float)
    return float(difference.mean()), float(difference.std() / len(difference) ** 0.5)


def draw_worth(right: Mapping[str, Sequence[bool]], *, title: str) -> Axes:
    """Draw a bar for each kind of text, with two standard errors either way in black, and its share.

    Parameters
    ----------
    right
        By the kind of text, whether each hidden word was guessed.
    title
        The finding, in a sentence.
    """
    shares = [float(np.mean(answers)) for answers in right.values()]
    around = [
        2 * (share * (1 - share) / len(answers)) ** 0.5
        for share, answers in zip(shares, right.values(), strict=True)
    ]
    label = "hidden words right (black: two standard errors either way)"
    ax = bars(shares, list(right), title=title, label=label)
    ax.errorbar(shares, range(len(shares)), xerr=around, fmt="none", ecolor="black", capsize=4)
    for row, (number, share, error) in enumerate(zip(list(ax.texts), shares, around, strict=True)):
        number.remove()  # it would stand on the black line
        ax.text(share + error + 0.015, row, f"{share:.0%}", va="center", fontsize=11)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter("{x:.0%}")
    return ax
