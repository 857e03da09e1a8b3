"""Write notebooks as pages: ``python -m bertviz_lite.views.pages.book [NOTEBOOK ...] [--to FOLDER]``."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bertviz_lite.views.pages.book.chapter import write_chapter
from bertviz_lite.views.pages.book.recording import BookError

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH = 30


def main(arguments: Sequence[str] | None = None) -> int:
    """Write each notebook as one HTML file in which every view is alive, without Python or a network.

    The outputs are those that are stored. The cells up to the last view are run again.
    """
    parser = argparse.ArgumentParser(prog="python -m bertviz_lite.views.pages.book", description=main.__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: those in notebooks/")
    parser.add_argument("--to", type=Path, default=Path("build", "book"), help="default: build/book")
    parser.add_argument("--beside", nargs="*", default=None, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    notebooks = options.notebooks or sorted(Path("notebooks").glob("*.ipynb"))
    if not notebooks:
        print("error: there is no notebook in notebooks/: name one.", file=sys.stderr)
        return 2
    options.to.mkdir(parents=True, exist_ok=True)
    if len(notebooks) == 1:
        return _write(notebooks[0], options.to, options.beside or [notebooks[0].stem])
    return _write_each(notebooks, options.to)


def _write_each(notebooks: list[Path], folder: Path) -> int:
    """Write each in a Python of its own: no chapter meets what another has changed."""
    environment = {"MPLBACKEND": "Agg", **os.environ}
    names = [notebook.stem for notebook in notebooks]
    for notebook in notebooks:
        command = [sys.executable, "-m", "bertviz_lite.views.pages.book", str(notebook), "--to", str(folder)]
        status = subprocess.run([*command, "--beside", *names], env=environment, check=False).returncode
        if status:
            return status
    print(f"Open {folder / (names[0] + '.html')}.")
    return 0


def _write(notebook: Path, folder: Path, beside: list[str]) -> int:
    os.environ.setdefault("MPLBACKEND", "Agg")
    page, start = folder / f"{notebook.stem}.html", time.monotonic()

    def tell(number: int, count: int) -> None:
        if sys.stderr.isatty():
            bar = "#" * (_WIDTH * number // count)
            line = f"\r{notebook.stem:<22} [{bar:<{_WIDTH}}] cell {number} of {count}"
            print(line, end="", file=sys.stderr, flush=True)

    try:
        count = write_chapter(notebook, page, beside, tell)
    except BookError as error:
        print(f"\nerror: {notebook.name}: {error}", file=sys.stderr)
        return 2
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    size, seconds = page.stat().st_size / 1e6, time.monotonic() - start
    print(f"{page}: {size:.1f} MB, {count} view{'' if count == 1 else 's'}, {seconds:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
