"""Write decks as pages: ``python -m bertviz_lite.views.pages.slides [DECK ...] [--to FOLDER] [--check]``."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bertviz_lite.views.pages.slides.chapters import Chapters, SlideError
from bertviz_lite.views.pages.slides.deck import problems, read_deck
from bertviz_lite.views.pages.slides.page import write_deck, write_index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bertviz_lite.views.pages.slides.page import Written


def main(arguments: Sequence[str] | None = None) -> int:
    """Write each deck as one HTML file, its views alive, without Python or a network.

    Figures, numbers and views are taken from the stored chapters; of these only the cells that show a view
    are run again.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.views.pages.slides", description=main.__doc__
    )
    parser.add_argument("decks", nargs="*", type=Path, help="default: those in slides/")
    parser.add_argument("--to", type=Path, default=Path("build", "slides"), help="default: build/slides")
    parser.add_argument("--check", action="store_true", help="only say what is wrong with them")
    options = parser.parse_args(arguments)
    decks = options.decks or sorted(Path("slides").glob("*.md"))
    if not decks:
        print("error: there is no deck in slides/: name one.", file=sys.stderr)
        return 2
    os.environ.setdefault("MPLBACKEND", "Agg")
    chapters = Chapters(Path("notebooks"))
    wrong = [f"{deck}, {problem}" for deck in decks for problem in problems(read_deck(deck), chapters)]
    for problem in wrong:
        print(f"error: {problem}", file=sys.stderr)
    if wrong or options.check:
        return 2 if wrong else 0
    options.to.mkdir(parents=True, exist_ok=True)
    try:
        written = [_write(deck, options.to, chapters) for deck in decks]
    except SlideError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not options.decks:
        index = options.to / "index.html"
        write_index(index, written)
        print(f"Open {index}.")
    return 0


def _write(deck: Path, folder: Path, chapters: Chapters) -> Written:
    start = time.monotonic()
    written = write_deck(read_deck(deck), folder / f"{deck.stem}.html", chapters, Path("slides", "reveal"))
    size, seconds = written.file.stat().st_size / 1e6, time.monotonic() - start
    print(f"{written.file}: {written.slides} slides, {size:.1f} MB, {seconds:.0f} s", flush=True)
    return written


if __name__ == "__main__":
    sys.exit(main())
