"""One sentence about a pass that failed: which axis, its two sizes, where each came from, which line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from bertviz_lite.trace.failing.failed_step import FailedStep
from bertviz_lite.trace.failing.id_rules import dtypes, ids_out_of_range, targets
from bertviz_lite.trace.failing.shape_rules import broadcasts, expansions, joins, products, views
from bertviz_lite.trace.steps.step import Failure, Source, Step
from bertviz_lite.trace.steps.values import Value


def explain(
    error: Exception,
    steps: Sequence[Step],
    index: int,
    inputs: Sequence[Value],
    ranges: Mapping[int, tuple[int, int]],
) -> Failure:
    """Return why a pass ended early.

    Parameters
    ----------
    error
        What was raised.
    steps
        All steps of the trace.
    index
        Of the step that did not end.
    inputs
        The tensors given to the model.
    ranges
        The lowest and the highest of the ids that the step was given, by ``Value.id``.
    """
    first = (str(error).strip().splitlines() or [""])[0].rstrip(".")
    error_text = f"{type(error).__name__}: {first}" if first else type(error).__name__
    if not steps:
        return Failure(0, error_text, None, error_text)
    step = steps[index]
    failed = FailedStep(error, step, steps[:index], inputs, ranges)
    source = _source(steps, step)
    sentence = next((text for rule in _RULES if (text := rule(failed))), first or error_text)
    place = ", ".join(filter(None, (step.path or steps[0].name, "" if source is None else str(source))))
    return Failure(index, f"{sentence}: {place}", source, error_text)


def _source(steps: Sequence[Step], step: Step) -> Source | None:
    """Return the line to look at: the innermost that is not torch's own."""
    inner = step.source
    at: Step | None = step
    while at is not None:
        if at.source is not None and not at.source.file.startswith("torch/"):
            return at.source
        at = None if at.parent is None else steps[at.parent]
    return inner


def _missing(failed: FailedStep) -> str | None:
    """Explain a call with the wrong arguments."""
    missing = re.search(r"missing \d+ required positional arguments?: (.+)", str(failed.error))
    if isinstance(failed.error, TypeError) and missing and failed.step.kind == "module":
        return f"{failed.step.name} is called without {missing[1].replace(chr(39), '')}"
    return None


_RULES: tuple[Callable[[FailedStep], str | None], ...] = (
    ids_out_of_range, targets, dtypes, products, broadcasts, expansions, joins, views, _missing,
)  # fmt: skip
