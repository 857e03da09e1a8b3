"""Write files and folders so that a kill leaves either the old or the new, never half of one."""

from __future__ import annotations

import os
import secrets
import signal
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its place when the block ends without an error.

    It is written beside its place, under a name of its own (so several threads may write at once), and
    renamed. What was there stays until then, and after an error. A link stays a link: what it points at is
    replaced. The new file has the permissions of the old one. SIGTERM leaves nothing behind (but from
    another thread than the main one, or where the program handles SIGTERM in its own way).
    """
    target = Path(os.path.realpath(path))
    partial = target.with_name(f".{target.name[:60]}.{secrets.token_hex(6)}.tmp")
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with _removed_when_terminated(partial):
        try:
            with open(os.open(partial, flags, 0o666 if mode is None else mode), "wb") as file:  # noqa: PTH123
                yield file
            if mode is not None:
                partial.chmod(mode)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)


@contextmanager
def _removed_when_terminated(path: Path) -> Iterator[None]:
    """Remove `path` before SIGTERM ends the process, which otherwise runs no ``finally``."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, _: object) -> None:
        path.unlink(missing_ok=True)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def write_text(path: Path, text: str) -> None:
    """Write a text file (UTF-8, LF), whole or not at all."""
    with written_whole(path) as file:
        file.write(text.encode("utf-8"))


def replace_folder(source: Path, target: Path) -> None:
    """Move the folder ``source`` to the place of ``target``, on the same disk, by renaming."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".replaced-") as old:
        if target.exists():
            target.rename(Path(old) / "old")
        source.rename(target)
