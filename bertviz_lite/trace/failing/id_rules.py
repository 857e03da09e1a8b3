"""Sentences about ids outside a table, labels outside the classes, and numbers of the wrong kind."""

from __future__ import annotations

import re

from bertviz_lite.trace.failing.failed_step import FailedStep
from bertviz_lite.trace.failing.origin import makers
from bertviz_lite.trace.steps.values import Axis, Value

_OUT_OF_BOUNDS = re.compile(r"index -?\d+ is out of bounds for dimension -?\d+ with size (\d+)")


def ids_out_of_range(failed: FailedStep) -> str | None:
    """Explain an id outside a table, or a label outside the classes."""
    if not isinstance(failed.error, IndexError | RuntimeError):
        return None
    if failed.operation == "embedding" and failed.step.weights and failed.step.inputs:
        rows = failed.step.weights[0].axes[0]
        return _outside(failed, failed.step.inputs[0], rows, "the table has", "rows")
    if failed.operation == "cross_entropy" and len(failed.step.inputs) > 1:
        logits, target = failed.step.inputs[:2]
        return _outside(
            failed,
            target,
            logits.axes[-1 if logits.shape[0] == len(logits.axes) else 1],
            "there are",
            "classes",
        )
    message = _OUT_OF_BOUNDS.search(str(failed.error))
    if message and failed.step.inputs:
        table, ids = failed.step.inputs[0], failed.step.inputs[-1]
        axis = next((axis for axis in table.axes if axis.size == int(message[1])), None)
        return None if axis is None else _outside(failed, ids, axis, "the table has", "entries")
    return None


def _outside(failed: FailedStep, ids: Value, rows: Axis, has: str, what: str) -> str | None:
    low, high = failed.ranges.get(ids.id, (0, 0))
    allowed = (-100,) if what == "classes" else ()
    worst = low if low < 0 and low not in allowed else high
    if 0 <= worst < rows.size:
        return None
    if rows.name is not None and rows.name.startswith("max_position_embeddings"):
        length = next((axis for axis in reversed(ids.axes) if axis.size > 1), None)
        if ids.label or length is None or length.size <= rows.size:
            label = ids.label or "position_ids"
            return f"{label} holds {worst}, the position table has {rows.size} rows, 0 to {rows.size - 1}"
        return f"{length.name or 'the sequence'} is {length.size}, the position table has {rows.size} rows"
    label = next((maker.label for maker in makers(failed, ids) if maker.label), "an id")
    named = f" ({rows.name})" if rows.name else ""
    return f"{label} holds {worst}, {has} {rows.size} {what}{named}, 0 to {rows.size - 1}"


def dtypes(failed: FailedStep) -> str | None:
    """Explain numbers of the wrong kind."""
    given, weights = failed.step.inputs, failed.step.weights
    if failed.step.kind != "operation" or not given:
        return None
    name = given[0].label or str(given[0])
    if failed.operation == "embedding" and given[0].dtype not in ("int64", "int32"):
        return f"{name} is {given[0].dtype}, but ids are whole numbers: give int64, as in {name}.long()"
    other = next((value for value in (*weights, *given[1:]) if value.dtype != given[0].dtype), None)
    if "type" in str(failed.error) and other is not None:  # "dtype", "scalar type", "Input type"
        return (
            f"{name} is {given[0].dtype}, but {other.label or other} is {other.dtype}; "
            f"{failed.operation} needs one dtype"
        )
    return None


def targets(failed: FailedStep) -> str | None:
    """Explain labels that are not as many as what is predicted."""
    if failed.operation != "cross_entropy" or len(failed.step.inputs) < 2:
        return None
    logits, target = failed.step.inputs[:2]
    if not logits.axes or not target.axes or logits.axes[0].size == target.axes[0].size:
        return None
    labels = next((maker for maker in makers(failed, target) if maker.label), target)
    return (
        f"there are {logits.axes[0]} predictions, but {target.axes[0].size} labels in "
        f"{labels.label} {labels}".rstrip()
    )
