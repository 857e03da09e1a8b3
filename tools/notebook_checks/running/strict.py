"""Run strict nbval over a notebook."""

import contextlib
import io
import os
from pathlib import Path

import pytest

from notebook_checks.comparison.sanitize import SANITIZE_FILE
from notebook_checks.running.environment import CELL_TIMEOUT, START_TIMEOUT, kernel_environment

SETTINGS = Path(__file__).with_name("strict.ini")


def strict_errors(path: Path, timeout: int = CELL_TIMEOUT, *, oldest_processor: bool) -> str:
    """Run every cell again and compare with what is committed: give the differences, "" for none.

    The settings of kernels replace this process' own environment: call it in a process that has nothing else
    to do.

    Parameters
    ----------
    path
        The notebook; it runs in one kernel.
    timeout
        Seconds per cell.
    oldest_processor
        See `kernel_environment`.

    Raises
    ------
    SanitizeError
        If the sanitize file is malformed or hides too much.
    """
    options = [
        *("-c", str(SETTINGS), "--rootdir", str(path.parent), "--noconftest", "-p", "no:cacheprovider"),
        *("-p", "nbval.plugin", "-p", "notebook_checks.running.nbval_plugin"),
        *("--nbval", "--nbval-current-env", f"--nbval-cell-timeout={timeout}"),
        f"--nbval-kernel-startup-timeout={START_TIMEOUT}",
        *("--nbval-sanitize-with", str(SANITIZE_FILE)),
        *("-q", "--no-header", "-rN", "--disable-warnings", "--color=no", "--tb=short", "--show-capture=no"),
    ]
    said = io.StringIO()
    with kernel_environment(oldest_processor=oldest_processor) as environment:
        os.environ.clear()
        os.environ.update({k: v for k, v in environment.items() if not k.startswith(("PYTEST_", "COV_"))})
        # Plugins are named, none is found by itself: what else is installed must not matter.
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        with contextlib.redirect_stdout(said):
            status = pytest.main([*options, str(path)])
    return "" if status == pytest.ExitCode.OK else said.getvalue()
