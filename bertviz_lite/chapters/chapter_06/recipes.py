"""Four kinds of coins by which small BERTs were trained, and what these models name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bertviz_lite.evaluation.recorded.by_seed import BySeed

__all__ = ["COINS", "share_named"]

COINS = {
    "80/10/10": "as in BERT",
    "100/0/0": "only hides",
    "80/0/20": "none random",
    "80/20/0": "none stays",
}
"""The shares of [MASK], random tokens and those that stay, and what is special about them."""

_ASKED = {"hidden": "masked", "in plain sight": "as it stands", "behind a random token": "replaced"}


def share_named(by_seed: BySeed) -> dict[str, dict[str, npt.NDArray[np.float64]]]:
    """Return, for each question and each of `COINS`, the shares of tokens that are named right, by seed."""
    return {
        question: {name: by_seed.values(name, "read", kind, "right") for name in COINS}
        for question, kind in _ASKED.items()
    }
