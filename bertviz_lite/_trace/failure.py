"""One sentence about a forward pass that failed."""

from __future__ import annotations

from bertviz_lite._trace.steps import Failure, Step


def explain(error: Exception, steps: tuple[Step, ...], index: int) -> Failure:
    """Say why a pass ended early."""
    lines = str(error).strip().splitlines() or [""]
    text = f"{type(error).__name__}: {lines[0]}"
    return Failure(index, text, steps[index].source if steps else None, text)
