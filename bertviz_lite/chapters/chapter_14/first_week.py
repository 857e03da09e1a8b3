"""Helpers for the mistakes of the first week: what the library reports; a tokenizer of another model."""

from __future__ import annotations

import logging
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from transformers.utils import logging as library_log

if TYPE_CHECKING:
    from collections.abc import Callable

    from transformers import PreTrainedTokenizerBase

__all__ = ["happens", "heard", "other_order", "reported"]

_LONG = 64
"""Letters of an error that fit beside the line that raised it."""
_WIDE = 100
"""Letters of a line on a page."""
_COLOURS = re.compile(r"\x1b\[[\d;]*m")
_ROW = re.compile(r"\b(MISSING|UNEXPECTED|MISMATCH)\b")


class _Keeper(logging.Handler):
    """Keep each message, without colours."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one message."""
        self.messages.append(_tidy(_COLOURS.sub("", record.getMessage())))


@contextmanager
def reported() -> Iterator[list[str]]:
    """Collect what `transformers` reports inside a ``with`` block, which it would write to stderr.

    What it says only once in a session, it says here again: else silence would prove nothing.

    Yields
    ------
    list of str
        The messages, filled while the block runs: the rows of a table in alphabetical order, a folder by its
        name alone.
    """
    log, keeper = logging.getLogger("transformers"), _Keeper()
    handlers, level = log.handlers, log.level
    log.handlers = [keeper]
    log.setLevel(logging.WARNING)
    library_log.warning_once.cache_clear()
    try:
        yield keeper.messages
    finally:
        log.handlers = handlers
        log.setLevel(level)


def _tidy(message: str) -> str:
    """Put rows of a table in order (the library's changes each time); shorten a folder's path; wrap notes."""
    lines = [re.sub(r"(from: ).*[\\/]", r"\1", line).rstrip() for line in message.splitlines()]
    rows = iter(sorted((line for line in lines if "|" in line and _ROW.search(line)), key=_worst_first))
    return "\n".join(next(rows) if "|" in line and _ROW.search(line) else _wrapped(line) for line in lines)


def _wrapped(line: str) -> str:
    """Wrap a note below the table, "- MISSING: ..."; any other line stays as it is."""
    note = line.replace("\t", " ")
    return textwrap.fill(note, _WIDE, subsequent_indent="  ") if line.startswith("- ") else line


def _worst_first(row: str) -> tuple[bool, str]:
    return "UNEXPECTED" in row, row


def other_order(tokenizer: PreTrainedTokenizerBase) -> PreTrainedTokenizerBase:
    """Make a tokenizer with the same word pieces under other ids, as if it came with another model.

    The special tokens keep theirs; the others are numbered in alphabetical order.
    """
    ids = tokenizer.get_vocab()
    pieces = sorted(set(ids) - set(tokenizer.all_special_tokens))
    free = sorted(ids[piece] for piece in pieces)
    special = {token: ids[token] for token in tokenizer.all_special_tokens}
    return type(tokenizer)(vocab=special | dict(zip(pieces, free, strict=True)))


def happens(call: Callable[[], object]) -> str:
    """Say in a line what comes of a call: its error, or a warning of the library, or nothing of the kind."""
    error, messages = _outcome(call)
    warned = [message for message in messages if "LOAD REPORT" not in message]
    return error or (f"warns: {_first_sentence(warned[0])}" if warned else "runs, and says nothing")


def heard(call: Callable[[], object]) -> str:
    """Say in a line what reaches whoever runs a call: its error, or how many reports stand in the log."""
    error, messages = _outcome(call)
    return error or f"{len(messages)} {'report' if len(messages) == 1 else 'reports'} in the log"


def _outcome(call: Callable[[], object]) -> tuple[str, list[str]]:
    """Run a call: (its error in a line, "" for none; what the library reported)."""
    with reported() as messages:
        try:
            call()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
            # str() of a KeyError is its message in quotation marks, of which a first sentence has but one
            told = str(error.args[0] if isinstance(error, KeyError) and error.args else error)
            first = re.sub(r"^\w+\._\w+\(\) ", "", told.strip().splitlines()[0])
            return f"{type(error).__name__}: {_shortened(_first_sentence(first))}", messages
    return "", messages


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!]) ", text)[0]


def _shortened(text: str) -> str:
    """Leave out the beginning of a long message: what is wrong stands at its end."""
    _, *rest = text.split(" ")
    if len(text) <= _LONG or not rest:
        return text
    while rest[1:] and len(" ".join(rest)) > _LONG - 2:
        rest = rest[1:]
    return f"… {' '.join(rest)}"
