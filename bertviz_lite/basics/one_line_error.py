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
        """Show one line in a notebook, where the call stack would teach nothing (IPython's protocol).

        The name in it is the one that a reader imports and catches: of a kind that only the package knows,
        that of the public error that it is one of.
        """
        public = (kind for kind in type(self).__mro__ if kind.__module__ == "bertviz_lite")
        return [f"{next(public, type(self)).__name__}: {self}"]
