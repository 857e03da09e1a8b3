"""A model that a page holds, so that the view's questions are answered there too when Python is not.

In a notebook one widget carries it to all views of the model, once: its bytes are sent when the cell that
showed the first of them has run, so that no picture waits for them, and they are part of the notebook's
widget state. A saved page holds them once.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import traitlets as t
from IPython.core.getipython import get_ipython
from ipywidgets import Widget

from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.static import watcher

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PageModel"]

_MOST_UNASKED = 25.0
"""Megabytes that are sent to a notebook's page without being asked for."""


class _Carrier(Widget):  # type: ignore[misc]
    """What brings a model to the pages of a notebook; it is never shown."""

    source = t.Unicode("").tag(sync=True)
    packed = t.Bytes(b"").tag(sync=True)


@dataclass(eq=False)
class PageModel:
    """A model and its tokenizer, and what runs them in a page; made when they are first needed.

    Attributes
    ----------
    pack
        Returns model and tokenizer as bytes, or raises :class:`ViewError` in one line.
    read_source
        Returns the engine's JavaScript.
    megabytes
        How many there will be, without the tokenizer, in 10⁶ bytes.
    called
        What a reader of the page is told that it is: "pocket (BertForPreTraining)".
    """

    pack: Callable[[], bytes]
    read_source: Callable[[], str]
    megabytes: float
    called: str = "a model without a name"

    @cached_property
    def packed(self) -> bytes:
        """Model and tokenizer.

        Raises
        ------
        ViewError
            If a page cannot hold or run them.
        """
        return self.pack()

    @cached_property
    def source(self) -> str:
        """The engine's JavaScript."""
        return self.read_source()

    @cached_property
    def name(self) -> str:
        """A name that only these bytes have."""
        return hashlib.sha256(self.packed).hexdigest()[:16]

    def place(self) -> str:
        """Return where the pages of a notebook find the model; empty where they will not."""
        shell: Any = get_ipython()
        if getattr(shell, "kernel", None) is None or self.megabytes > _MOST_UNASKED:
            return ""
        if watcher() == "a program":  # which would write the model into the notebook, where no view asks it
            return ""
        if self._carrier is None or self._carrier.comm is None:  # closed with all widgets, perhaps
            try:
                packed = self.packed
            except ViewError:
                return ""
            self._carrier = _Carrier()
            _after_this_cell(shell, self._carrier, self.source, packed)
        return f"IPY_MODEL_{self._carrier.model_id}"

    _carrier: _Carrier | None = None


def _after_this_cell(shell: Any, carrier: _Carrier, source: str, packed: bytes) -> None:  # noqa: ANN401
    """Send the model when the cell that runs now is done: its pictures come first."""

    def send(_: object) -> None:
        shell.events.unregister("post_run_cell", send)
        with carrier.hold_sync():
            carrier.source, carrier.packed = source, packed

    shell.events.register("post_run_cell", send)
