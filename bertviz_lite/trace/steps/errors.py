"""The error of trace: one line."""

from __future__ import annotations

from bertviz_lite.basics.one_line_error import OneLineError

__all__ = ["TraceError"]


class TraceError(OneLineError, ValueError):
    """One line: what was given to `trace` or to a method of `Trace`, what is needed, and the fix."""

    __module__ = "bertviz_lite"
