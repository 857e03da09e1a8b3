"""What the views' JavaScript computes, asked from Python."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.browser import find_program

LOADER = Path(__file__).parents[1] / "views" / "js" / "load.mjs"


ROOT = Path(__file__).parents[2]


def lines_of_typescript(script: str, *files: Path) -> list[str]:
    """Run a module beside the loader that uses TypeScript on files, and return the lines that it prints."""
    if not (ROOT / "node_modules" / "typescript").exists():
        pytest.skip("TypeScript is not installed: npm ci")
    node = find_program(["node", "nodejs"], "Node.js")
    command = [node, *map(str, [LOADER.with_name(script), *files])]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True)
    return run.stdout.splitlines()


def printed_by(script: str) -> Any:  # noqa: ANN401 - any JSON
    """Run a module that finds the views in ``./load.mjs``, and return the JSON that it prints."""
    node = find_program(["node", "nodejs"], "Node.js")
    command = [node, "--input-type=module", "-e", script]
    run = subprocess.run(command, cwd=LOADER.parent, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)
