"""Every step with its shapes and names: against tables read by hand, and against the pass with arithmetic."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import transformers as library
from packaging.version import Version

from bertviz_lite import Trace, trace
from tests.trace.trace_models import CASES, golden
from tests.trace.untraced import FAMILIES, families

GOLDEN = Path(__file__).parent / "golden"
# The golden tables hold the steps of these releases; others build their masks in other steps.
SAME_STEPS = Version(library.__version__).release[:2] == (5, 23) and Version(torch.__version__).release[
    :2
] == (2, 13)


def shown(steps: Trace) -> list[tuple[str, str, list[tuple[int, ...]], list[str]]]:
    return [
        (
            step.path,
            step.name,
            [output.shape for output in step.outputs],
            [output.dtype for output in step.outputs],
        )
        for step in steps
    ]


@pytest.mark.skipif(not SAME_STEPS, reason="other releases take other steps")
@pytest.mark.parametrize("case", CASES)
def test_steps_shapes_and_names_are_those_of_the_table_read_by_hand(case: str) -> None:
    """Each was read line by line; `python -m tests.trace.trace_models` writes them anew, to be read again."""
    model, args, inputs = CASES[case]()
    assert golden(trace(model, *args, **inputs)) == (GOLDEN / f"{case}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_shapes_without_arithmetic_are_those_with_it(case: str) -> None:
    model, args, inputs = CASES[case]()
    quick, real = trace(model, *args, **inputs), trace(model, *args, values=True, **inputs)
    assert shown(quick) == shown(real)
    assert [[value.axes for value in step.outputs] for step in quick] == [
        [value.axes for value in step.outputs] for step in real
    ]
    assert [[value.id for value in step.inputs] for step in quick] == [
        [value.id for value in step.inputs] for step in real
    ]


@pytest.mark.parametrize("name", FAMILIES)
def test_shapes_of_every_family_are_the_same_with_and_without_arithmetic(name: str) -> None:
    model, inputs = families(name)
    assert shown(trace(model, **inputs)) == shown(trace(model, values=True, **inputs))


def test_no_model_here_needs_the_pass_with_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other tests would pass as well if every trace fell back to the real pass."""
    from bertviz_lite.trace import run as module

    def refused(*_args: object, **_options: object) -> None:
        raise AssertionError("the pass was done with arithmetic")

    monkeypatch.setattr(module, "arithmetic", refused)
    for case in CASES:
        model, args, inputs = CASES[case]()
        assert trace(model, *args, **inputs).failure is None
    for name in FAMILIES:
        model, inputs = families(name)
        assert trace(model, **inputs).failure is None
