"""What the small BERTs of the second town know of false pairs: five trainings, three kinds of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bertviz_lite.evaluation.recorded.by_seed import BySeed

__all__ = ["TRAININGS", "told_apart"]

TRAININGS = {
    "80/10/10": "NSP",
    "other texts alone": "strangers only",
    "sentence order": "order only",
    "NSP inputs, no NSP loss": "no loss",
    "true next parts, no NSP loss": "no false pairs",
}
"""The recorded variants, and what the chapter calls them."""

_WITHOUT_LOSS = ("NSP inputs, no NSP loss", "true next parts, no NSP loss")
_KINDS = {
    "stranger": "other text",
    "B before A": "swapped order",
    "B before A, short": "swapped order, short",
}


def told_apart(
    variants: BySeed, reader: Literal["head", "probe of vectors", "probe of words"]
) -> dict[str, dict[str, npt.NDArray[np.float64]]]:
    """Return what share of true and false pairs is judged right: for each kind of these, of each training.

    Each share is an array, a number a seed. Where a training had no loss of pairs, its head was never
    trained, and is left out.

    Parameters
    ----------
    variants
        As ``BySeed(recorded("ablations_second"))`` gives them.
    reader
        Who judges: the model's own head, or a linear map fitted on its vectors, or on the bare words.
    """
    return {
        kind: {
            called: variants.values(training, "pairs", of_kind, reader)
            for training, called in TRAININGS.items()
            if not (reader == "head" and training in _WITHOUT_LOSS)
        }
        for kind, of_kind in _KINDS.items()
    }
