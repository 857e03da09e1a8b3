"""A model and its tokenizer as bytes for a page, in which `js/engine.js` runs them without Python."""

from bertviz_lite.views.engine.packed.packing import (
    MOST_MEGABYTES,
    PackedModel,
    engine_source,
    pack_model,
    pack_tokenizer,
)

__all__ = ["MOST_MEGABYTES", "PackedModel", "engine_source", "pack_model", "pack_tokenizer"]
