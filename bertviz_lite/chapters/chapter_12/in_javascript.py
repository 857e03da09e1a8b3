"""The functions with which a page computes a BERT, shown as they stand in their files.

>>> print(in_javascript("pool"))  # doctest: +ELLIPSIS
heads.js, pool
  1  export function* pool(...
"""

from __future__ import annotations

import re
from pathlib import Path

from bertviz_lite.exercises.listing import Listing, SourceError
from bertviz_lite.views import engine

__all__ = ["in_javascript"]

_ENGINE = Path(engine.__file__).parent / "js" / "bert"


def in_javascript(name: str, note: str = "") -> Listing:
    """Read one function of the page's BERT, without the comment above it.

    Raises
    ------
    SourceError
        If there is no function of that name.
    """
    start = re.compile(rf"^(?:export )?function\*? {re.escape(name)}\(.*?^\}}$", re.MULTILINE | re.DOTALL)
    for file in sorted(_ENGINE.glob("*.js")):
        if match := start.search(file.read_text(encoding="utf-8")):
            return Listing(file.name, name, match[0], note, is_python=False)
    raise SourceError(f"the page's BERT has no function {name}.")
