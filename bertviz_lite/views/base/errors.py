"""The errors of the views: one line each, which says what to do; what a view showed before stays."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import traitlets

from bertviz_lite.basics.one_line_error import OneLineError
from bertviz_lite.basics.text import clip
from bertviz_lite.capture.errors import CaptureError, kind_of

__all__ = [
    "NoFolderError",
    "UnknownAttributeError",
    "ViewError",
    "ViewTypeError",
    "as_view_error",
    "checked_flag",
    "checked_path",
    "checked_title",
    "unknown_attribute",
]


class ViewError(OneLineError, traitlets.TraitError, ValueError):
    """A view was given a value that it has no meaning for; what it showed before stays."""

    __module__ = "bertviz_lite"


class ViewTypeError(ViewError, TypeError):
    """A view was given something of the wrong kind, such as a number in place of a model."""

    __module__ = "bertviz_lite.views"


class NoFolderError(ViewError, FileNotFoundError):
    """A page was to be written into a folder that does not exist."""

    __module__ = "bertviz_lite.views"


class UnknownAttributeError(ViewError, AttributeError):
    """An attribute was set that a view does not have."""

    __module__ = "bertviz_lite.views"


@contextmanager
def as_view_error() -> Iterator[None]:
    """Raise what an engine refuses (:class:`CaptureError`) as :class:`ViewError`: the view's state stays."""
    try:
        yield
    except CaptureError as error:
        raise ViewError(str(error)) from error


def checked_path(path: object) -> Path:
    """Return where a page is to be written, or raise :class:`ViewError` in one line."""
    if not isinstance(path, str | os.PathLike):
        raise ViewTypeError(f"path is {kind_of(path)}: the name of a file is needed, such as 'view.html'.")
    if not os.fspath(path):
        raise ViewError("path is empty: the name of a file is needed, such as 'view.html'.")
    file = Path(path)
    if "\0" in str(file) or len(os.fsencode(file.name)) > 255:
        raise ViewError(f"{clip(str(file), 60)!r}: a name of at most 255 bytes is needed, without NUL.")
    if file.is_dir():
        raise ViewError(f"{file} is a folder: the name of a file is needed, such as {file / 'view.html'}.")
    if not file.parent.is_dir():
        raise NoFolderError(f"{file}: there is no folder {file.parent}; make it first.")
    return file


def checked_flag(name: str, value: object) -> None:
    """Raise :class:`ViewError` in one line if a choice is neither True nor False, nor left open."""
    if value is not None and not isinstance(value, bool):
        raise ViewTypeError(f"{name}={clip(repr(value), 60)}: True or False is needed, or None.")


def checked_title(title: object, default: str) -> str:
    """Return a page's heading, `default` for None, or raise :class:`ViewError` in one line."""
    if title is None:
        return default
    if not isinstance(title, str):
        raise ViewTypeError(f"title is {kind_of(title)}: a string is needed.")
    return title or default


def unknown_attribute(view: Any, name: str) -> ViewError:  # noqa: ANN401 - a View, which imports this
    """Return the error for an attribute that a view does not have, with the nearest that it has."""
    near = difflib.get_close_matches(name, [*view.state, *_public(view)], n=1)
    guess = f"did you mean {near[0]}?" if near else f"it has {', '.join(view.state)}."
    return UnknownAttributeError(f"{name}: {type(view).__name__} has no attribute of this name; {guess}")


def _public(view: object) -> list[str]:
    """Return the public names that a view's class adds to those of every widget."""
    own = [cls for cls in type(view).__mro__ if cls.__module__.startswith("bertviz_lite")]
    return [name for cls in own for name in vars(cls) if not name.startswith("_")]
