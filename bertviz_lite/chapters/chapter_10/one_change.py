"""The recorded scores of small BERTs that differ in one decision of the recipe, as a table and as gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

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
