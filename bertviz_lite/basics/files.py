"""Write files and folders so that a kill leaves either the old or the new, never half of one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Write a text file (UTF-8, LF) beside its place and rename it."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(path)


def replace_folder(source: Path, target: Path) -> None:
    """Move the folder ``source`` to the place of ``target``, on the same disk, by renaming."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".replaced-") as old:
        if target.exists():
            target.rename(Path(old) / "old")
        source.rename(target)
