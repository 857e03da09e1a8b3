from bertviz_lite.capture import Capture as Capture, CaptureError as CaptureError, capture as capture
from bertviz_lite.display import show as show
from bertviz_lite.embeddings import InputParts as InputParts, input_parts as input_parts
from bertviz_lite.exercises import Exercise as Exercise
from bertviz_lite.marks import marked as marked
from bertviz_lite.models import ModelError as ModelError, load as load
from bertviz_lite.trace import Trace as Trace, TraceError as TraceError, trace as trace
from bertviz_lite.views import (
    EmbeddingView as EmbeddingView,
    Explorer as Explorer,
    FillIn as FillIn,
    MaskingLab as MaskingLab,
    PairView as PairView,
    TimeLapse as TimeLapse,
    TokenView as TokenView,
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

__version__: str
