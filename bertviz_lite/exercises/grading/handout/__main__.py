"""Write student notebooks: ``python -m bertviz_lite.exercises.grading.handout [NOTEBOOK ...]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bertviz_lite.basics.notebook_files import find_chapters
from bertviz_lite.exercises.grading.handout.making import HandoutError, write_handout
from bertviz_lite.exercises.grading.handout.nbgrader_course import add_to_course

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Write each notebook for students: without solutions and outputs, its exercises marked for grading."""
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.exercises.grading.handout", description=main.__doc__
    )
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: the chapters")
    parser.add_argument("--to", type=Path, default=Path("build", "handout"), help="default: build/handout")
    parser.add_argument(
        "--nbgrader", type=Path, metavar="COURSE", help="also add them to a course of nbgrader"
    )
    options = parser.parse_args(arguments)
    notebooks = options.notebooks or chapters()
    for notebook in notebooks:
        try:
            count = write_handout(notebook, options.to)
        except HandoutError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        handout = options.to / notebook.name
        print(f"{handout}: {count} exercise{'' if count == 1 else 's'}")
        if options.nbgrader:
            print(f"{add_to_course(handout, options.nbgrader)}: the same, as a source for nbgrader")
    return 0


def chapters() -> list[Path]:
    """Return the chapters, where they are at hand."""
    folder = find_chapters()
    return sorted(folder.glob("*.ipynb")) if folder else []


if __name__ == "__main__":
    sys.exit(main())
