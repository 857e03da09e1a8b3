"""Traces that several tests show."""

from __future__ import annotations

import pytest

from bertviz_lite import Trace, load, trace
from tests.trace.hand_traces import bert


@pytest.fixture(scope="module")
def made() -> Trace:
    return bert()


@pytest.fixture(scope="module")
def pocket() -> Trace:
    tokenizer, model = load()
    inputs = tokenizer(["The farmer finds the key.", "Ada sleeps."], return_tensors="pt", padding=True)
    return trace(model, **inputs)
