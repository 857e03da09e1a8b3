"""Compare two traces: which steps appear, which vanish, which change their shape."""

from __future__ import annotations

from bertviz_lite.trace.showing.diff.alignment import aligned
from bertviz_lite.trace.showing.diff.differences import Difference, changed, lone, outermost, shapes
from bertviz_lite.trace.showing.diff.trace_diff import TraceDiff
from bertviz_lite.trace.steps.errors import TraceError
from bertviz_lite.trace.steps.recorded_pass import RecordedPass


def diff(before: RecordedPass, after: RecordedPass) -> TraceDiff:
    """Compare two traces step by step.

    Parameters
    ----------
    before, after
        What :func:`bertviz_lite.trace` returns: the same model on other inputs, or two models.

    Raises
    ------
    TraceError
        If `after` is no Trace.
    """
    given: object = after
    if not isinstance(given, RecordedPass):
        raise TraceError(
            f"diff() compares with another Trace, not {type(given).__name__}: give trace(model, …)."
        )
    pairs = tuple(aligned(before, after, None, None))
    sizes = {
        name: (size, after.sizes[name])
        for name, size in before.sizes.items()
        if name in after.sizes and after.sizes[name] != size
    }
    differences, explained = [], 0
    for old, new in pairs:
        if old is None or new is None:
            differences.append(lone(old, new))
        elif what := changed(old, new, (before.sizes, after.sizes)):
            differences.append(Difference("changes", old, new, what))
        else:
            explained += shapes(old) != shapes(new)
    return TraceDiff(before, after, pairs, sizes, tuple(outermost(differences)), explained)
