"""Static rules on a notebook's form: valid, complete, run in order, nothing skipped, in the normal form."""

import json
import re
import warnings
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import nbformat
from nbval.plugin import comment_markers

from notebook_checks.notebook import (
    CELL_ID,
    CELL_METADATA,
    MADE_FROM,
    SECOND_MODEL,
    SWITCHES,
    THIS_PROCESSOR,
    Cell,
    Notebook,
    cell_name,
    code_cells,
    normalised,
    original_of,
    serialised,
)

MAX_BYTES = 3_000_000
MAX_CODE_LINES = 20
MAX_CODE_RUN = 2
AROUND = re.compile(r"""["']\.\.(?:["']|[/\\])""")
MARKER = re.compile(rf"^\s*#+\s*(?:NBVAL_\w+|{'|'.join(comment_markers)})", re.IGNORECASE | re.MULTILINE)
REFRESH = "run `make refresh`"
CATCH = "to show an error, catch it and print its message"


def validity(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Follow nbformat's schema, with cell ids (format 4.5), each once."""
    if notebook.get("nbformat_minor", 0) < 5:
        yield f"is of format 4.{notebook.get('nbformat_minor', 0)}, which has no cell ids: {REFRESH}"
        return
    seen: set[str] = set()
    for index, cell in enumerate(notebook["cells"]):
        name = cell.get("id")
        if not isinstance(name, str) or not CELL_ID.fullmatch(name):
            yield f"{cell_name(index, cell)} has no valid id: {REFRESH}"
        elif name in seen:
            yield f"{cell_name(index, cell)} repeats the id {name}: {REFRESH}"
        else:
            seen.add(name)
            continue
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nbformat.validate(nbformat.from_dict(notebook))
    except nbformat.ValidationError as error:
        yield f"is no valid notebook: {str(error).splitlines()[0]}"


def size(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Stay small enough to open on a slow line."""
    if (found := path.stat().st_size) > MAX_BYTES:
        yield f"is {found / 1e6:.1f} MB, at most {MAX_BYTES / 1e6:g} MB: show less, or smaller pictures"


def widget_state(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Carry no widget state: viewers choke on it, and it shows what the code may no longer give."""
    if "widgets" in notebook["metadata"]:
        yield f"has widget state in its metadata: {REFRESH}"


def switches(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Switch off nothing but the runs that may be left out, by true or false."""
    if SWITCHES not in notebook["metadata"]:
        return
    given = notebook["metadata"][SWITCHES]
    if not isinstance(given, dict) or not given or set(given) - {SECOND_MODEL, THIS_PROCESSOR}:
        names = f'"{SECOND_MODEL}" and "{THIS_PROCESSOR}"'
        yield f'its metadata has "{SWITCHES}": {json.dumps(given)}; it may hold {names} alone'
        return
    for name, value in given.items():
        if not isinstance(value, bool):
            yield f'its metadata has "{name}": {json.dumps(value)}: make it true or false'


def execution_counts(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Be run once, top to bottom: 1, 2, 3 ... A cell without a number is not compared by nbval."""
    for expected, (index, cell) in enumerate(code_cells(notebook), start=1):
        count = cell["execution_count"]
        if count is None:
            yield f"cell {index + 1} was never run, or its outputs were stripped: {REFRESH}"
        elif count != expected:
            yield f"{cell_name(index, cell)} should be number [{expected}]; cells run out of order: {REFRESH}"
            return


def normal_form(notebook: Notebook, path: Path) -> Iterator[str]:
    """Be written as `make refresh` writes it, so that a difference in git is a difference."""
    is_lines = path.read_text(encoding="utf-8").split("\n")
    should_lines = serialised(normalised(notebook)).split("\n")
    for number, (is_, should) in enumerate(zip_longest(is_lines, should_lines), start=1):
        if is_ != should:
            yield (
                f"is not in the form that `make refresh` writes, from line {number}: "
                f"{_short(is_)} should be {_short(should)}"
            )
            return


def _short(line: str | None) -> str:
    return "the end" if line is None else repr(line.strip()[:60])


def code_runs(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Have prose after two code cells at the latest."""
    run = 0
    for index, cell in enumerate(notebook["cells"]):
        run = run + 1 if cell["cell_type"] == "code" else 0
        if run == MAX_CODE_RUN + 1:
            yield f"{cell_name(index, cell)} is the third code cell in a row: say between them what to notice"


def kinds(cell: Cell, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Be prose or code that is run: nothing raw, nothing attached, which no run has given."""
    if cell["cell_type"] not in ("markdown", "code"):
        yield f"is a {cell['cell_type']} cell, which no run compares: make it prose or code"
    for name in cell.get("attachments", ()):
        yield f"has {name} attached, which no run draws: draw it in a cell"


def shown_whole(cell: Cell, path: Path) -> Iterator[str]:
    """Have no tag and no metadata: a viewer may hide a cell or its outputs by them."""
    if MADE_FROM in cell["metadata"] and not original_of(path):
        yield f"the metadata {MADE_FROM!r} is for translations: this is an original"
    for key in cell["metadata"]:
        if key not in CELL_METADATA:
            yield f"the metadata {key!r} may hide a cell or its output: {REFRESH}"
    for tag in cell["metadata"].get("tags", ()):
        yield f"the tag {tag} may hide the cell or weaken its check: remove it ({CATCH})"


def comments(cell: Cell, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Ask for no weaker check by a comment."""
    if cell["cell_type"] == "code":
        for match in MARKER.finditer(cell["source"]):
            yield f"the comment {match.group().strip()} weakens the check: remove it ({CATCH})"


def code_length(cell: Cell, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Have code, and not more of it than fits a screen."""
    lines = len(cell["source"].splitlines())
    if not cell["source"].strip():
        yield "is empty: remove it"
    elif cell["cell_type"] == "code" and lines > MAX_CODE_LINES:
        yield f"has {lines} lines of code, at most {MAX_CODE_LINES}: split it, or move code to the package"


def files_around(cell: Cell, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Read no file by its place beside the notebook: a reader may have the notebook and the package alone."""
    if cell["cell_type"] == "code":
        for match in AROUND.finditer(cell["source"]):
            yield f"{match.group()} leads out of the notebook's folder: read the file from the package"


NOTEBOOK_RULES = (size, widget_state, switches, execution_counts, normal_form, code_runs)
CELL_RULES = (kinds, shown_whole, comments, code_length, files_around)
