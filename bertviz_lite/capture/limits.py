"""What a model has room for: positions, ids, segments, padding. The rest is a `CaptureError` of one line."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.basics.text import clip
from bertviz_lite.capture.errors import CaptureError, is_count

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from bertviz_lite.capture.tokens import Ints, Tokens

_MOST_PADDED = 16_384
"""Where a model sets no limit: a head's weights of so many tokens are a gigabyte."""


def parameters_of(model: PreTrainedModel) -> frozenset[str]:
    """Return the names of what the model can be given; refuse a model that reads no text."""
    known = frozenset(inspect.signature(model.forward).parameters)
    if "input_ids" not in known:
        raise CaptureError(
            f"{type(model).__name__} reads no text (it takes {model.main_input_name}): "
            "give a model that takes input_ids."
        )
    return known


def check_fits(tokens: Tokens, model: PreTrainedModel, name: str, type_ids: Ints | None = None) -> None:
    """Refuse what the model has no positions or no embeddings for."""
    kind, config = type(model).__name__, model.config
    positions = positions_of(model)
    if positions is not None and len(tokens) > positions:
        raise CaptureError(
            f"{name} has {len(tokens)} tokens, {kind} has {positions} positions: "
            "shorten it, or capture it in parts."
        )
    assert tokens.input_ids is not None
    known = _vocab_size(model)
    unknown = np.flatnonzero((tokens.input_ids < 0) | (tokens.input_ids >= known))
    if unknown.size:
        first = int(unknown[0])
        raise CaptureError(
            f"the tokenizer gives id {tokens.input_ids[first]} for {clip(tokens.tokens[first])!r}, "
            f"{kind} knows ids up to {known - 1}: this tokenizer belongs to another model."
        )
    types = getattr(config, "type_vocab_size", None)
    # Without a table of segments (0: DeBERTa) the model takes pairs and does not look at the segments.
    if type_ids is not None and types and not 0 <= type_ids.min() <= type_ids.max() < types:
        if types > 1:
            raise CaptureError(f"token_type_ids: {kind} has {types} segments, 0 to {types - 1}.")
        raise CaptureError(
            f"text_pair: {kind} has type_vocab_size={types}, so it knows no pairs. Give one text."
        )


def check_padding(pad_to: object, count: int, model: PreTrainedModel) -> None:
    """Refuse a length that the text does not fit into, or that the model has no room for."""
    if not is_count(pad_to):
        raise CaptureError(f"pad_to={pad_to!r:.40}: it must be a whole number of tokens.")
    length = int(pad_to)  # type: ignore[call-overload]
    if length < count:
        raise CaptureError(f"pad_to={length}: the text has {count} tokens. Give that number or more.")
    positions = positions_of(model)
    if positions is not None and length > positions:
        raise CaptureError(f"pad_to={length}: {type(model).__name__} has {positions} positions.")
    if length > max(count, _MOST_PADDED):
        raise CaptureError(f"pad_to={length}: at most {_MOST_PADDED:,} tokens are filled up to.")


def _vocab_size(model: PreTrainedModel) -> int:
    table: Any = model.get_input_embeddings()
    return int(table.weight.shape[0])


def positions_of(model: PreTrainedModel) -> int | None:
    """Return how many tokens the model has positions for; None if it sets no limit."""
    positions = getattr(model.config, "max_position_embeddings", None)
    if not isinstance(positions, int) or positions <= 0:
        return None
    table = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    padding = getattr(table, "padding_idx", None)  # RoBERTa's positions begin after the padding id
    return positions if padding is None else positions - int(padding) - 1
