"""Run strict nbval over notebooks, in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from notebook_checks.environment import CELL_TIMEOUT, START_TIMEOUT, kernel_environment
from notebook_checks.sanitize import SANITIZE_FILE, load_rules

SETTINGS = Path(__file__).with_name("strict.ini")
# Plugins are named, none is found by itself: what else is installed must not matter.
START = "import sys; sys.path.insert(0, sys.argv.pop(1)); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
TOOLS = Path(__file__).resolve().parents[1]


def run_strict(paths: Sequence[Path], jobs: int | None = None, timeout: int = CELL_TIMEOUT) -> bool:
    """Run every cell again, compare with what is committed, print the differences; True for none.

    Parameters
    ----------
    paths
        The notebooks; each runs in one kernel.
    jobs
        How many to run at once; the number of processors by default.
    timeout
        Seconds per cell.

    Raises
    ------
    SanitizeError
        If the sanitize file is malformed or hides too much.
    """
    load_rules()
    jobs = min(jobs or os.cpu_count() or 1, len(paths))
    options = [
        *(
            "-c",
            str(SETTINGS),
            "--rootdir",
            os.path.commonpath([path.parent for path in paths]),
            "--noconftest",
            "-p",
            "no:cacheprovider",
        ),
        *("-p", "nbval.plugin", "-p", "notebook_checks.nbval_plugin"),
        *("--nbval", "--nbval-current-env", f"--nbval-cell-timeout={timeout}"),
        f"--nbval-kernel-startup-timeout={START_TIMEOUT}",
        *("--nbval-sanitize-with", str(SANITIZE_FILE)),
        *("-q", "--no-header", "-rN", "--disable-warnings", "--color=no", "--tb=short", "--show-capture=no"),
    ]
    if jobs > 1:
        options += ["-p", "xdist.plugin", "-n", str(jobs), "--dist", "loadfile"]
    with kernel_environment() as environment:
        environment = {k: v for k, v in environment.items() if not k.startswith(("PYTEST_", "COV_"))}
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        command = [sys.executable, "-c", START, str(TOOLS), *options, *map(str, paths)]
        return subprocess.run(command, env=environment, check=False).returncode == 0
