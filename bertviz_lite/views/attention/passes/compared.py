"""What a run of the explorer changes: the predictions at every place that is edited or masked.

Where only heads are off, and nothing is hidden: at the one place where the predictions change most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.basics.text import readable
from bertviz_lite.capture.errors import CaptureError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from bertviz_lite.capture import Pass
    from bertviz_lite.views.attention.passes.source import Source

__all__ = ["compare_predictions"]

_TOP = 5


def compare_predictions(source: Source, runs: Mapping[str, Pass], edited: set[int]) -> dict[str, Any]:
    """Return the top tokens and the loss of the original token, at every place that is edited or masked.

    Parameters
    ----------
    source
        What the explorer shows first.
    runs
        The passes to compare, "before" among them.
    edited
        Positions whose tokens are replaced.

    Returns
    -------
    dict
        ``{"positions": [{"position", the name of each run, "token", "loss"}, …]}``; empty if there is no such
        place. Without a place that is edited or masked it is the one where the runs differ most, by half the
        sum of all differences of probability, and has ``"most_changed": True``; special tokens do not count.
    """
    tokens = source.first.predicted_tokens
    assert tokens.input_ids is not None
    masked = {place for place, token in enumerate(tokens.tokens) if token == source.mask_token}
    positions = []
    most_changed = set() if edited | masked else _most_changed(runs, tokens.special)
    for place in sorted(edited | masked | most_changed):
        try:
            logs = {name: run.log_probabilities(place) for name, run in runs.items()}
        except CaptureError:  # the first token of a causal model is predicted by nothing
            continue
        # What was there is the truth; where a mask was, what the model put there before is followed.
        token_id = int(logs["before"].argmax() if place in masked else tokens.input_ids[place])
        positions.append(
            {
                "position": place,
                **{name: _top(source, log) for name, log in logs.items()},
                "token": readable(source.names([token_id])[0]),
                "loss": [-float(log[token_id]) for log in logs.values()],
                **({"most_changed": True} if place in most_changed else {}),
            }
        )
    return {"positions": positions} if positions else {}


def _most_changed(runs: Mapping[str, Pass], special: npt.NDArray[np.bool_]) -> set[int]:
    """Return the place where "before" and "after" differ most in what they expect; a set of at most one."""
    changes: dict[int, float] = {}
    for place in np.flatnonzero(~special).tolist():
        try:
            before, after = (np.exp(runs[name].log_probabilities(place)) for name in ("before", "after"))
        except CaptureError:
            continue
        changes[place] = 0.5 * float(np.abs(after - before).sum())
    return {max(changes, key=lambda place: changes[place])} if changes else set()


def _top(source: Source, log_probabilities: npt.NDArray[np.float64]) -> list[list[Any]]:
    best = np.argsort(-log_probabilities, kind="stable")[:_TOP]
    names = source.names(best.tolist())
    return [
        [readable(name), float(share)]
        for name, share in zip(names, np.exp(log_probabilities[best]), strict=True)
    ]
