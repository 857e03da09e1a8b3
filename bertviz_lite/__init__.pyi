from bertviz_lite.basics.arguments import ArgumentError as ArgumentError
from bertviz_lite.capture import Capture as Capture, CaptureError as CaptureError, capture as capture
from bertviz_lite.evaluation.embeddings import InputParts as InputParts, input_parts as input_parts
from bertviz_lite.exercises import Exercise as Exercise
from bertviz_lite.models.loading import ModelError as ModelError, load as load
from bertviz_lite.plots import show as show
from bertviz_lite.trace import Trace as Trace, TraceError as TraceError, trace as trace
from bertviz_lite.views import (
    EmbeddingView as EmbeddingView,
    Explorer as Explorer,
    FillIn as FillIn,
    Machine as Machine,
    MaskingLab as MaskingLab,
    PairView as PairView,
    TimeLapse as TimeLapse,
    TokenView as TokenView,
    ViewError as ViewError,
)
from bertviz_lite.world import (
    MinimalPair as MinimalPair,
    Sentence as Sentence,
    Story as Story,
    Word as Word,
    minimal_pairs as minimal_pairs,
    stories as stories,
    word_groups as word_groups,
)
from bertviz_lite.world.events.marked_text import marked as marked

__version__: str
