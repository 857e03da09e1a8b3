"""Interactive views: one object is a live widget, a picture without scripts, and a page that works alone.

Each view is imported on first use: one of them does not wait for what another needs.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as typing.TYPE_CHECKING; importing that would take longer than all the rest

if TYPE_CHECKING:
    from bertviz_lite.views.attention.view import Explorer
    from bertviz_lite.views.base.errors import (
        NoFolderError,
        UnknownAttributeError,
        ViewError,
        ViewTypeError,
    )
    from bertviz_lite.views.base.static import Static, Table
    from bertviz_lite.views.base.view import View
    from bertviz_lite.views.embedding.view import EmbeddingView
    from bertviz_lite.views.fill_in.view import FillIn
    from bertviz_lite.views.machine.view import Machine
    from bertviz_lite.views.masking.view import MaskingLab
    from bertviz_lite.views.pages.tabs import save_page
    from bertviz_lite.views.pair.view import PairView
    from bertviz_lite.views.time_lapse.view import TimeLapse
    from bertviz_lite.views.tokens.view import TokenView
    from bertviz_lite.views.trace.view import TraceView

_MODULE_OF = {
    "EmbeddingView": "embedding.view",
    "Explorer": "attention.view",
    "FillIn": "fill_in.view",
    "Machine": "machine.view",
    "MaskingLab": "masking.view",
    "NoFolderError": "base.errors",
    "PairView": "pair.view",
    "Static": "base.static",
    "Table": "base.static",
    "TimeLapse": "time_lapse.view",
    "TokenView": "tokens.view",
    "TraceView": "trace.view",
    "UnknownAttributeError": "base.errors",
    "View": "base.view",
    "ViewError": "base.errors",
    "ViewTypeError": "base.errors",
    "save_page": "pages.tabs",
}

__all__ = [
    "EmbeddingView",
    "Explorer",
    "FillIn",
    "Machine",
    "MaskingLab",
    "NoFolderError",
    "PairView",
    "Static",
    "Table",
    "TimeLapse",
    "TokenView",
    "TraceView",
    "UnknownAttributeError",
    "View",
    "ViewError",
    "ViewTypeError",
    "save_page",
]


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"bertviz_lite.views.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value
