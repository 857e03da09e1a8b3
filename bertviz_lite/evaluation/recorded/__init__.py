"""Numbers that took hours to measure: read here, written by the programs in ``experiments/``.

>>> recorded("one_way")["steps"]
1200
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def recorded(name: str) -> dict[str, Any]:
    """Return what the experiment `name` has written: "ablations", "finetuning_results", "one_way", ..."""
    return dict(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))
