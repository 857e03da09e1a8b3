"""JavaScript is checked where its tools are; where they are missing, one line says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "javascript.py"


@pytest.mark.parametrize(("variable", "status"), [(None, 0), ("CI", 1), ("BERTVIZ_LITE_REQUIRE_BROWSER", 1)])
def test_without_node_the_check_is_left_out_but_never_in_continuous_integration(
    tmp_path: Path, variable: str | None, status: int
) -> None:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in {"CI", "BERTVIZ_LITE_REQUIRE_BROWSER"}
    }
    environment = kept | {"PATH": str(tmp_path)} | ({variable: "1"} if variable else {})
    run = subprocess.run(
        [sys.executable, str(TOOL), "lint"], env=environment, capture_output=True, text=True, check=False
    )
    assert run.stdout == "JavaScript is not checked: Node.js with npm is not installed.\n"
    assert run.returncode == status
