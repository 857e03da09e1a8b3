"""What a view shows without scripts: a figure, what is to be seen in it, and tables.

And how a notebook shows it, so that it is seen later too: exported, reopened, read somewhere else. A program
that displays an output takes of its forms the one that it likes best. The live view is the best liked, also
where it cannot be drawn, and then the picture that travels with it is never seen:

- ``jupyter nbconvert --execute`` (and papermill, Quarto, Jupyter Book) puts an empty element into the page,
  which a script from a network would fill. Nobody can use a view there, so the live form is left out.
- JupyterLab and Notebook, when they open what they saved, find no Python object behind the view and write
  "Error displaying widget: model not found"; VS Code writes nothing. So a reader at a notebook is given two
  outputs, the picture and the live view, each of which is seen when the other is not.
"""

from __future__ import annotations

import html
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from IPython.core.getipython import get_ipython
from IPython.display import display

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["LIVE", "Static", "Table", "show_both", "watcher"]

LIVE = "application/vnd.jupyter.widget-view+json"
"""The form of an output that is the live view."""


@dataclass(frozen=True)
class Table:
    """A table of the script-free layer: a summary that unfolds it, column names, and rows of text."""

    summary: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def html(self) -> str:
        """Return ``<details>`` with the table, everything escaped; the first cell of each row is its name."""
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self.columns)
        body = "".join(
            f'<tr><th scope="row">{html.escape(row[0])}</th>'
            + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
            + "</tr>"
            for row in self.rows
        )
        return (
            f"<details><summary>{html.escape(self.summary)}</summary>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></details>"
        )


@dataclass(frozen=True)
class Static:
    """The script-free layer of a view: a figure, what is to be seen in it, and tables."""

    figure: Figure | Axes | Sequence[Axes]
    alt: str
    caption: str = ""
    tables: Sequence[Table] = field(default=())


def watcher() -> Literal["a reader", "a program", ""]:
    """Return who runs the cell: a reader at a notebook, or a program; empty where it cannot be known.

    A program that runs a notebook says that nobody is there to answer ``input()``. Voilà says so too, but
    shows the live views to readers afterwards.
    """
    shell: Any = get_ipython()
    if getattr(shell, "kernel", None) is None or os.environ.get("SERVER_SOFTWARE", "").startswith("voila/"):
        return ""
    is_answering = shell.get_parent().get("content", {}).get("allow_stdin", True)
    return "a reader" if is_answering else "a program"


def show_both(forms: dict[str, Any], metadata: dict[str, Any], *, name: str = "") -> None:
    """Display the picture and the live form of a view as two outputs; one of them is seen.

    Parameters
    ----------
    forms
        The view in all its forms, by their MIME types.
    metadata
        What belongs to them.
    name
        What the live view's page looks for, to hide the picture: see ``drawn_view.js``. With it the picture
        says that it is one.
    """
    inner = _NOTE + forms["text/html"] if name else forms["text/html"]
    still = f'<div class="bvl-still" data-bvl-still="{html.escape(name)}">{inner}</div>'
    shown: Any = display  # has no types
    shown({"text/html": still + _STYLE, "text/plain": forms["text/plain"]}, raw=True)
    # With empty texts, so that a program that does not know the live form writes nothing under the picture.
    shown({**forms, "text/html": "", "text/plain": ""}, metadata=metadata, raw=True)


_NOTE = (
    '<p class="bvl-still-note" hidden>A picture of the view as it was, which Python no longer knows: run the '
    "cell to use it.</p>"
)

# In JupyterLab and Notebook the outputs of a cell follow each other, and may be drawn again at any time. A
# live view is an element in a panel; what is written in its place, "Loading widget..." or an error, is text.
_OUTPUT, _PANEL = ".jp-OutputArea-child", ".jp-OutputArea-output.lm-Panel"
_STYLE = (
    "<style>"
    f"{_OUTPUT}:has(.bvl-still):has(+ {_OUTPUT} {_PANEL} > *), "
    f"{_OUTPUT}:has(.bvl-still) + {_OUTPUT}:has({_PANEL}):not(:has({_PANEL} > *)) {{ display: none; }} "
    f"{_OUTPUT}:has(+ {_OUTPUT} {_PANEL}) .bvl-still-note {{ display: block; }}"
    "</style>"
)
