"""One forward pass, watched: with arithmetic, or by shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bertviz_lite.trace.meta_pass.meta_functions import MetaFunctions
from bertviz_lite.trace.model.parts import ModelParts
from bertviz_lite.trace.model.restore import model_restored, random_numbers_restored
from bertviz_lite.trace.recording.call import Call
from bertviz_lite.trace.recording.raw_steps import RawStep, RawValue
from bertviz_lite.trace.recording.recorder import Recorder


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


def arithmetic(parts: ModelParts, call: Call, *, measured: bool = False, wording: bool = True) -> Pass:
    """Run the model as it is; `measured` keeps numbers and the result."""
    from bertviz_lite.trace.recording.numbers import numbers_of

    recorder = Recorder(
        parts, call.labels, meta=None, measure=numbers_of if measured else None, wording=wording
    )
    made = _run(parts, call, recorder)
    if not measured:
        made.result = None
    return made


def by_shape(parts: ModelParts, call: Call, *, checks: bool = True, wording: bool = True) -> Pass:
    """Run the model without arithmetic; what this cannot do ends in an error."""
    meta = MetaFunctions(parts, checks=checks)
    made = _run(parts, call, Recorder(parts, call.labels, meta=meta, wording=wording))
    made.result = None
    return made


def _run(parts: ModelParts, call: Call, recorder: Recorder) -> Pass:
    made = Pass(recorder, recorder.table.values(list(call.tensors.values())))
    with random_numbers_restored(parts), model_restored(parts):
        try:
            with recorder.watching():
                made.result = parts.model(*call.args, **call.kwargs)
        except Exception as error:  # noqa: BLE001 - whatever the model raises is part of the trace
            made.error = error
        else:
            made.outputs = recorder.table.values([made.result])
    return made
