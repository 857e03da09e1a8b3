"""Variants of a recipe that were trained with several seeds: the numbers of each, and what a change brings.

With one run a variant it cannot be said what is the change and what is the seed. So a difference is given
seed by seed, beside how far the seeds of the unchanged recipe are apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.basics.arguments import ArgumentError

__all__ = ["BySeed", "Gain"]


@dataclass(frozen=True)
class Gain:
    """What a change of the recipe brings to one measured number.

    Attributes
    ----------
    each
        float64, shape (seeds,): with the change minus without it; a seed has the same texts in both, and
        where the vocabulary is the same, the same first weights.
    spread
        How far the seeds without the change are apart.
    """

    each: NDArray[np.float64]
    spread: float

    @property
    def mean(self) -> float:
        """The mean over the seeds."""
        return float(self.each.mean())

    @property
    def clear(self) -> bool:
        """Whether all seeds agree in the direction, and the mean is larger than the spread."""
        return bool(abs(np.sign(self.each).sum()) == len(self.each) and abs(self.mean) > self.spread)


class BySeed:
    """The recorded numbers of an experiment in which each variant has several seeds.

    Parameters
    ----------
    results
        As ``recorded("ablations_second")`` returns them.
    """

    def __init__(self, results: Mapping[str, Any]) -> None:
        self.recipe: dict[str, Any] = dict(results["recipe"])
        self._variants: dict[str, Any] = dict(results["variants"])

    @property
    def names(self) -> list[str]:
        """The variants, the unchanged recipe first."""
        return list(self._variants)

    def what(self, name: str) -> str:
        """Return what a variant changes, in words."""
        return str(self._variant(name)["what"])

    def beside(self, name: str) -> str:
        """Return the variant from which this one differs in one decision."""
        return str(self._variant(name)["beside"])

    def parameters(self, name: str) -> int:
        """Return how many parameters a variant's model has."""
        return int(self._variant(name)["parameters"])

    def values(self, name: str, *path: str | int) -> NDArray[np.float64]:
        """Return one measured number of a variant, for each seed.

        Parameters
        ----------
        name
            The variant.
        path
            Where the number is in what was recorded of a seed, as ``"scores", "next_part"``. Where there are
            two, right answers and items, the share is returned; of a share and its items, the share.

        Returns
        -------
        ndarray of float64, shape (seeds,)

        Raises
        ------
        ArgumentError
            Where there is no such variant or number.
        """
        return np.array([_number(seed, path) for seed in self._variant(name)["seeds"]], dtype=np.float64)

    def gain(self, name: str, *path: str | int) -> Gain:
        """Return what a variant's change brings to one measured number; ``path`` as for ``values``."""
        before = self.values(self.beside(name), *path)
        return Gain(self.values(name, *path) - before, float(before.max() - before.min()))

    def _variant(self, name: str) -> dict[str, Any]:
        if name not in self._variants:
            raise ArgumentError(f"{name!r} is no variant: there is {', '.join(self._variants)}.")
        variant: dict[str, Any] = self._variants[name]
        return variant


def _number(place: Any, path: tuple[str | int, ...]) -> float:  # noqa: ANN401 - JSON
    for step, part in enumerate(path):
        try:
            place = place[part]
        except (KeyError, IndexError, TypeError):
            there = ", ".join(place) if isinstance(place, dict) else f"a {type(place).__name__}"
            raise ArgumentError(f"{path[: step + 1]}: nothing of that name; there is {there}.") from None
    if isinstance(place, list) and len(place) == 2:
        value, items = place
        return value if isinstance(value, float) else float(value / items)
    if place is None or isinstance(place, dict | list | str):
        raise ArgumentError(f"{path}: not a number; go on to one of its parts.")
    return float(place)
