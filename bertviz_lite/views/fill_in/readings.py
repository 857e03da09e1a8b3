"""What a language-model head reads at each [MASK] of a text, after the embeddings and after every layer.

Of each [MASK] those words are kept that lead at any layer, and those that are followed, with their
probability and rank at all layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.basics.text import readable
from bertviz_lite.views.base.asking import check_text, pack_found, unpack_found
from bertviz_lite.views.base.errors import ViewError, ViewTypeError, as_view_error
from bertviz_lite.views.engine.texts import check_no_unknown, check_room, words_in_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bertviz_lite.views.engine.interface import Encoded, Engine

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

__all__ = ["MaskReading", "encode", "read", "unpack"]


@dataclass(frozen=True, eq=False)
class MaskReading:
    """The words at one [MASK]: those that lead at any layer, and those that are followed."""

    words: list[str]
    probabilities: Floats
    """Of float32 precision, shape (words, layers + 1)."""
    ranks: Ints
    """The same shape: 1 is the most probable of the vocabulary."""


def encode(engine: Engine, text: str) -> Encoded:
    """Return a text as the engine reads it, or raise :class:`ViewError` where it cannot be filled in."""
    check_text("text", text)
    with as_view_error():
        encoded = engine.encode(text)
    check_room(engine, encoded, "text")
    check_no_unknown(engine, text)
    if not _masks_in(engine, encoded):
        mask = engine.facts.mask_token
        raise ViewError(
            f"text has no {mask}: choose a word to hide it, or write {mask} where the model is to guess."
        )
    return encoded


def read(engine: Engine, text: str, follow: Sequence[str], k: int) -> bytes:
    """Read a text, and pack what is found at its masks.

    Parameters
    ----------
    engine
        A model with a language-model head.
    text
        With one or several [MASK].
    follow
        Tokens of the vocabulary to take besides.
    k
        How many leading words of each layer are taken.
    """
    encoded = encode(engine, text)
    positions = _masks_in(engine, encoded)
    try:
        with as_view_error():
            logits = engine.read_layers(encoded, positions)
    except ViewError:
        raise
    except TypeError as error:
        raise ViewTypeError(str(error)) from None
    followed = [number for number in map(engine.id_of, follow) if number is not None]
    masks, numbers = [], []
    for number, position in enumerate(positions):
        ids, shares, ranks = _leading(logits[:, number], k, followed)
        masks.append({"position": position, "words": [readable(name) for name in engine.names(ids)]})
        numbers += [shares.ravel(), ranks.ravel()]
    facts = {
        "text": text,
        "k": k,
        "follow": [readable(word) for word in follow],
        "layers": logits.shape[0],
        "vocab_size": int(logits.shape[-1]),
        "masks": masks,
        "in_pieces": words_in_pieces(encoded),
    }
    return pack_found(facts, np.concatenate(numbers))


def unpack(found: bytes) -> list[MaskReading]:
    """Return what :func:`read` packed, one reading for each [MASK]."""
    facts, numbers = unpack_found(found)
    readings, start = [], 0
    for mask in facts["masks"]:
        shape = (2, len(mask["words"]), facts["layers"])
        shares, ranks = numbers[start : start + int(np.prod(shape))].reshape(shape)
        readings.append(MaskReading(mask["words"], shares.astype(np.float64), ranks.astype(np.int64)))
        start += int(np.prod(shape))
    return readings


def _masks_in(engine: Engine, encoded: Encoded) -> list[int]:
    mask_id, input_ids = engine.facts.mask_id, encoded.tokens.input_ids
    if mask_id is None or input_ids is None:
        return []
    return [int(position) for position in np.flatnonzero(input_ids == mask_id)]


def _leading(logits: Floats, k: int, followed: Sequence[int]) -> tuple[list[int], Floats, Floats]:
    """Choose the words that lead at any layer, with their probabilities and ranks at all of them.

    Parameters
    ----------
    logits
        Shape (layers + 1, vocab_size), of one position.
    k
        How many of each layer.
    followed
        Ids to take besides.

    Returns
    -------
    tuple
        Ids, those of the last layer first; probabilities and ranks, each (ids, layers + 1).
    """
    order = np.argsort(-logits, axis=1, kind="stable")
    ids = list(dict.fromkeys([*order[-1, :k].tolist(), *followed, *order[:-1, :k].ravel().tolist()]))
    ranks = 1 + np.argsort(order, axis=1, kind="stable")[:, ids]
    exact = np.exp(logits - logits.max(1, keepdims=True))
    shares = (exact / exact.sum(1, keepdims=True))[:, ids]
    return ids, shares.T, ranks.T.astype(np.float64)
