"""Measurements that are made once, each in a file of its own."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bertviz_lite.basics.files import write_text
from experiments.common.rounding import rounded


class Kept:
    """Results that are made once, each in a file of its own.

    Processes that share the folder share the work: what one has begun, the others leave to it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name.replace('/', ' - ')}.json"

    def read(self, name: str) -> Any:  # noqa: ANN401 - JSON
        """Return a result; None where it is not there yet."""
        path = self._path(name)
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def make(self, name: str, make: Callable[[], Any]) -> None:
        """Keep what ``make()`` returns, unless it is there or another process is at it."""
        claim = self._path(name).with_suffix(".claim")
        if self._path(name).exists():
            return
        try:
            claim.touch(exist_ok=False)
        except FileExistsError:
            return
        began = time.process_time()
        try:
            write_text(self._path(name), json.dumps(rounded(make())) + "\n")
        finally:
            claim.unlink()
        sys.stdout.write(f"{name}: {time.process_time() - began:.0f} s\n")
        sys.stdout.flush()
