"""Import one module with another source: what Python runs is changed, the file is not.

Standard library only, and nothing of this folder: it runs before anything else is imported.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

VARIABLE = "BERTVIZ_LITE_MUTANT"
"""Holds the change, as JSON: "module", "old", "new", and "note", the file that says what came of it."""
MADE = "made"


class ChangedLoader(SourceFileLoader):
    """Compile a module from its changed source, past the stored bytecode."""

    def __init__(self, fullname: str, path: str, change: dict[str, str]) -> None:
        super().__init__(fullname, path)
        self.change = change

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the changed source; leave a note of whether it could be changed."""
        path = self.get_filename(fullname)
        source = Path(path).read_text(encoding="utf-8")
        count = source.count(self.change["old"])
        if count != 1:
            self._note(f"the piece to change is {count} times in {fullname}, not once")
            raise ImportError(f"no mutant of {fullname}")
        try:
            code = compile(
                source.replace(self.change["old"], self.change["new"]), path, "exec", dont_inherit=True
            )
        except SyntaxError as error:
            self._note(f"the changed {fullname} is no Python: {error}")
            raise
        self._note(MADE)
        return code

    def _note(self, text: str) -> None:
        Path(self.change["note"]).write_text(text, encoding="utf-8")


class ChangedFinder:
    """Find the one module that is changed, before Python's own finders do."""

    def __init__(self, change: dict[str, str]) -> None:
        self.change = change

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's own spec, with a loader that changes its source."""
        if fullname != self.change["module"]:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = ChangedLoader(fullname, spec.origin, self.change)
        return spec


def install() -> None:
    """Change what the environment asks for, if it asks."""
    if change := os.environ.get(VARIABLE):
        sys.meta_path.insert(0, ChangedFinder(json.loads(change)))
