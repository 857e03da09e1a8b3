"""Run the mutants: `python tools/mutants [--only NAME …] [--list]`."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from mutants.command import main  # noqa: E402 - the folder above must be on the path first

if __name__ == "__main__":
    raise SystemExit(main())
