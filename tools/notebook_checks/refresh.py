"""Run notebooks again and write them in the normal form, leaving every byte that need not change."""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from notebook_checks.comparison.outputs import Sanitize, bare_widgets, kept
from notebook_checks.comparison.sanitize import SanitizeError, load_rules, sanitizer
from notebook_checks.notebook import (
    Notebook,
    NotebookError,
    cell_name,
    code_cells,
    find_notebooks,
    normalised,
    originals,
    read,
    serialised,
    shown,
    translations_of,
    write,
)
from notebook_checks.running.environment import CELL_TIMEOUT, kernel_environment
from notebook_checks.running.execute import executed
from notebook_checks.translation.making import bring_in_step


def main(arguments: Sequence[str] | None = None) -> int:
    """Refresh the notebooks of the command line; 1 where one failed (it is left as it was), else 0."""
    parser = argparse.ArgumentParser(
        prog="refresh_notebooks.py", description="Run notebooks again and write them in their normal form."
    )
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks or folders (default: notebooks/)")
    parser.add_argument(
        "--timeout", type=int, default=CELL_TIMEOUT, help="seconds a cell (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    failed = 0
    try:
        paths = originals(find_notebooks(options.paths))
        sanitize = sanitizer(load_rules())
    except (NotebookError, SanitizeError) as error:
        print(error, file=sys.stderr)
        return 2
    with kernel_environment(oldest_processor=True) as environment:
        for path in paths:
            try:
                _refresh_one(path, environment, sanitize, options.timeout)
            except NotebookError as error:
                failed += 1
                print(f"failed\n{error}\n{shown(path)} was left as it was.", flush=True)
    return 1 if failed else 0


def _refresh_one(path: Path, environment: Mapping[str, str], sanitize: Sanitize, timeout: int) -> None:
    committed = read(path)
    number = sum(1 for _ in code_cells(committed))
    print(f"{shown(path)}: running {number} cells ... ", end="", flush=True)
    start = time.monotonic()
    refreshed = refresh(committed, path, environment, sanitize, timeout)
    text = serialised(refreshed)
    changed = text != path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    if changed:
        write(path, text)
    print(f"{time.monotonic() - start:.1f} s, {'written' if changed else 'nothing new'}", flush=True)
    for translation in translations_of(path):
        if left := bring_in_step(path, translation):
            print(f"{shown(translation)}: to translate: {', '.join(left)}", flush=True)


def refresh(
    committed: Notebook, path: Path, environment: Mapping[str, str], sanitize: Sanitize, timeout: int
) -> Notebook:
    """Return the notebook as it should be committed.

    Raises
    ------
    NotebookError
        If a cell fails, or shows a widget without HTML beside it.
    """
    fresh = executed(committed, path, environment, timeout)
    before = {index: cell["outputs"] for index, cell in code_cells(committed)}
    for index, cell in code_cells(fresh):
        if bare := bare_widgets(cell["outputs"]):
            raise NotebookError(f"{shown(path)}, {cell_name(index, cell)}: {bare[0]}")
        cell["outputs"] = kept(before[index], cell["outputs"], sanitize)
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = cell["execution_count"]
    return normalised(fresh)
