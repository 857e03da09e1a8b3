"""What several views have in common in one page: modules, style sheets, engine and models, each held once.

The views share the document, as they do in a notebook: each has its own element and its own model object,
keeps its keys to itself, and its style sheet's rules stand under its own class. A view that fails leaves the
others, and its picture, as they were. So no frames are needed, whose height would have to follow what is in
them.
"""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from bertviz_lite.basics.files import written_whole
from bertviz_lite.views.base.saved.contents import Contents, Held, utf8
from bertviz_lite.views.base.sources import read_module, read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

__all__ = ["Shelf", "Shown", "write_letters"]

_COMMON_STYLE = "base/common.css"


@dataclass(frozen=True)
class Shown:
    """A view in a page of several.

    Attributes
    ----------
    name
        What addresses call it: ``page.html#name``; no other view of the page has it.
    contents
        What the page holds of it.
    picture
        HTML that is seen until the view is drawn, and without scripts.
    level
        The level of the view's own headings.
    """

    name: str
    contents: Contents
    picture: str
    level: int

    def parts(self) -> Iterator[bytes]:
        """Return the view's bytes, one part after the other."""
        view = self.contents
        state = {**view.state, "_place": self.name}
        yield utf8(
            f'<div class="bvp-view" data-bvl-view="{html.escape(self.name)}" '
            f'data-bvl-kind="{html.escape(view.kind)}" data-bvl-level="{self.level}">\n'
            f"<div data-bvl-place>{self.picture}</div>\n"
        )
        yield from replace(view, state=state).state_parts()
        yield from view.block_parts()
        yield b"</div>\n"


class Shelf:
    """The parts that the views of a page share.

    Parameters
    ----------
    views
        What the page holds of each.
    """

    def __init__(self, views: Sequence[Contents]) -> None:
        self._kinds = {view.kind: view for view in views}
        models = [view.model for view in views if view.model]
        self._models = {model.name: model for model in models}

    def style(self) -> str:
        """Return the style sheet of all views: what they share comes first, so that each can change it."""
        common = read_source(_COMMON_STYLE)
        own = (view.style.removeprefix(common).strip("\n") for view in self._kinds.values())
        return "\n".join([common, *own])

    def held(self) -> Iterator[Held]:
        """Return modules, engine and models."""
        for view in self._kinds.values():
            yield view.held_module()
        for model in [*self._models.values()][:1]:
            yield model.held_engine()
        for model in self._models.values():
            yield model.held()

    def parts(self) -> Iterator[bytes]:
        """Return modules, engine and models, one part after the other."""
        for held in self.held():
            yield from held.parts()

    def parts_beside(self, folder: Path, address: str) -> Iterator[bytes]:
        """Write modules, engine and models into a folder that pages share, and return what leads to them.

        Parameters
        ----------
        folder
            Where they are written; what another page has written is not written again.
        address
            The folder, as the page names it: ``../views/``.
        """
        for held in self.held():
            kind = held.mark.partition("=")[0].removeprefix("bvl-")
            name = write_letters(folder, "engine" if kind == "bvl" else kind, held.data, held.letters)
            yield held.elsewhere(address + name)

    @staticmethod
    def runtime(file: str) -> bytes:
        """Return the ``<script>`` that starts the views; `file` is named from this folder's ``js``."""
        return utf8(f'<script type="module">\n{read_module("pages", f"js/{file}")}</script>\n')


def write_letters(folder: Path, kind: str, data: bytes, letters: Callable[[], bytes]) -> str:
    """Write what pages read out of a file beside them, unless it is there, and return the file's name.

    Parameters
    ----------
    folder
        Where it is written.
    kind
        The beginning of the name.
    data
        What it is of: the same has the same name.
    letters
        Returns the text that a page would hold in its place; ``base/js/saved/reading.js`` reads it.
    """
    name = f"{kind}-{sha256(data).hexdigest()[:12]}.js"
    if not (folder / name).exists():
        with written_whole(folder / name) as file:
            file.write(b'document.currentScript.text="' + letters() + b'";\n')
    return name
