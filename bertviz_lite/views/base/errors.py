"""The errors of the views: one line each, which says what to do; what a view showed before stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import traitlets

from bertviz_lite.basics.one_line_error import OneLineError
from bertviz_lite.capture.errors import CaptureError

__all__ = ["ViewError", "ViewTypeError", "as_view_error"]


class ViewError(OneLineError, traitlets.TraitError, ValueError):
    """A view was given a value that it has no meaning for; what it showed before stays."""


class ViewTypeError(ViewError, TypeError):
    """A view was given something of the wrong kind, such as a number in place of a model."""


@contextmanager
def as_view_error() -> Iterator[None]:
    """Raise what an engine refuses (:class:`CaptureError`) as :class:`ViewError`: the view's state stays."""
    try:
        yield
    except CaptureError as error:
        raise ViewError(str(error)) from error
