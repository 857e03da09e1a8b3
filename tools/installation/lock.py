"""Write the locks: the exact versions that readers, tests, the site and the oldest run install.

- ``requirements.lock``: what a reader needs (``make lab``), in the newest versions;
- ``requirements-test.lock``: what ``make test`` needs on top of it, and nothing that is in it;
- ``requirements-site.lock``: what ``make site`` needs on top of ``requirements.lock``;
- ``requirements-oldest.lock``: readers' and tests' together, at the lower bounds of pyproject.toml.

One file serves Python 3.11 to 3.14 on Linux, macOS and Windows; what differs is marked. uv, from PyPI, does
the work: ``pip install uv``, then ``make lock``. Versions that are in a lock stay as they are unless the
bounds forbid it; ``make lock ARGS=--upgrade`` takes the newest.

CUDA's libraries are left out: a torch built for CUDA asks for them itself, a torch for the CPU does not.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
READERS, TESTS, SITE = "requirements.lock", "requirements-test.lock", "requirements-site.lock"
OLDEST = "requirements-oldest.lock"
HEADER = {
    READERS: "# The versions that `make lab` installs. Written by `make lock`.\n",
    TESTS: "# What `make test` installs on top of requirements.lock. Written by `make lock`.\n",
    SITE: "# What `make site` installs on top of requirements.lock. Written by `make lock`.\n",
    OLDEST: (
        "# The oldest versions that pyproject.toml allows, for `make test LOCK=requirements-oldest.lock`.\n"
        "# Written by `make lock`.\n"
    ),
}
LEFT_OUT = re.compile(r"^(nvidia-|cuda-|triton\b|httpx2-jsfetch\b)")


class UnsolvableError(Exception):
    """uv found no versions that fit together, and has said why."""


def solve(extra: str, before: list[str], *options: str, within: list[str] | None = None) -> list[str]:
    """Return the pins of the package with one extra, and of what builds it, for every supported system.

    Parameters
    ----------
    extra : str
        One of ``[project.optional-dependencies]``.
    before : list of str
        Pins that are kept where the bounds allow it.
    *options : str
        More options for uv.
    within : list of str, optional
        Pins that must be kept.

    Raises
    ------
    UnsolvableError
        When there are no such versions.
    """
    uv = shutil.which("uv")
    if uv is None:
        sys.exit("uv is needed to write the locks: pip install uv")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        solved, builds, constraints = folder / "solved.txt", folder / "build.in", folder / "within.txt"
        solved.write_text(lines(before), encoding="utf-8")
        builds.write_text(lines(project()["build-system"]["requires"]), encoding="utf-8")
        constraints.write_text(lines(within or []), encoding="utf-8")
        command = [uv, "pip", "compile", "pyproject.toml", str(builds), f"--extra={extra}", "--universal"]
        command += ["--python-version=3.11", "--fork-strategy=fewest", f"--constraint={constraints}"]
        command += ["--no-annotate", "--no-header", "--quiet", f"--output-file={solved}", *options]
        try:
            subprocess.run(command, cwd=ROOT, check=True)
        except subprocess.CalledProcessError:
            raise UnsolvableError from None
        found = solved.read_text(encoding="utf-8").splitlines()
    return [line.replace("+cpu", "") for line in found if not LEFT_OUT.match(line)]


def project() -> dict[str, Any]:
    """Return what pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def lines(pins: list[str]) -> str:
    """Return a file's text."""
    return "".join(f"{pin}\n" for pin in pins)


def pins_of(*names: str) -> list[str]:
    """Return the pins that locks hold now, sorted."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in names if (ROOT / name).exists()]
    return sorted(line for text in texts for line in text.splitlines() if not line.startswith("#"))


def lower_bounds() -> list[str]:
    """Return uv's options that give every direct dependency its lower bound."""
    table = project()["project"]
    stated = table["dependencies"] + [
        line for extra in table["optional-dependencies"].values() for line in extra
    ]
    names = [re.split(r"[^\w-]", line)[0] for line in stated]
    return ["--resolution=lowest-direct", *(f"--upgrade-package={name}" for name in names)]


def write(options: list[str]) -> None:
    """Write the locks, or none of them."""
    try:
        everything = solve("test", pins_of(READERS, TESTS), *options)
        readers = solve("notebooks", everything, within=everything)
        site = solve("site", [*everything, *pins_of(SITE)], *options, within=everything)
        oldest = solve("test", pins_of(OLDEST), *lower_bounds(), *options)
    except UnsolvableError:
        sys.exit("The locks are unchanged: uv found no versions that fit together (see above).")
    written = {
        READERS: readers,
        TESTS: on_top(everything, readers),
        SITE: on_top(site, readers),
        OLDEST: oldest,
    }
    for name, pins in written.items():
        (ROOT / name).write_text(HEADER[name] + lines(pins), encoding="utf-8", newline="\n")
        print(f"{name}: {len(pins)} packages")


def on_top(pins: list[str], readers: list[str]) -> list[str]:
    """Return the pins of packages that readers do not have already."""
    names = {pin.partition("==")[0] for pin in readers}
    return [pin for pin in pins if pin.partition("==")[0] not in names]


if __name__ == "__main__":
    write(sys.argv[1:])
