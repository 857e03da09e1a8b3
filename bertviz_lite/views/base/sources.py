"""The JavaScript and CSS of a view, joined to one text each.

anywidget loads one text, and relative imports do not work there.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["read_module", "read_source", "read_style"]

_FOLDER = Path(__file__).resolve().parents[1]

# Views import by name and by a relative path, nothing else: what is between the braces needs no reading.
_IMPORT = re.compile(r'^import \{(?![^}]* as )[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default\b)", re.MULTILINE)


def read_module(name: str, entry: str = "view.js") -> str:
    """Return the JavaScript of view `name` as one ES module: its ``view.js`` and all that this imports.

    Of a folder that is no view, `entry` says which file it begins with.

    Each file follows those it imports; the ``import`` lines go, and the word ``export`` but for the default.
    So two files of a view cannot give the same name to two things: no engine would read the module.
    """
    texts: dict[Path, str] = {}
    _collect(_FOLDER / name / entry, texts, [])
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts.values())


def _collect(file: Path, texts: dict[Path, str], importers: list[Path]) -> None:
    """Put `file` into `texts`, behind the files that it imports."""
    if file in texts:
        return
    if file in importers:
        circle = " → ".join(path.name for path in [*importers[importers.index(file) :], file])
        raise ImportError(f"{circle}: these files import each other in a circle.")
    text = file.read_text(encoding="utf-8")
    for imported in _IMPORT.findall(text):
        _collect((file.parent / imported).resolve(), texts, [*importers, file])
    texts[file] = text


def read_style(name: str) -> str:
    """Return the style sheet of view `name`: ``base/common.css``, then its ``view.css``."""
    return read_source("base/common.css") + "\n" + read_source(f"{name}/view.css")


def read_source(file: str) -> str:
    """Return the text of a file, named from the folder of the views."""
    return (_FOLDER / file).read_text(encoding="utf-8")
