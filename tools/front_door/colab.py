"""Write the chapters as Google Colab needs them, to build/colab: `python tools/front_door/colab.py`.

Colab opens one notebook from GitHub, on a machine that has never heard of the course. So each copy begins
with a cell that installs the package and turns on Colab's support for widgets, and does nothing elsewhere;
links between chapters lead to the copies. A workflow puts them on the branch `colab`, where the README's
button leads.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bertviz_lite.basics import notebook_files  # noqa: E402 - found by the line above

HOME = "bertviz-lite/bertviz-lite"
PLACE = f"https://colab.research.google.com/github/{HOME}/blob/colab"
PACKAGE = f"bertviz-lite @ git+https://github.com/{HOME}"
FIRST_CELL = f"""# On Colab, run this first: it installs the course. Elsewhere it does nothing.
import sys

if "google.colab" in sys.modules:
    %pip install --quiet "{PACKAGE}"
    from google.colab import output

    output.enable_custom_widget_manager()  # so that the views live
"""
LINK = re.compile(r"\]\((\d\d_\w+\.ipynb)")


def for_colab(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a chapter without outputs, with the cell in front and links to the other copies."""
    bare = notebook_files.without_outputs(notebook)
    cells = [
        {**cell, "source": LINK.sub(rf"]({PLACE}/\1", notebook_files.text_of(cell))}
        if cell["cell_type"] == "markdown"
        else cell
        for cell in bare["cells"]
    ]
    first: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "id": "on-colab",
        "metadata": {},
        "outputs": [],
        "source": FIRST_CELL.rstrip("\n"),
    }
    return {**bare, "cells": [first, *cells]}


def write(folder: Path) -> list[Path]:
    """Write every chapter into a folder; return the files."""
    written = []
    for chapter in sorted((ROOT / "notebooks").glob("*.ipynb")):
        copy = folder / chapter.name
        notebook_files.write(for_colab(notebook_files.read(chapter)), copy)
        written.append(copy)
    return written


if __name__ == "__main__":
    place = ROOT / "build" / "colab"
    print(f"{len(write(place))} chapters for Colab: {place}")
