"""Find notebooks, read them, name their cells, and write them in one normal form."""

import hashlib
import json
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
LANGUAGES = ("zh",)
"""The folders of translations, beside the chapters that they are made from."""
MADE_FROM = "made_from"
"""The key of a translated cell's metadata that names the text it was made from."""
CELL_METADATA = ("tags", MADE_FROM)
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
SWITCHES = "bertviz_lite"
"""The key of a notebook's metadata that tells these checks what to leave out: see `leaves_out`."""
SECOND_MODEL, THIS_PROCESSOR = "second_model", "this_processor"
CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

# What nbformat reads: nested dicts and lists, as JSON has them.
Notebook = dict[str, Any]
Cell = dict[str, Any]
Output = dict[str, Any]


class NotebookError(ValueError):
    """A notebook that cannot be found, read or run; the message is one that a reader can act on."""


@dataclass(frozen=True)
class Finding:
    """One thing to put right: where it is, what it is, what to do."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def find_notebooks(paths: Sequence[Path] = ()) -> list[Path]:
    """List every notebook in the given files and folders (`notebooks/` by default), sorted.

    A folder's translations are not among them, unless the folder is theirs: they go with their originals.

    Raises
    ------
    NotebookError
        If a path does not exist or is no notebook, or if nothing is found: a check of nothing must not pass.
    """
    found: set[Path] = set()
    for path in paths or (NOTEBOOKS,):
        if path.is_dir():
            below = ((p, p.relative_to(path).parts) for p in path.rglob("*.ipynb"))
            found.update(p for p, parts in below if not {".ipynb_checkpoints", *LANGUAGES} & set(parts))
        elif path.is_file() and path.suffix == ".ipynb":
            found.add(path)
        else:
            raise NotebookError(f"{shown(path)}: no such notebook or folder")
    if not found:
        raise NotebookError(f"no notebook found in {', '.join(shown(p) for p in paths or (NOTEBOOKS,))}")
    return sorted(path.resolve() for path in found)


def original_of(path: Path) -> Path | None:
    """Return of which notebook this is a translation, by its place; None for an original."""
    folder = path.resolve().parent
    return folder.parent / path.name if folder.name in LANGUAGES else None


def translations_of(path: Path) -> list[Path]:
    """List the translations that an original has."""
    return [file for language in LANGUAGES if (file := path.parent / language / path.name).is_file()]


def originals(paths: Iterable[Path]) -> list[Path]:
    """List the notebooks with the original in place of each translation, sorted.

    Raises
    ------
    NotebookError
        If a translation has no original.
    """
    found = {path: original_of(path) or path for path in paths}
    for path, original in found.items():
        if not original.is_file():
            raise NotebookError(f"{shown(path)}: has no original, {shown(original)}")
    return sorted(set(found.values()))


def shown(path: Path) -> str:
    """Give a path as a reader types it: relative to the working folder where it lies below it."""
    path = path.resolve()
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else str(path)


def read(path: Path) -> Notebook:
    """Read a notebook of format 4, multi-line strings joined, nothing repaired.

    Raises
    ------
    NotebookError
        If the file is not JSON, or no notebook of format 4.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `form` reports what nbformat only warns about
            notebook: Notebook = nbformat.v4.reads(path.read_text(encoding="utf-8"))
        if notebook["nbformat"] != 4 or not isinstance(notebook["cells"], list):
            raise NotebookError(f"{shown(path)}: not a notebook of format 4")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotebookError(f"{shown(path)}: not a notebook ({error})") from error
    return notebook


def leaves_out(notebook: Notebook, what: str) -> bool:
    """Whether the notebook's metadata says that a run is to be left out.

    `"bertviz_lite": {"second_model": false}`: it trains its own model, so it is not run on another.
    `"bertviz_lite": {"this_processor": false}`: a long training differs in its last digits from processor to
    processor, so it is compared with the oldest's at once. Anything but false is no such word.
    """
    switches = notebook["metadata"].get(SWITCHES)
    return isinstance(switches, dict) and switches.get(what) is False


def code_cells(notebook: Notebook) -> Iterator[tuple[int, Cell]]:
    """Yield (position among all cells, cell) of each code cell."""
    return ((i, cell) for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code")


def prose_cells(notebook: Notebook) -> Iterator[tuple[int, Cell]]:
    """Yield (position among all cells, cell) of each cell of prose."""
    return ((i, cell) for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "markdown")


def cell_name(index: int, cell: Cell) -> str:
    """Name a cell as a reader finds it: counted from 1, and by the number in brackets beside it."""
    count = cell.get("execution_count")
    return f"cell {index + 1}" + (f" [{count}]" if count is not None else "")


def merged_streams(outputs: Iterable[Output]) -> list[Output]:
    """Join neighbouring pieces of one stream (how it was cut is chance); the order stays."""
    merged: list[Output] = []
    for output in outputs:
        if output["output_type"] == "stream" and merged and merged[-1].get("name") == output["name"]:
            merged[-1] = {**merged[-1], "text": merged[-1]["text"] + output["text"]}
        else:
            merged.append(dict(output))
    return merged


def normalised(notebook: Notebook) -> Notebook:
    """Return the notebook in the one form that is committed; the argument is left as it is.

    Notebook metadata is fixed, but for the switches of these checks; of a cell's metadata only tags and
    the mark of a translation stay (no folding, no timings, no slide types, no editor's marks); widget views
    and widget state go, the HTML beside a view stays; neighbouring streams are joined; cell ids stay, and
    missing or repeated ones are made from the cell's source.
    """
    taken: set[str] = set()
    cells = [_normalised_cell(cell, taken) for cell in notebook["cells"]]
    switches = {key: value for key, value in notebook["metadata"].items() if key == SWITCHES}
    return {"cells": cells, "metadata": METADATA | switches, "nbformat": 4, "nbformat_minor": 5}


def _normalised_cell(cell: Cell, taken: set[str]) -> Cell:
    metadata = {key: cell["metadata"][key] for key in CELL_METADATA if cell["metadata"].get(key)}
    result: Cell = {
        "cell_type": cell["cell_type"],
        "id": _cell_id(cell, taken),
        "metadata": metadata,
        "source": cell["source"].rstrip("\n"),
    }
    if cell.get("attachments"):
        result["attachments"] = cell["attachments"]
    if cell["cell_type"] == "code":
        result["execution_count"] = cell.get("execution_count")
        result["outputs"] = merged_streams(_without_view(output) for output in cell.get("outputs", ()))
    return result


def _cell_id(cell: Cell, taken: set[str]) -> str:
    name = cell.get("id")
    copy = 0
    while not isinstance(name, str) or not CELL_ID.fullmatch(name) or name in taken:
        name = hashlib.sha256(f"{copy} {cell['cell_type']} {cell['source']}".encode()).hexdigest()[:8]
        copy += 1
    taken.add(name)
    return name


def _without_view(output: Output) -> Output:
    if "data" not in output:
        return output
    return {
        **output,
        "data": {mime: value for mime, value in output["data"].items() if mime != WIDGET_VIEW},
        "metadata": {mime: value for mime, value in output["metadata"].items() if mime != WIDGET_VIEW},
    }


def serialised(notebook: Notebook) -> str:
    """Write a notebook as text: one space of indentation, sorted keys, a newline at the end."""
    split = nbformat.v4.rwbase.split_lines(nbformat.from_dict(notebook))
    return json.dumps(split, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def write(path: Path, text: str) -> None:
    """Replace a file in one step, so that a crash never leaves half a notebook."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        draft.write_text(text, encoding="utf-8", newline="\n")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
