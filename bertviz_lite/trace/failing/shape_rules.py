"""Sentences about shapes that a product, a sum, a join or a view does not take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from math import prod

from bertviz_lite.trace.failing.failed_step import FailedStep
from bertviz_lite.trace.failing.origin import Sized, conflict
from bertviz_lite.trace.steps.values import Axis, Value

_ELEMENTWISE = frozenset("+ - * / // % ** & | ^ == != < <= > >= add sub mul div where masked_fill".split())  # noqa: SIM905
_PRODUCTS = frozenset({"matmul", "@", "bmm", "mm"})


def products(failed: FailedStep) -> str | None:
    """Explain sizes that a product does not take."""
    given, weights = failed.step.inputs, failed.step.weights
    if failed.operation == "linear" and given and weights and given[0].axes and len(weights[0].axes) == 2:
        this, that = given[0].axes[-1], weights[0].axes[1]
        rule = "the last axis of what goes in must be the last axis of the weight"
    elif failed.operation in _PRODUCTS and len(given) + len(weights) == 2:
        first, second = (*given, *weights)
        if not first.axes or not second.axes:
            return None
        this, that = first.axes[-1], second.axes[-2 if len(second.axes) > 1 else 0]
        if this.size == that.size:
            return _batches(failed)
        rule = "the last axis of the first must be the last but one of the second"
        return conflict(failed, Sized(first, this), Sized(second, that), rule)
    else:
        return None
    if this.size == that.size:
        return None
    return conflict(failed, Sized(given[0], this), Sized(weights[0], that), rule)


def _batches(failed: FailedStep) -> str | None:
    first, second = (*failed.step.inputs, *failed.step.weights)
    return _unequal_axes(failed, first, first.axes[:-2], second, second.axes[:-2])


def broadcasts(failed: FailedStep) -> str | None:
    """Explain axes of which neither has size 1."""
    values = (*failed.step.inputs, *failed.step.weights)
    if failed.operation.removesuffix("=") not in _ELEMENTWISE and failed.operation != "==":
        return None
    for place, first in enumerate(values):
        for second in values[place + 1 :]:
            sentence = _unequal_axes(failed, first, first.axes, second, second.axes)
            if sentence is not None:
                return sentence
    return None


def _unequal_axes(
    failed: FailedStep, first: Value, axes: Sequence[Axis], second: Value, others: Sequence[Axis]
) -> str | None:
    for this, that in zip_longest(reversed(axes), reversed(others)):
        if this is None or that is None or this.size == that.size or 1 in (this.size, that.size):
            continue
        rule = "axes are matched from the last, and must be equal or 1"
        return conflict(failed, Sized(first, this), Sized(second, that), rule)
    return None


def expansions(failed: FailedStep) -> str | None:
    """Explain an axis that is to get another size though it is not 1."""
    if failed.operation != "expand" or not failed.step.inputs:
        return None
    value = failed.step.inputs[0]
    wanted = [int(size) for size in re.findall(r"-?\d+", failed.step.name)]
    for axis, size in zip(reversed(value.axes), reversed(wanted), strict=False):
        if size not in (-1, axis.size) and axis.size != 1:
            given = next((tensor for tensor in failed.inputs if size in tensor.shape), value)
            named = next((given_axis for given_axis in given.axes if given_axis.size == size), Axis(size))
            return conflict(
                failed, Sized(given, named), Sized(value, axis), "only an axis of size 1 can be expanded"
            )
    return None


def joins(failed: FailedStep) -> str | None:
    """Explain tensors that do not fit beside each other."""
    if failed.operation not in ("cat", "stack", "concat") or len(failed.step.inputs) < 2:
        return None
    along = re.search(r"-?\d+", failed.step.name)
    first = failed.step.inputs[0]
    joined = int(along[0]) % max(1, len(first.axes)) if along and failed.operation != "stack" else None
    for second in failed.step.inputs[1:]:
        for dim, (this, that) in enumerate(zip(first.axes, second.axes, strict=False)):
            if this.size != that.size and dim != joined:
                rule = f"{failed.operation} needs all axes alike but the one along which it joins"
                return conflict(failed, Sized(first, this), Sized(second, that), rule)
    return None


def views(failed: FailedStep) -> str | None:
    """Explain numbers that do not fill a shape."""
    if failed.operation not in ("view", "reshape") or not failed.step.inputs:
        return None
    value = failed.step.inputs[0]
    count = prod(value.shape)
    sizes = [int(size) for size in re.findall(r"-?\d+", failed.step.name)]
    known = prod(size for size in sizes if size != -1)
    if not sizes or (count == known if -1 not in sizes else known > 0 and count % known == 0):
        return None
    return f"{value.label or ''} {value} holds {count} numbers, which do not fill the shape {sizes}".strip()
