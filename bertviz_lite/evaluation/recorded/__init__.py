"""Numbers that took hours to measure: read here, written by the programs in ``experiments/``.

>>> recorded("one_way")["steps"]
1200
"""

import json
from pathlib import Path
from typing import Any

from bertviz_lite.basics.arguments import ArgumentError

FOLDER = Path(__file__).parent


def file_of(name: str) -> Path:
    """Return the file of an experiment's numbers, whether it exists or not."""
    return FOLDER / f"{name}.json"


def recorded(name: str) -> dict[str, Any]:
    """Return the numbers of an experiment, such as "similarity" or "one_way".

    Raises
    ------
    ValueError
        Where nothing of that name is recorded.
    """
    try:
        text = file_of(name).read_text(encoding="utf-8")
    except OSError:
        names = ", ".join(sorted(path.stem for path in FOLDER.glob("*.json")))
        raise ArgumentError(f"nothing is recorded of {name!r}: there is {names}.") from None
    return dict(json.loads(text))
