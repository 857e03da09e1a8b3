"""The few directions in which a table of positions varies most."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import torch

from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from torch import Tensor

__all__ = ["Strongest", "draw_heights", "moved_on", "strongest"]

_COUNTS = {9: "Nine"}


class Strongest(NamedTuple):
    """What `strongest` returns."""

    mean: Tensor
    """The mean row, (hidden_size,)."""
    directions: Tensor
    """Directions at right angles, (k, hidden_size), the strongest first."""
    heights: Tensor
    """How far each position lies along each, (positions - 1, k): from position 1 on."""
    shares: Tensor
    """What share of the variance each holds, (k,)."""


def strongest(positions: Tensor, k: int) -> Strongest:
    """Find the k directions in which the rows of a position table differ most, without position 0."""
    mean = positions[1:].mean(dim=0)
    rows = positions[1:] - mean
    left, sizes, directions = torch.linalg.svd(rows, full_matrices=False)
    heights = left[:, :k] * sizes[:k]
    # a direction may point either way: let the position that lies farthest out lie above
    signs = heights.gather(0, heights.abs().argmax(dim=0, keepdim=True))[0].sign()
    shares = sizes**2 / (sizes**2).sum()
    return Strongest(mean, directions[:k] * signs[:, None], heights * signs, shares[:k])


def moved_on(found: Strongest) -> tuple[int, int]:
    """Fit one matrix that moves a position one place on, and try it where it was not fitted.

    Returns
    -------
    tuple of int
        How many positions land nearest to the next one, and how many were tried: every fourth.
    """
    at, following = found.heights[:-1], found.heights[1:]
    tried = torch.arange(len(at)) % 4 == 0
    matrix = torch.linalg.lstsq(at[~tried], following[~tried]).solution
    landed = torch.cdist(at[tried] @ matrix, found.heights).argmin(dim=1)
    return int((landed == tried.nonzero()[:, 0] + 1).sum()), int(tried.sum())


def draw_heights(found: Strongest) -> tuple[list[Axes], str]:
    """Draw how far each position lies along each direction, a small panel for each, two columns.

    Returns
    -------
    tuple of list and str
        A panel for each direction, and the finding that is written above them.
    """
    count, size = found.directions.shape
    held = f"{found.shares.sum():.0%} of the positions' variance"
    finding = f"{_COUNTS.get(count, str(count))} of {size} directions hold {held}: waves"
    with style():
        figure, grid = plt.subplots((count + 1) // 2, 2, figsize=(9.0, 0.85 * count + 0.6), sharex=True)
        headline(figure, finding)
        high = float(found.heights.abs().max())
        for number, ax in enumerate(grid.flat):
            if number >= count:
                ax.axis("off")
                continue
            heights = found.heights[:, number]
            ax.plot(np.arange(1, len(heights) + 1), heights, color=CYCLE[0], linewidth=1.8)
            ax.axhline(0, color="0.6", linewidth=0.8)
            ax.set(ylim=(-1.1 * high, 1.1 * high), yticks=[])
            ax.set_title(f"direction {number + 1}: {found.shares[number]:.0%}", fontsize=11, pad=3)
        lowest = list(grid.flat[:count])[-2:]  # of each column
        for ax in lowest:
            ax.tick_params(labelbottom=True)
        lowest[-1].set_xlabel("position")
    return list(grid.flat[:count]), finding
