"""What the small BERTs of the second town know of false pairs: five trainings, three readers, three kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
_READERS = {"own head": "head", "probe, vectors": "probe of vectors", "probe, bare words": "probe of words"}
_KINDS = {
    "stranger": "other text",
    "B before A": "swapped order",
    "B before A, short": "swapped order, short",
}


def told_apart(variants: BySeed) -> dict[str, list[float]]:
    """Return what share of pairs is judged right: "reader: kind of pair", and a share for each training.

    A mean over the seeds; NaN where a training without the loss left a head that was never trained.

    Parameters
    ----------
    variants
        As ``BySeed(recorded("ablations_second"))`` gives them.
    """
    return {
        f"{called}: {kind}": [
            float("nan")
            if reader == "head" and training in _WITHOUT_LOSS
            else float(variants.values(training, "pairs", of_kind, reader).mean())
            for training in TRAININGS
        ]
        for called, reader in _READERS.items()
        for kind, of_kind in _KINDS.items()
    }
