"""What `transformers` warns of, as a list of texts instead of lines on stderr."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["heard"]


class _Keeper(logging.Handler):
    """Keep the first sentence of each message."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one message."""
        self.messages.append(record.getMessage().split(". ")[0])


@contextmanager
def heard() -> Iterator[list[str]]:
    """Collect the library's warnings inside a ``with`` block; its own handlers come back after it.

    Yields
    ------
    list of str
        The first sentence of each warning, filled while the block runs.
    """
    log, keeper = logging.getLogger("transformers"), _Keeper()
    usual, log.handlers = log.handlers, [keeper]
    try:
        yield keeper.messages
    finally:
        log.handlers = usual
