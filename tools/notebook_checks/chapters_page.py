"""What the pages that are made from the chapters share: names of chapters, links to them, and the command."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from notebook_checks.notebook import NOTEBOOKS, NotebookError, find_notebooks, shown, write

Entry = TypeVar("Entry")


def chapter_name(path: Path) -> str:
    """Call a notebook “chapter 03”, or by its file's name where that has no number."""
    number = path.stem.partition("_")[0]
    return f"chapter {number}" if re.fullmatch(r"\d\d", number) else path.stem


def address(path: Path, folder: Path) -> str:
    """Return the address of a file as a page in a folder links to it."""
    return Path(os.path.relpath(path, folder)).as_posix()


def write_page(
    arguments: Sequence[str] | None,
    what: str,
    default: Path,
    collect: Callable[[Sequence[Path]], Sequence[Entry]],
    page: Callable[[Sequence[Entry], Path], str],
    counted: str,
) -> int:
    """Write a page from the chapters, as the arguments of a command say; 1 where they cannot be read.

    Parameters
    ----------
    arguments
        Of the command; those of the process if None.
    what
        What is written, for `--help`.
    default
        The page's file. The command has its name.
    collect
        Reads notebooks, and refuses what it cannot read by a `NotebookError`.
    page
        Makes the text of what was collected; its links are as seen from the folder.
    counted
        What was collected, in the plural.
    """
    parser = argparse.ArgumentParser(
        prog=f"{default.stem}.py", description=f"Write the {what} from the chapters."
    )
    parser.add_argument(
        "page", nargs="?", type=Path, default=default, help=f"the file (default: docs/{default.name})"
    )
    parser.add_argument("--chapters", type=Path, default=NOTEBOOKS, help="their folder (default: notebooks)")
    options = parser.parse_args(arguments)
    try:
        found = collect(find_notebooks([options.chapters]))
    except NotebookError as error:
        print(error, file=sys.stderr)
        return 1
    write(options.page, page(found, options.page.resolve().parent))
    print(f"{shown(options.page)}: {len(found)} {counted}")
    return 0
