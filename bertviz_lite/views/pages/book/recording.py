"""Run a notebook again, and keep what a page needs of every view that it shows.

The outputs of a page are those of the notebook as it is stored. Of the run only the views are kept, so it
ends with the last cell that shows one.

What takes long is what the chapter itself trains before that: of chapter 11's five minutes on two busy cores
four are three of its fine-tunings (feelings 100 s, names 68 s, answers 76 s), and its view needs only that of
the names. No cell is left out all the same: cells share dictionaries, models and generators of random
numbers, so their names do not tell which of them a view depends on, and a view of other weights may have
the same repr. A chapter that shows its view before it trains is written at once.
"""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.notebook_files import Cell, text_of
from bertviz_lite.basics.one_line_error import OneLineError
from bertviz_lite.basics.text import clip
from bertviz_lite.views.base.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bertviz_lite.views.base.saved.contents import Contents

__all__ = ["BookError", "is_view", "record_views"]

_VIEW = re.compile(
    r"(EmbeddingView|Explorer|FillIn|Machine|MaskingLab|PairView|TimeLapse|TokenView|TraceView)\("
)


class BookError(OneLineError):
    """A notebook cannot be made a page."""


def is_view(output: dict[str, Any]) -> bool:
    """Whether an output of a stored notebook is a view."""
    data = output.get("data", {})
    return "text/html" in data and bool(_VIEW.match("".join(data.get("text/plain", ""))))


def record_views(
    cells: list[Cell], folder: Path, tell: Callable[[int, int], None]
) -> dict[tuple[int, int], Contents]:
    """Run a notebook's cells, and return what a page holds of each view.

    Parameters
    ----------
    cells
        As they are stored, outputs included.
    folder
        Where the notebook lies: the working folder meanwhile.
    tell
        Called before each code cell with its number among those that are run, and how many there are.

    Returns
    -------
    dict
        By (cell, output), both counted from 0.

    Raises
    ------
    BookError
        If a cell fails, or shows other views than its stored outputs do.
    """
    places = [
        (number, at)
        for number, cell in enumerate(cells)
        for at, output in enumerate(cell.get("outputs", []))
        if is_view(output)
    ]
    if not places:
        return {}
    last = places[-1][0]
    code = [number for number, cell in enumerate(cells[: last + 1]) if cell["cell_type"] == "code"]
    found: dict[tuple[int, int], Contents] = {}
    with _in_folder(folder), _shell() as run, _recorded() as shown:
        for count, number in enumerate(code, start=1):
            tell(count, len(code))
            problem = run(text_of(cells[number]))
            if problem is not None:
                raise BookError(f"cell {number}: {type(problem).__name__}: {clip(str(problem), 300)}")
            here = [at for cell, at in places if cell == number]
            stored = ["".join(cells[number]["outputs"][at]["data"]["text/plain"]) for at in here]
            if stored != [text for text, _ in shown]:
                fresh = ", ".join(text for text, _ in shown) or "no view"
                before = ", ".join(stored) or "no view"
                raise BookError(
                    f"cell {number} shows {fresh}, and was stored with {before}: run it again, and save it."
                )
            found |= {(number, at): contents for at, (_, contents) in zip(here, shown, strict=True)}
            shown.clear()
    return found


@contextmanager
def _recorded() -> Iterator[list[tuple[str, Contents]]]:
    """Keep every view that is displayed, in its state at that moment; no picture of it is drawn."""
    shown: list[tuple[str, Contents]] = []

    def keep(view: View, **_: object) -> tuple[dict[str, str], dict[str, str]]:
        contents = view._contents(None)
        shown.append((repr(view), replace(contents, blocks=list(contents.blocks))))
        return {"text/plain": repr(view)}, {}

    before = View._repr_mimebundle_
    View._repr_mimebundle_ = keep  # type: ignore[method-assign, assignment]
    try:
        yield shown
    finally:
        View._repr_mimebundle_ = before  # type: ignore[method-assign]


@contextmanager
def _shell() -> Iterator[Callable[[str], BaseException | None]]:
    """Give a function that runs a cell in a fresh IPython and returns the error that it ended with."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        config = Config()
        config.HistoryManager.enabled = False
        before = os.environ.get("IPYTHONDIR")
        os.environ["IPYTHONDIR"] = folder
        try:
            shell = InteractiveShell.instance(config=config)
        finally:
            os.environ.pop("IPYTHONDIR")
            if before is not None:
                os.environ["IPYTHONDIR"] = before

        def run(source: str) -> BaseException | None:
            with capture_output():
                result = shell.run_cell(source)  # type: ignore[no-untyped-call]
            error: BaseException | None = result.error_before_exec or result.error_in_exec
            return error

        try:
            yield run
        finally:
            InteractiveShell.clear_instance()


@contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
