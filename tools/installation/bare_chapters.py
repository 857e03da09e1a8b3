"""Put the chapters into the wheel, as a reader's copies have them: without outputs. Run by hatchling."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BareChapters(BuildHookInterface):  # type: ignore[type-arg]
    """Adds `bertviz_lite/chapters/notebooks/`, which the clone has as `notebooks/`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the bare chapters and name them to the builder."""
        if version == "editable":  # a clone has the chapters themselves
            return
        sys.path.insert(0, self.root)
        from bertviz_lite.basics.notebook_files import course_files, read, without_outputs, write

        self._folder = tempfile.TemporaryDirectory()
        chapters = Path(self.root, "notebooks")
        for chapter in course_files(chapters):
            name = chapter.relative_to(chapters)
            bare = Path(self._folder.name, name)
            write(without_outputs(read(chapter)), bare)
            build_data["force_include"][str(bare)] = f"bertviz_lite/chapters/notebooks/{name.as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Take the copies away again."""
        if version != "editable":
            self._folder.cleanup()
