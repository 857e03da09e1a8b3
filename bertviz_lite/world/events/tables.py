"""Read tables written as text: the compact form in which the town keeps its long lists.

Left out: quoting and escapes; no entry of the town holds a separator.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources.abc import Traversable

__all__ = ["entries", "lines", "rows", "tables_below", "words"]


def tables_below(folder: Traversable, but: str = "") -> list[Traversable]:
    """Return all tables in a folder and below it, by their names; those of the folder ``but`` left out."""
    return sorted(_tables(folder, but), key=lambda table: table.name)


def _tables(folder: Traversable, but: str) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != but:
            yield from _tables(entry, but)
        elif entry.name.endswith(".txt"):
            yield entry


def rows(text: str) -> list[str]:
    r"""Return the lines of a table that are neither empty nor a comment.

    Examples
    --------
    >>> rows("# birds\nowl robin\n\nswan")
    ['owl robin', 'swan']
    """
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text.

    Examples
    --------
    >>> words("red green blue")
    ('red', 'green', 'blue')
    """
    return tuple(text.split())


def entries(text: str) -> tuple[str, ...]:
    """Return the entries of a list with commas, for entries of more than one word.

    Examples
    --------
    >>> entries("a brave king, a pirate")
    ('a brave king', 'a pirate')
    """
    return tuple(" ".join(entry.split()) for entry in text.split(","))


def lines(text: str) -> list[tuple[str, str]]:
    r"""Return head and body of the lines ``head: body``; an indented line continues the body above it.

    Examples
    --------
    >>> lines("sweet: cake jam\n  honey\nsour: lemon")
    [('sweet', 'cake jam honey'), ('sour', 'lemon')]
    """
    result: list[tuple[str, str]] = []
    for line in text.strip().splitlines():
        if line.startswith(" "):
            head, body = result.pop()
            result.append((head, f"{body} {line.strip()}"))
        else:
            head, _, body = line.partition(": ")
            result.append((head, body))
    return result
