"""Run the README's Python examples, one after the other, as a reader would: `readme_examples.py README.md`.

It asks for nothing else of the repository, so a release runs it against the installed wheel, elsewhere.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

EXAMPLE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def run(readme: Path) -> int:
    """Run every example in one namespace; return how many there are."""
    text = readme.read_text(encoding="utf-8")
    space: dict[str, Any] = {}
    examples = list(EXAMPLE.finditer(text))
    for example in examples:
        line = text.count("\n", 0, example.start()) + 1
        code = "\n" * line + example[1]  # so that an error names the README's own line
        exec(compile(code, str(readme), "exec"), space)  # noqa: S102 - the README is ours
    return len(examples)


if __name__ == "__main__":
    print(f"{run(Path(sys.argv[1]))} examples ran with {sys.version.split()[0]}")
