"""The room trace is a function, a module, and light to import."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys

from bertviz_lite.trace import Axis, Value


def test_the_module_can_be_called_and_imports_no_torch() -> None:
    program = (
        "import sys, bertviz_lite.trace as t\n"
        "from bertviz_lite import Trace, TraceError, trace\n"
        "from bertviz_lite.trace import Axis, Value\n"
        "assert t is trace and t.TraceError is TraceError\n"
        "value = Value(1, (Axis(2, 'batch'), Axis(2, sure=False)), 'float32')\n"
        "print(type(trace).__name__, Trace.__name__, str(value), 'torch' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "CallableModule Trace [batch=2, 2?] False"


def test_axes_are_written_with_their_names() -> None:
    axes = (Axis(2, "batch"), Axis(7), Axis(2, sure=False, could_be=("batch", "num_labels")))
    assert str(Value(1, axes, "int64")) == "[batch=2, 7, 2?]"
    assert Value(1, axes, "int64").shape == (2, 7, 2)


def test_the_examples_in_the_docstrings_are_true() -> None:
    tested = doctest.testmod(importlib.import_module("bertviz_lite.trace"))
    assert tested.attempted > 8
    assert tested.failed == 0
