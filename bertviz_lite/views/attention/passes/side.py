"""One pass as the page sees it: what it says about itself, and its numbers as named blocks of bytes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.basics.text import readable
from bertviz_lite.views.attention.passes import weights as _weights
from bertviz_lite.views.base.saved.blocks import pack

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from bertviz_lite.capture import Maps, Pass, Tokens

__all__ = ["Side", "is_self"]


class Side:
    """One capture as the page sees it: what it says about itself, and its blocks."""

    def __init__(self, name: str, capture: Pass) -> None:
        self.name = name
        self.capture = capture

    @cached_property
    def summaries(self) -> dict[str, _weights.Summary]:
        """All heads at a glance, by kind of attention."""
        return {
            kind: _weights.summarise(
                maps.attentions,
                special=maps.key_tokens.special,
                is_real=maps.query_tokens.attention_mask,
                is_self=is_self(maps),
            )
            for kind, maps in self.capture.kinds.items()
        }

    @property
    def error(self) -> float:
        """By how much a weight as drawn differs from the weight, at most."""
        return max(summary.error for summary in self.summaries.values())

    def meta(self) -> dict[str, Any]:
        """Return what the page must know before it asks for blocks."""
        kinds = {}
        for kind, maps in self.capture.kinds.items():
            scores = maps.scores
            kinds[kind] = {
                "layers": len(maps.attentions),
                "heads": len(maps.attentions[0]),
                "queries": _axis(maps.query_tokens),
                "keys": None if is_self(maps) else _axis(maps.key_tokens),
                "why": scores is not None,
                "head_size": int(scores[0].queries.shape[-1]) if scores else None,
                "scaling": [float(layer.scaling) for layer in scores] if scores else None,
                "thumb": list(self.summaries[kind].thumbs.shape[2:]),
            }
        return {"name": self.name, "model": readable(self.capture.model_name), "kinds": kinds}

    def block(self, kind: str, parts: Sequence[str]) -> bytes | None:
        """Return the bytes of a block, None if there is none of that name."""
        maps, summary = self.capture.kinds[kind], self.summaries[kind]
        name, numbers = parts[0], [int(part) for part in parts[1:]]
        if any(number < 0 for number in numbers):
            return None
        if name in ("thumbs", "mean", "max") and not numbers:
            codes: npt.NDArray[np.uint8] = getattr(summary, name)
            return codes.tobytes()
        if name == "stats" and not numbers:
            return pack(summary.stats)
        if name == "layer" and len(numbers) == 1:
            return _weights.encode_rows(maps.attentions[numbers[0]]).tobytes()
        if name == "rollout" and len(numbers) == 1 and summary.rollout:
            return summary.rollout[numbers[0]].tobytes()
        if name == "exact" and len(numbers) == 3:
            layer, head, query = numbers
            return pack(maps.attentions[layer][head, query])
        if name == "why" and len(numbers) == 2 and maps.scores is not None:
            return b"".join(pack(array) for array in _why(maps, *numbers))
        return None

    def why_bytes(self) -> int:
        """Return how many bytes the queries, keys and biases of all heads are."""
        return sum(
            4 * array.size
            for maps in self.capture.kinds.values()
            if maps.scores is not None
            for layer in range(len(maps.attentions))
            for head in range(len(maps.attentions[layer]))
            for array in _why(maps, layer, head)
        )

    def saved_blocks(self, prefix: str, *, why: bool) -> Iterator[str]:
        """Return the names of the blocks of a saved page; `why` adds the queries and keys."""
        for kind, maps in self.capture.kinds.items():
            layers = range(len(maps.attentions))
            names = ["thumbs", "stats", "mean", "max", *(f"layer/{layer}" for layer in layers)]
            if self.summaries[kind].rollout:
                names += [f"rollout/{layer}" for layer in layers]
            if why and maps.scores is not None:
                names += [
                    f"why/{layer}/{head}" for layer in layers for head in range(len(maps.attentions[0]))
                ]
            yield from (f"{prefix}/{kind}/{name}" for name in names)


def _why(maps: Maps, layer: int, head: int) -> list[npt.NDArray[np.float32]]:
    """Return queries (query_len, head_size), keys (key_len, head_size), and the bias if not all zero."""
    assert maps.scores is not None
    scores = maps.scores[layer]
    arrays = [scores.queries[head], scores.keys[head]]
    if scores.bias is not None:
        bias = scores.bias[head if len(scores.bias) > 1 else 0]
        if bias.any():
            arrays.append(bias)
    return arrays


def is_self(maps: Maps) -> bool:
    """Return whether queries and keys are the same tokens."""
    return maps.key_tokens is maps.query_tokens


def _axis(tokens: Tokens) -> dict[str, Any]:
    return {
        "tokens": [readable(token) for token in tokens.tokens],
        "segments": [int(segment) for segment in tokens.segments],
        "special": [int(flag) for flag in tokens.special],
        "padding": [int(not flag) for flag in tokens.attention_mask],
        "words": [int(word) for word in tokens.words],
    }
