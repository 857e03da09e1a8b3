"""Every step of a forward pass, modules and the operations inside them, with named axes.

This file is the door only, as light as the package itself: the function has the name of its module, so the
package must bind it before anyone imports the module. The rest comes on first use.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as typing.TYPE_CHECKING; importing that would take longer than all the rest

if TYPE_CHECKING:
    from typing import Any

    from torch import nn

    from bertviz_lite._trace.steps import Axis, Failure, Numbers, Source, Step, Trace, TraceError, Value

_NAMES = ("Axis", "Failure", "Numbers", "Source", "Step", "Trace", "TraceError", "Value")

__all__ = ["Axis", "Failure", "Numbers", "Source", "Step", "Trace", "TraceError", "Value", "trace"]


def trace(
    model: nn.Module,
    *args: Any,  # noqa: ANN401 - what the model takes
    values: bool = False,
    attention: str | None = "eager",
    **inputs: Any,  # noqa: ANN401 - what the model takes
) -> Trace:
    """Run a model once and keep every step, with the shapes that went in and came out.

    Parameters
    ----------
    model
        Any module.
    *args, **inputs
        What the model is called with.
    values
        Do the arithmetic, and keep four numbers of every tensor.
    attention
        The attention implementation for this pass; None for the model's own.
    """
    from bertviz_lite._trace.run import run

    return run(model, args, inputs, values=values, attention=attention)


def __getattr__(name: str) -> object:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module("bertviz_lite._trace.steps"), name)
    globals()[name] = value
    return value
