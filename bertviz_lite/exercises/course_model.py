"""The model that the chapters load, kept for the exercises."""

import os
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["load_once", "loaded"]


def loaded() -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    """Give tokenizer and model as the chapters load them, kept for the exercises: do not change them."""
    return load_once(os.environ.get("BERTVIZ_LITE_MODEL") or None)


@lru_cache(maxsize=2)
def load_once(name: str | None) -> "tuple[PreTrainedTokenizerBase, PreTrainedModel]":
    """Load a model by the name that a reader has chosen, or the pocket model; `cache_clear` forgets it."""
    from bertviz_lite.models.loading import load

    return load(name)
