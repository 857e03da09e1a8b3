"""Every mutant, by what it changes."""

from mutants.changes.attention import ATTENTION
from mutants.changes.embeddings_and_layers import EMBEDDINGS, LAYERS
from mutants.changes.heads_and_losses import HEADS
from mutants.changes.package_data import DATA
from mutants.changes.package_measures import MEASURES
from mutants.changes.package_passes import PASSES
from mutants.changes.package_views import VIEWS
from mutants.changes.tokenizers_and_masks import MASKS, TOKENIZERS

MUTANTS = (
    *ATTENTION, *EMBEDDINGS, *LAYERS, *HEADS, *TOKENIZERS, *MASKS,
    *DATA, *MEASURES, *PASSES, *VIEWS,
)  # fmt: skip
"""Those of `transformers` first, then those of the package."""
