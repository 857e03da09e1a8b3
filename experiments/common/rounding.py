"""Numbers with four digits, for the files of recorded numbers."""

from __future__ import annotations

from typing import Any

import numpy as np


def rounded(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Round all floats in nested dictionaries and lists; tuples become lists, keys become text."""
    if isinstance(value, dict):
        return {str(name): rounded(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(entry) for entry in value]
    return round(float(value), 4) if isinstance(value, (float, np.floating)) else value
