"""The numbers of one token's input embedding: six rows that add up, of one token or of two compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.evaluation.embeddings import PART_NAMES, InputParts

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

__all__ = ["ROWS", "Shown"]

ROWS = ("token", "position", "segment", "sum", "bias", "result")


@dataclass(frozen=True, eq=False)
class Shown:
    """What the embedding view shows: a token's parts, which of them are added, and how they are drawn.

    Attributes
    ----------
    parts
        The input embeddings of the whole text.
    token, pinned
        Index of the token, and of the one that it is compared with, or None.
    parts_on
        Which of "token", "position" and "segment" are added.
    scaled
        True takes the rows as they arrive in the result.
    one_scale
        True draws all rows on one scale.
    """

    parts: InputParts
    token: int
    pinned: int | None
    parts_on: tuple[str, ...]
    scaled: bool
    one_scale: bool

    @cached_property
    def on(self) -> InputParts:
        """The parts, with those that are off set to zero."""
        off: dict[str, Any] = {
            name: np.zeros_like(self.parts.token) for name in PART_NAMES if name not in self.parts_on
        }
        return replace(self.parts, **off)

    @cached_property
    def rows(self) -> dict[str, Floats]:
        """The six rows, each (hidden_size,); of two tokens their difference."""
        rows = self._rows_of(self.token)
        if not self._compares:
            return rows
        other = self._rows_of(self.pinned or 0)
        return {name: row - other[name] for name, row in rows.items()}

    @cached_property
    def lengths(self) -> dict[str, float]:
        """The length of each row."""
        return {name: float(np.linalg.norm(row)) for name, row in self.rows.items()}

    @property
    def name(self) -> str:
        """What the rows are of: "token 3 “key” minus token 1 “ada”"."""
        name = f"token {self.token} “{self.parts.tokens[self.token]}”"
        if not self._compares:
            return name
        pinned = self.pinned or 0
        return f"{name} minus token {pinned} “{self.parts.tokens[pinned]}”"

    @property
    def _compares(self) -> bool:
        return self.pinned is not None and self.pinned != self.token

    def _rows_of(self, index: int) -> dict[str, Floats]:
        on = self.on
        if self.scaled:
            rows = {name: on.contributions[name][index] for name in PART_NAMES}
            rows["sum"] = on.normalised[index] - on.bias
        else:
            rows = {name: getattr(self.parts, name)[index] for name in PART_NAMES}
            rows["sum"] = on.total[index]
        return {**rows, "bias": on.bias, "result": on.normalised[index]}
