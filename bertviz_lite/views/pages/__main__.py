"""Write all views of the pocket model as one HTML file: ``python -m bertviz_lite.views.pages [FILE]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bertviz_lite.models.loading import load
from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.language import LANGUAGES
from bertviz_lite.views.pages.class_page import TABS, TITLE
from bertviz_lite.views.pages.tabs import save_page

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLACE = Path("build", "bert.html")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write every view of the pocket model as one HTML file that works without a network, for a class."""
    parser = argparse.ArgumentParser(prog="python -m bertviz_lite.views.pages", description=main.__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=_PLACE, help=f"default: {_PLACE}")
    parser.add_argument(
        "--lang", choices=LANGUAGES, help="the language of the page until its reader switches; default: en"
    )
    options = parser.parse_args(arguments)
    file: Path = options.file
    if file == _PLACE:
        file.parent.mkdir(exist_ok=True)
    tokenizer, model = load("pocket")
    views = {}
    for number, tab in enumerate(TABS, start=1):
        print(f"{number} of {len(TABS)}: {tab.name}", flush=True)
        views[tab.name] = tab.make(model, tokenizer)
    try:
        save_page(file, views, title=TITLE, texts={tab.name: tab.text for tab in TABS}, lang=options.lang)
    except ViewError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"Wrote {file}: {file.stat().st_size / 1e6:.1f} MB. Open it in any browser, or send it to a class.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
