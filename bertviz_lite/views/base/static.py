"""What a view shows without scripts: a figure, what is to be seen in it, and tables."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Static", "Table"]


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
