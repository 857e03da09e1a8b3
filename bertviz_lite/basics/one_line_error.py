"""Errors whose message is one line, and of which a notebook shows that line alone."""

from __future__ import annotations

__all__ = ["OneLineError"]


class OneLineError(Exception):
    r"""The base of errors that name what was given, what is needed, and the fix.

    >>> class ShelfError(OneLineError, ValueError):
    ...     pass
    >>> error = ShelfError("no book is called\n  'Emma'")
    >>> error._render_traceback_()
    ["ShelfError: no book is called 'Emma'"]
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(" ".join(message.split()))

    def _render_traceback_(self) -> list[str]:
        """Show one line in a notebook, where the call stack would teach nothing (IPython's protocol)."""
        return [f"{type(self).__name__}: {self}"]
