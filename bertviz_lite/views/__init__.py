"""Interactive views: one object is a live widget, a picture without scripts, and a page that works alone."""

from bertviz_lite.views.attention.view import Explorer
from bertviz_lite.views.base.view import Static, Table, View, ViewError
from bertviz_lite.views.embedding.view import EmbeddingView
from bertviz_lite.views.fill_in.view import FillIn
from bertviz_lite.views.masking.view import MaskingLab
from bertviz_lite.views.pair.view import PairView
from bertviz_lite.views.time_lapse.view import TimeLapse
from bertviz_lite.views.tokens.view import TokenView
from bertviz_lite.views.trace.view import TraceView

__all__ = [
    "EmbeddingView",
    "Explorer",
    "FillIn",
    "MaskingLab",
    "PairView",
    "Static",
    "Table",
    "TimeLapse",
    "TokenView",
    "TraceView",
    "View",
    "ViewError",
]
