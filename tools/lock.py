"""Write requirements.lock (newest versions) and requirements-oldest.lock (the lower bounds).

One file serves Python 3.11 to 3.14 on Linux, macOS and Windows; what differs is marked. uv, from PyPI, does
the work: ``pip install uv``, then ``make lock``. Versions that are in a lock stay as they are unless the
bounds forbid it; ``make lock ARGS=--upgrade`` takes the newest.

CUDA's libraries are left out: a torch built for CUDA asks for them itself, a torch for the CPU does not.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = {
    "requirements.lock": "# The versions that `make lab` and `make test` install. Written by `make lock`.\n",
    "requirements-oldest.lock": (
        "# The oldest versions that pyproject.toml allows, for `make test LOCK=requirements-oldest.lock`.\n"
        "# Written by `make lock`.\n"
    ),
}
LEFT_OUT = re.compile(r"^(nvidia-|cuda-|triton\b|httpx2-jsfetch\b)")


def compile_lock(name: str, arguments: list[str]) -> None:
    """Solve pyproject.toml for every supported system and write the file ``name``."""
    target = ROOT / name
    uv = shutil.which("uv")
    if uv is None:
        sys.exit("uv is needed to write the locks: pip install uv")
    solved = target.with_suffix(".solving")
    solved.write_text(target.read_text(encoding="utf-8") if target.exists() else "", encoding="utf-8")
    command = [uv, "pip", "compile", "pyproject.toml", "--extra=test", "--universal", "--python-version=3.11"]
    form = ["--fork-strategy=fewest", "--no-annotate", "--no-header", "--quiet"]
    command += [*form, f"--output-file={solved.name}", *arguments]
    try:
        subprocess.run(command, cwd=ROOT, check=True)
        lines = solved.read_text(encoding="utf-8").splitlines()
    except subprocess.CalledProcessError:
        sys.exit(f"{name} is unchanged: uv found no versions that fit together (see above).")
    finally:
        solved.unlink(missing_ok=True)
    kept = [line.replace("+cpu", "") for line in lines if not LEFT_OUT.match(line)]
    target.write_text(HEADER[name] + "\n".join(kept) + "\n", encoding="utf-8", newline="\n")
    print(f"{name}: {len(kept)} packages")


def lower_bounds() -> list[str]:
    """Return uv's options that give every direct dependency its lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stated = project["dependencies"] + [
        line for extra in project["optional-dependencies"].values() for line in extra
    ]
    names = [re.split(r"[^\w-]", line)[0] for line in stated]
    return ["--resolution=lowest-direct", *(f"--upgrade-package={name}" for name in names)]


if __name__ == "__main__":
    compile_lock("requirements.lock", sys.argv[1:])
    compile_lock("requirements-oldest.lock", [*lower_bounds(), *sys.argv[1:]])
