"""Check or format the views' JavaScript and style sheets: `javascript.py lint`, `javascript.py format`.

The work is done by TypeScript, ESLint and Prettier, in the versions that `package-lock.json` names. They are
put into `node_modules` when they are needed, which takes npm and a network, once. Where these are missing the
checks are left out with one line, but for continuous integration, where they must pass.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INSTALL = ["ci", "--no-audit", "--no-fund", "--silent"]


def main() -> int:
    """Run a script of `package.json`; return its exit status."""
    if len(sys.argv) != 2 or sys.argv[1] not in {"lint", "format"}:
        sys.stderr.write("Say what to do: javascript.py lint, or javascript.py format.\n")
        return 2
    npm = shutil.which("npm") if shutil.which("node") else None
    if npm is None:
        return left_out("Node.js with npm is not installed")
    if not is_installed() and subprocess.run([npm, *INSTALL], cwd=ROOT, check=False).returncode:
        return left_out("npm could not install its tools")
    return subprocess.run([npm, "run", "--silent", sys.argv[1]], cwd=ROOT, check=False).returncode


def is_installed() -> bool:
    """Whether `node_modules` is as new as the lock; npm leaves a copy of the lock there."""
    copy, lock = ROOT / "node_modules" / ".package-lock.json", ROOT / "package-lock.json"
    return copy.exists() and copy.stat().st_mtime >= lock.stat().st_mtime


def left_out(reason: str) -> int:
    """Say why nothing is checked; return 0, or 1 where everything must be checked."""
    must = bool(os.environ.get("CI") or os.environ.get("BERTVIZ_LITE_REQUIRE_BROWSER"))
    print(f"JavaScript is not checked: {reason}.")
    return int(must)


if __name__ == "__main__":
    sys.exit(main())
