"""The table of small models with fewer layers and more."""

from __future__ import annotations

import numpy as np

from bertviz_lite.evaluation.recorded import recorded
from experiments.results.markdown import MarkdownTable

_KINDS = {"beside its subject": slice(0, 2), "behind a noun of the other number": slice(2, 4)}


def fewer_layers() -> MarkdownTable:
    """Return the table of chapter 05: one, two and three layers, trained alike."""
    results = recorded("fewer_layers")
    of = 2 * results["questions of a kind"]
    models = results["models"]
    runs = len(next(iter(models.values()))["right"])
    rows = []
    for name, model in models.items():
        right = np.array(model["right"])
        shares = [right[:, kind].sum(axis=1) / of for kind in _KINDS.values()]
        told = (f"{share.mean():.3f} ({share.min():.2f} to {share.max():.2f})" for share in shares)
        rows.append((name, f"{model['parameters']:,}", *told))
    return MarkdownTable(
        "Fewer layers, trained alike",
        "python -m experiments.ablations.fewer_layers",
        f"Hidden verbs of tiny stories whose number is right, {of} of each kind, after {results['steps']:,} "
        f"steps from nothing. Means of {runs} seeds; in brackets the lowest and the highest of them.",
        ("model", "parameters", *(f"a verb {kind}" for kind in _KINDS)),
        tuple(rows),
    )
