"""By how much a model's *yes* was raised when all training was over, and what that did, as its card tells."""

from __future__ import annotations

import re
from typing import NamedTuple

from bertviz_lite.models.loading import folder_of

__all__ = ["Shift", "shift_in", "shift_of"]

_RAISED = re.compile(r"logit of \*continues\* was raised by (\d+(?:\.\d+)?)")
_RIGHT = re.compile(r"where (\d+(?:\.\d+)?)% are right with it and (\d+(?:\.\d+)?)% without")


class Shift(NamedTuple):
    """How far log-odds were raised, and of the pairs by which that was chosen, the shares judged right."""

    by: float
    right_with: float
    right_without: float


def shift_of(model: str) -> Shift:
    """Return the shift of a shipped model.

    Parameters
    ----------
    model
        Its name for ``load``.
    """
    return shift_in((folder_of(model) / "README.md").read_text(encoding="utf-8"))


def shift_in(card: str) -> Shift:
    """Find the shift in a model's card: of several, the last one, after which nothing was trained.

    Raises
    ------
    LookupError
        If the card tells of none.
    """
    words = " ".join(card.split())
    raised, right = _RAISED.findall(words), _RIGHT.findall(words)
    if not raised or len(raised) != len(right):
        raise LookupError("this card doesn't say by how much the logit of *continues* was raised.")
    return Shift(float(raised[-1]), *(float(share) / 100 for share in right[-1]))
