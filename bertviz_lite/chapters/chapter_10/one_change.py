"""The recorded scores of small BERTs that differ in one decision of the recipe: a table, gains, a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import torch
from torch import Tensor

from bertviz_lite.plots import CYCLE, MARKERS, style
from bertviz_lite.plots.lettering import describe_axes, entitle, legend, write_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TASKS = {
    "masked_words": "whole words",
    "agreement": "agreement",
    "pronoun": "pronoun",
    "mention": "mention",
    "consequence": "consequence",
    "senses": "senses",
    "next_part": "next part",
}
"""What is scored, and its short name."""


@dataclass(frozen=True)
class Scores:
    """Accuracies of several recipes.

    Attributes
    ----------
    names
        The recipes: the unchanged one, the same with another seed, then the changed ones.
    tasks
        Short names of what is scored.
    table
        float64, shape (recipes, tasks).
    """

    names: tuple[str, ...]
    tasks: tuple[str, ...]
    table: Tensor

    @classmethod
    def of(cls, variants: Mapping[str, Any], names: Sequence[str]) -> Scores:
        """Take the scores of some variants from what was recorded."""
        rows = [[variants[name]["scores"][task][0] for task in TASKS] for name in names]
        return cls(tuple(names), tuple(TASKS.values()), torch.tensor(rows, dtype=torch.float64))

    @property
    def spread(self) -> Tensor:
        """How far the two seeds of the unchanged recipe are apart: shape (tasks,)."""
        return (self.table[0] - self.table[1]).abs()

    @property
    def gain(self) -> Tensor:
        """What each change brings, from the mean of the two seeds: shape (changed recipes, tasks)."""
        return self.table[2:] - self.table[:2].mean(dim=0)

    def __str__(self) -> str:
        lines = [f"{'accuracy':17}" + "".join(f"{task:>13}" for task in self.tasks)]
        for name, row in zip(self.names, self.table.tolist(), strict=True):
            lines.append(f"{name:17}" + "".join(f"{share:13.3f}" for share in row))
        return "\n".join(lines)

    def figure(self, *, title: str = "", label: str = "") -> Axes:
        """Draw each gain as a mark, and how far two seeds differ as a grey band: less may be chance."""
        rows, changes = len(self.tasks), self.names[2:]
        with style():
            _, ax = plt.subplots(figsize=(8.0, 4.8))
            for row, spread in enumerate(self.spread.tolist()):
                name = "as far as two seeds differ" if row == 0 else None
                ax.fill_betweenx(
                    [row - 0.42, row + 0.42], -spread, spread, color="0.8", linewidth=0, label=name
                )
            for k, (name, gains) in enumerate(zip(changes, self.gain.tolist(), strict=True)):
                heights = [row + 0.26 * (k - (len(changes) - 1) / 2) for row in range(rows)]
                ax.scatter(gains, heights, s=60, color=CYCLE[k], marker=MARKERS[k], label=name, zorder=2.5)
            ax.axvline(0, color="#1a1a1a", linewidth=1, zorder=2)
            write_ticks(ax.yaxis, range(rows), self.tasks)
            ax.set_ylim(rows - 0.4, -0.6)
            ax.tick_params(axis="y", length=0)
            ax.grid(axis="x", color="0.9")
            ax.set_axisbelow(True)
            describe_axes(ax, label)
            legend(ax)
            entitle(ax, title)
        return ax
