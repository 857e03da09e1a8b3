"""One forward pass, watched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bertviz_lite.trace.recording.anatomy import Anatomy
from bertviz_lite.trace.recording.hollow import Hollow
from bertviz_lite.trace.recording.inputs import Call
from bertviz_lite.trace.recording.keep import as_it_was, rolled_back
from bertviz_lite.trace.recording.record import RawStep, RawValue, Recorder


@dataclass(eq=False, repr=False)
class Pass:
    """What one forward pass left behind."""

    recorder: Recorder
    inputs: tuple[RawValue, ...]
    outputs: tuple[RawValue, ...] = ()
    result: Any = None
    error: Exception | None = None

    @property
    def steps(self) -> list[RawStep]:
        """The steps, in the order in which they began."""
        return self.recorder.steps


def arithmetic(anatomy: Anatomy, call: Call, *, measured: bool = False, wording: bool = True) -> Pass:
    """Run the model as it is; `measured` keeps numbers and the result."""
    from bertviz_lite.trace.recording.numbers import numbers_of

    recorder = Recorder(
        anatomy, call.labels, hollow=None, measure=numbers_of if measured else None, wording=wording
    )
    made = _run(anatomy, call, recorder)
    if not measured:
        made.result = None
    return made


def by_shape(anatomy: Anatomy, call: Call, *, checks: bool = True, wording: bool = True) -> Pass:
    """Run the model without arithmetic; what this cannot do ends in an error."""
    hollow = Hollow(anatomy, checks=checks)
    made = _run(anatomy, call, Recorder(anatomy, call.labels, hollow=hollow, wording=wording))
    made.result = None
    return made


def _run(anatomy: Anatomy, call: Call, recorder: Recorder) -> Pass:
    made = Pass(recorder, recorder.values_of(list(call.tensors.values())))
    with rolled_back(anatomy), as_it_was(anatomy):
        try:
            with recorder.watching():
                made.result = anatomy.model(*call.args, **call.kwargs)
        except Exception as error:  # noqa: BLE001 - whatever the model raises is part of the trace
            made.error = error
        else:
            made.outputs = recorder.values_of([made.result])
    return made
