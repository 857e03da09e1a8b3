"""Open every deck in Chromium and look at each slide: `python tools/check_slides.py [ARGUMENT ...]`.

Nothing may stand lower than 700 of 720 pixels or beyond the sides, no letter be smaller than the back row
reads, no view fail, nothing be fetched, axe find nothing. `make test` does the same with one deck. Arguments
are those of pytest.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Run the browser test of the slides on all decks; return its exit status."""
    command = [sys.executable, "-m", "pytest", "tests/views/test_browser_slides.py", "-n", "0", *sys.argv[1:]]
    environment = {**os.environ, "BERTVIZ_LITE_ALL_DECKS": "1", "BERTVIZ_LITE_REQUIRE_BROWSER": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
