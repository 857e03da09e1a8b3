"""Interactive views: one object is a live widget, a picture without scripts, and a page that works alone."""

from bertviz_lite.views.attention import Explorer
from bertviz_lite.views.base import Static, Table, View, ViewError
from bertviz_lite.views.embedding import EmbeddingView
from bertviz_lite.views.fill_in import FillIn
from bertviz_lite.views.masking import MaskingLab
from bertviz_lite.views.pair import PairView
from bertviz_lite.views.time_lapse import TimeLapse
from bertviz_lite.views.tokens import TokenView
from bertviz_lite.views.trace import TraceView

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
