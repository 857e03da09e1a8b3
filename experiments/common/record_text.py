"""How recorded numbers are written: JSON with one line for each list of numbers."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["record_text"]


def record_text(record: dict[str, Any]) -> str:
    """Return a record as JSON, to its last line break."""
    return _lines(record, "") + "\n"


def _lines(value: Any, indent: str) -> str:  # noqa: ANN401 - JSON
    inner = indent + " "
    if isinstance(value, dict):
        entries = [f"{inner}{json.dumps(name)}: {_lines(entry, inner)}" for name, entry in value.items()]
        return "{\n" + ",\n".join(entries) + f"\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"{inner}{_lines(entry, inner)}" for entry in value) + f"\n{indent}]"
    return json.dumps(value)
