"""A text on its way through a BERT: the vectors outside the layers, those inside one, what the heads say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.basics.text import readable
from bertviz_lite.views.base.asking import check_text, pack_found, unpack_found
from bertviz_lite.views.base.errors import ViewError, ViewTypeError, as_view_error
from bertviz_lite.views.engine.texts import check_room

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from bertviz_lite.views.engine.interface import Encoded, Engine

    Floats = npt.NDArray[np.float32]

__all__ = ["BEST", "encode", "read", "read_layer", "unpack"]

BEST = 5
"""How many of the likeliest words of each token are sent."""

_SAME_BIAS = 1e-3
_ENOUGH = 16  # tokens, to see whether a table is the same


def encode(engine: Engine, text: str, text_pair: str) -> Encoded:
    """Return a text, or a pair, as the engine reads it, or raise :class:`ViewError` where it cannot."""
    check_text("text", text)
    if text_pair:
        check_text("text_pair", text_pair)
    with as_view_error():
        encoded = engine.encode(text, text_pair or None)
    check_room(engine, encoded, "a pair" if text_pair else "text")
    return encoded


def read(engine: Engine, text: str, text_pair: str) -> bytes:
    """Read a text, and pack all that lies outside the layers; `unpack` says what that is."""
    encoded = encode(engine, text, text_pair)
    tokens, steps = encoded.tokens, _steps(engine, encoded, None)
    with as_view_error():
        seen = engine.run(encoded)
    assert tokens.input_ids is not None
    weights = next(iter(seen.kinds.values())).attentions[0]
    inside = _steps(engine, encoded, 0)
    hidden_size = steps["embeddings"].shape[1]
    facts: dict[str, Any] = {
        "text": text,
        "text_pair": text_pair,
        "tokens": [readable(token) for token in tokens.tokens],
        "input_ids": tokens.input_ids.tolist(),
        "segments": tokens.segments.tolist(),
        "special": [bool(one) for one in tokens.special],
        "words": [[word.text, word.start, word.stop, word.segment] for word in encoded.words],
        "sizes": {
            "seq_len": len(tokens),
            "hidden_size": hidden_size,
            "intermediate_size": inside["up"].shape[1],
            "num_heads": len(weights),
            "head_size": hidden_size // len(weights),
            "vocab_size": engine.facts.vocab_size,
        },
        "best": [],
        "is_tied": None,
    }
    if seen.logits is not None and "transform" in steps:
        best, shares = _best_words(seen.logits)
        steps["best"] = shares
        facts["best"] = [[readable(name) for name in engine.names(row)] for row in best.tolist()]
        facts["sizes"]["vocab_size"] = seen.logits.shape[1]
        facts["is_tied"] = _is_tied(seen.logits, steps, tokens.input_ids)
    return _packed(facts, steps)


def read_layer(engine: Engine, text: str, text_pair: str, layer: int) -> bytes:
    """Read a text, and pack all that lies inside a layer."""
    encoded = encode(engine, text, text_pair)
    steps = _steps(engine, encoded, layer)
    with as_view_error():
        steps["weights"] = next(iter(engine.run(encoded).kinds.values())).attentions[layer]
    return _packed({"text": text, "text_pair": text_pair, "layer": layer}, steps)


def unpack(found: bytes) -> tuple[dict[str, Any], dict[str, Floats]]:
    """Return what :func:`read` and :func:`read_layer` packed: facts, and arrays by name.

    To the arrays of ``Engine.read_steps`` come ``best`` (seq_len, 5), the probabilities of the words in
    ``facts["best"]``; of a layer ``weights`` (num_heads, query, key).
    """
    facts, numbers = unpack_found(found)
    arrays, start = {}, 0
    for name, *shape in facts["arrays"]:
        size = int(np.prod(shape))
        arrays[name] = numbers[start : start + size].reshape(shape)
        start += size
    return facts, arrays


def _packed(facts: Mapping[str, Any], steps: Mapping[str, Floats]) -> bytes:
    names = sorted(steps)
    arrays = [[name, *steps[name].shape] for name in names]
    return pack_found({**facts, "arrays": arrays}, np.concatenate([steps[name].ravel() for name in names]))


def _steps(engine: Engine, encoded: Encoded, layer: int | None) -> dict[str, Floats]:
    try:
        with as_view_error():
            return engine.read_steps(encoded, layer)
    except ViewError:
        raise
    except TypeError as error:
        raise ViewTypeError(str(error)) from None


def _best_words(logits: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return ids and probabilities of the likeliest words of each token, each (seq_len, BEST)."""
    exact = logits.astype(np.float64)
    best = np.argsort(-exact, axis=1, kind="stable")[:, :BEST]
    powers = np.exp(exact - exact.max(1, keepdims=True))
    shares = np.take_along_axis(powers / powers.sum(1, keepdims=True), best, 1)
    return best, shares.astype(np.float32)


def _is_tied(logits: Floats, steps: Mapping[str, Floats], input_ids: npt.NDArray[np.int64]) -> bool:
    """Whether the decoder's table is that of the word embeddings, seen from the numbers.

    Of the tokens of the text the rows are known. If they are the decoder's, what is left of a logit is the
    word's bias, the same at every token.
    """
    fit = steps["transform"][:_ENOUGH] @ steps["word_embeddings"][:_ENOUGH].T
    rest = logits[:_ENOUGH, input_ids[:_ENOUGH]] - fit
    spread = (rest.max(axis=0) - rest.min(axis=0)).max()
    return bool(spread < _SAME_BIAS * (1 + np.abs(logits).max()))
