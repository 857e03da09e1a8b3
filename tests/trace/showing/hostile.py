"""A trace whose every name is an attack."""

from __future__ import annotations

from bertviz_lite import Trace
from tests.trace.hand_traces import Maker
from tests.views.test_views import HOSTILE


def hostile() -> Trace:
    """Return a trace whose every name is an attack."""
    maker = Maker({HOSTILE: 3})
    given = maker.value(f"batch {HOSTILE}", label=HOSTILE)
    with maker.module("", HOSTILE, given) as out:
        with maker.module(HOSTILE, HOSTILE, given) as inner:
            first = maker.op(HOSTILE, [given], "batch 4")
            inner.append(maker.op(HOSTILE, [first], "batch 5"))
        out += inner
    return maker.trace([given], out, HOSTILE)
