"""The two attention views measured beside ours, in an environment and with scripts of their own.

BertViz loads require.js, d3 and jQuery from a CDN, CircuitsVis its own bundle; none of their pages shows
anything without a network. So that they can be measured, the Python packages go into a folder under
``build/`` that only their own processes see, and the scripts are answered locally, at the addresses that the
pages ask for. The pages themselves are as the packages write them.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Route

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements-bench.lock"
FOLDER = ROOT / "build" / "bench" / hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
SITE = FOLDER / "site"

_CLOUDFLARE = "https://cdnjs.cloudflare.com/ajax/libs"
_PACKAGES = {
    # npm package: (file in it, SHA-256 of that file, address that BertViz' pages ask for)
    "requirejs@2.3.6": (
        "require.js",
        "9485f0917f97fcf4f63a5ea365200ffd57f123f451382a2f9a1ad2e2fd51ac9b",
        f"{_CLOUDFLARE}/require.js/2.3.6/require.min.js",
    ),
    "d3@5.7.0": (
        "dist/d3.min.js",
        "bdad5585ef9a965ff25458738309b006058c55f2c78d794d25fbecae35014609",
        f"{_CLOUDFLARE}/d3/5.7.0/d3.min.js",
    ),
    # BertViz asks for 2.0.0, which the npm registry does not have; this is the next one that it has.
    "jquery@2.1.0": (
        "dist/jquery.min.js",
        "8851e7844413ec986053d7d497ca932861b8622d2369bb291777329c2a713c72",
        f"{_CLOUDFLARE}/jquery/2.0.0/jquery.min.js",
    ),
}
_CIRCUITSVIS = "https://unpkg.com/circuitsvis@"


def install() -> None:
    """Install the packages and fetch the scripts, once per version of the lock; needs pip, npm and a network.

    Raises
    ------
    RuntimeError
        If one of them cannot be had; the message says which, in one line.
    """
    if not (SITE / "circuitsvis").is_dir():
        shutil.rmtree(FOLDER, ignore_errors=True)
        _run(
            "pip could not install requirements-bench.lock",
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"),
            *("--target", str(SITE), "--requirement", str(LOCK)),
        )
    npm = shutil.which("npm")
    for package, (file, digest, _address) in _PACKAGES.items():
        if _script(package).is_file():
            continue
        if npm is None:
            raise RuntimeError("no npm on this machine, which fetches the scripts of BertViz' pages")
        _run(f"npm could not fetch {package}", npm, "pack", "--silent", package, folder=FOLDER)
        with tarfile.open(FOLDER / f"{package.replace('@', '-')}.tgz") as archive:
            content = archive.extractfile(f"package/{file}")
            text = content.read() if content else b""
        if hashlib.sha256(text).hexdigest() != digest:
            raise RuntimeError(f"{file} of {package} is not the file that was measured before")
        _script(package).write_bytes(text)


def _script(package: str) -> Path:
    return FOLDER / f"{package}.js"


def _run(problem: str, *command: str, folder: Path = ROOT) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=600)
    except (subprocess.SubprocessError, OSError) as error:
        last = (getattr(error, "stderr", "") or str(error)).strip().splitlines()[-1:]
        raise RuntimeError(f"{problem}: {' '.join(last)}") from None


def environment() -> dict[str, str]:
    """Return the environment of a process that can import the peers beside what ``.venv`` has."""
    return {**os.environ, "PYTHONPATH": str(SITE)}


def serve(context: BrowserContext) -> None:
    """Answer what the peers' pages ask the network for with the local copies; refuse everything else."""
    scripts = {address: _script(package) for package, (_, _, address) in _PACKAGES.items()}

    def answer(route: Route) -> None:
        address = route.request.url
        if address in scripts:
            body = scripts[address].read_text(encoding="utf-8")
        elif address.startswith(_CIRCUITSVIS):
            # The wheel holds the bundle in its other form; what it defines is handed out as a module.
            bundle = (SITE / "circuitsvis" / "dist" / "cdn" / "iife.js").read_text(encoding="utf-8")
            body = bundle + "\nexport const { render, AttentionHeads } = CircuitsVis;"
        else:
            route.abort()
            return
        headers = {"Access-Control-Allow-Origin": "*"}
        route.fulfill(body=body, content_type="text/javascript", headers=headers)

    context.route(re.compile("^https?:"), answer)
