"""Try one mutant: run the tests that should notice it, in a process of their own, within a time limit."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mutants.changed_import import MADE, VARIABLE

if TYPE_CHECKING:
    from mutants.mutant import Mutant

ROOT = Path(__file__).resolve().parents[2]
STARTUP = Path(__file__).parent / "startup"
PYTEST = ("-m", "pytest", "-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider")
_NOTICED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """What came of a mutant.

    ``kind`` is "caught"; "survived", no test failed; "too slow", the time limit came first; or "broken", the
    change could not be made or the tests not be run. ``by`` says which test noticed, or why not.
    """

    kind: str
    by: str
    seconds: float


def commands(tests: tuple[str, ...]) -> list[list[str]]:
    """Return the commands that run these tests: one for pytest, one for each notebook."""
    notebooks = [test for test in tests if test.endswith(".ipynb")]
    others = [test for test in tests if test not in notebooks]
    found = [[sys.executable, *PYTEST, *others]] if others else []
    return found + [
        [sys.executable, "tools/check_notebooks.py", notebook, "--only", "strict"] for notebook in notebooks
    ]


def try_mutant(mutant: Mutant, limit: float) -> Outcome:
    """Run a mutant's tests until one fails."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "note"
        change = {"module": mutant.module, "old": mutant.old, "new": mutant.new, "note": str(note)}
        environment = {
            **os.environ,
            VARIABLE: json.dumps(change),
            "HYPOTHESIS_STORAGE_DIRECTORY": folder,  # what fails with a mutant must not be remembered
            "PYTHONPATH": os.pathsep.join((str(STARTUP), str(ROOT))),
        }
        outcome = ("survived", "")
        for command in commands(mutant.tests):
            code, output = run(command, environment, limit - (time.monotonic() - begun))
            outcome = judge(code, output, note.read_text(encoding="utf-8") if note.exists() else None)
            if outcome[0] != "survived":
                break
    return Outcome(*outcome, round(time.monotonic() - begun, 1))


def judge(code: int | None, output: str, note: str | None) -> tuple[str, str]:
    """Say what an exit status means (None: the time limit), and who noticed.

    Only a test that ran and failed has noticed: pytest's other statuses, as for files that cannot be
    imported, say that the change broke more than it should.
    """
    last = (output.strip().splitlines() or ["no output"])[-1]
    if note is None:
        return "broken", f"the changed module was not imported: {last}"
    if note != MADE:
        return "broken", note
    if code is None:
        return "too slow", "the time limit came first"
    if code == 0:
        return "survived", ""
    noticed = _NOTICED.search(output)
    if code == 1:
        return "caught", noticed.group(1) if noticed else last
    return "broken", f"exit status {code}: {last}"


def run(command: list[str], environment: dict[str, str], limit: float) -> tuple[int | None, str]:
    """Run a command from the root; end it with all that it started when its time is up (status None)."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout=max(limit, 0.1))
        except subprocess.TimeoutExpired:
            code = None
        finally:
            if process.poll() is None:
                _end(process)
        output.seek(0)
        return code, output.read().decode(errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
