"""What the views' JavaScript computes, asked from Python."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.helpers.browser import find_program

LOADER = Path(__file__).parents[1] / "views" / "js" / "load.mjs"


def printed_by(script: str) -> Any:  # noqa: ANN401 - any JSON
    """Run a module that finds the views in ``./load.mjs``, and return the JSON that it prints."""
    node = find_program(["node", "nodejs"], "Node.js")
    command = [node, "--input-type=module", "-e", script]
    run = subprocess.run(command, cwd=LOADER.parent, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)
