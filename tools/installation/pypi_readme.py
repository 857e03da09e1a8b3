"""Give PyPI the README with whole addresses: there a relative link leads nowhere. Run by hatchling."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

HOME = "bertviz-lite/bertviz-lite"
PICTURES = f"https://raw.githubusercontent.com/{HOME}/main/"
FILES = f"https://github.com/{HOME}/blob/main/"
RELATIVE = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?!https?:|#)([^)\s]+)\)")


def with_whole_addresses(readme: str) -> str:
    """Return the README as it holds anywhere.

    >>> with_whole_addresses("![A view](docs/view.png) and [why](docs/why.md#so), [here](#here)")[:75]
    '![A view](https://raw.githubusercontent.com/bertviz-lite/bertviz-lite/main/'
    """
    return RELATIVE.sub(
        lambda link: f"{link[1]}[{link[2]}]({PICTURES if link[1] else FILES}{link[3]})", readme
    )


class PypiReadme(MetadataHookInterface):
    """Puts the README into the package's metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the text."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": with_whole_addresses(text)}
