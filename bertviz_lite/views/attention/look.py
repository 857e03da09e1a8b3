"""From the explorer's state to the weights that are drawn: which map, words, filters, and what they hide.

The page follows the same rules, in the same order: the map, then words, then what is hidden, then shares of
what is left, then what is too faint to be drawn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.basics.text import readable
from bertviz_lite.capture.tokens import WORD_STARTS
from bertviz_lite.views.attention.passes import weights as _weights

if TYPE_CHECKING:
    import numpy.typing as npt

    from bertviz_lite.capture import Maps, Tokens
    from bertviz_lite.views.attention.passes.side import Side

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["CLAIMS", "Axis", "Look", "State", "axis_of", "looks"]

CLAIMS = {
    "mean heads": "The mean of the layer's heads: rows sum to one, but no single head need look like it.",
    "max heads": "The largest weight of any head of the layer: rows do not sum to one, and heads are mixed.",
    "mean all": "The mean of all heads of all layers: rows sum to one, but no single head need look like it.",
    "max all": "The largest weight of any head of any layer: rows do not sum to one, and heads are mixed.",
    "rollout": "Rollout up to this layer (Abnar & Zuidema 2020): heads averaged, the residual connection "
    "counted as half, layers multiplied. It leaves out values, feed-forward parts and signs: "
    "a path, not a cause.",
}
"""What each aggregate may and may not claim."""

_MERGED = {"mean": "mean", "max": "largest"}  # how titles say it, of the live view as well
_BEGINS, _ENDS = re.compile(r"^(##|[Ġ▁])"), re.compile(r"(</w>|@@)$")


@dataclass(frozen=True, eq=False)
class State:
    """The explorer's state, as far as a picture of it goes; names and values are those of its traits."""

    sides: tuple[Side, ...]
    sides_shown: tuple[Side, ...]
    predictions: dict[str, Any]
    kind: str
    side: str
    layer: int
    head: int
    heads: list[int]
    aggregate: str
    query: int | None
    key: int | None
    direction: str
    hide_special: bool
    renormalise: bool
    threshold: float
    mass: float
    words: bool


@dataclass(frozen=True, eq=False)
class Axis:
    """One side of a map as it is drawn: tokens, or the words they make up."""

    starts: Ints
    """The position of each name's first token, (n,)."""
    names: tuple[str, ...]
    segments: Ints
    special: Flags

    def __len__(self) -> int:
        return len(self.names)

    def only(self, keep: Flags) -> Axis:
        """Return the part of it that `keep` names."""
        names = tuple(name for name, kept in zip(self.names, keep, strict=True) if kept)
        return Axis(self.starts[keep], names, self.segments[keep], self.special[keep])

    def index_of(self, position: int | None) -> int | None:
        """Return which name the token at `position` belongs to; None if it is not drawn."""
        if position is None or not len(self.starts):
            return None
        index = int(np.searchsorted(self.starts, position, side="right")) - 1
        return index if index >= 0 and self.starts[index] <= position else None


@dataclass(frozen=True, eq=False)
class Look:
    """What the state shows of one side."""

    side: str
    """"before", "after", "difference", or what the caller calls a side: usually "first", "second"."""
    what: str
    """"layer 2, head 1"."""
    queries: Axis
    keys: Axis
    weights: Floats
    """What is drawn and, where `drawn` is False, what is too faint to be drawn, (queries, keys)."""
    drawn: Flags
    """Same shape."""
    ribbons: dict[str, Floats]
    """The same by head, for the lines; one entry if only one map is shown."""
    hidden: float
    """Share of the weights of the drawn queries that lies on hidden keys."""


def axis_of(tokens: Tokens, *, words: bool) -> Axis:
    """Return one side of a map, its tokens merged to words if `words` says so."""
    count = len(tokens.tokens)
    starts = _weights.word_starts(tokens.words) if words else np.arange(count)
    ends = np.append(starts[1:], count)
    names = tuple(
        _joined(tokens.tokens[start:end]) if words else readable(tokens.tokens[start])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    )
    return Axis(starts, names, tokens.segments[starts], tokens.special[starts])


def _joined(parts: tuple[str, ...]) -> str:
    """Return a word without the marks by which tokenizers say that a token begins a word or continues it."""
    if len(parts) > 1:
        parts = tuple(_ENDS.sub("", _BEGINS.sub("", part)) for part in parts)
    word = readable("".join(parts))
    return word[1:] if len(word) > 1 and word.startswith(WORD_STARTS) else word


def looks(state: State, layer: int, head: int) -> list[Look]:
    """Return what is shown of each side that the state shows, top to bottom; of a difference, that alone."""
    sides = state.sides_shown
    drawn_sides = [_look(state, side.name, side.capture.kinds[state.kind], layer, head) for side in sides]
    if state.side != "difference":
        return drawn_sides
    first, second = drawn_sides
    drawn, weights = first.drawn | second.drawn, second.weights - first.weights
    ribbons = {first.what: np.where(drawn, weights, 0.0)}
    hidden = max(first.hidden, second.hidden)
    return [replace(first, side="difference", weights=weights, drawn=drawn, ribbons=ribbons, hidden=hidden)]


def _look(state: State, name: str, maps: Maps, layer: int, head: int) -> Look:
    # A difference is taken between the same words on both sides: those of the first.
    named = state.sides[0].capture.kinds[state.kind] if state.side == "difference" else maps
    queries, keys = (axis_of(axis, words=state.words) for axis in (named.query_tokens, named.key_tokens))
    what, chosen = _chosen(state, maps, layer, head)
    rows, columns = _visible(state, queries, keys)
    ribbons: dict[str, Floats] = {}
    drawn: dict[str, Flags] = {}
    hidden = 0.0
    for label, weights in chosen.items():
        merged: Floats = weights.astype(np.float64)
        if state.words:
            merged = _weights.merge_words(merged, queries.starts, keys.starts)
        merged = merged[rows]
        left = merged[:, columns]
        if label == what:
            whole = merged.sum()
            hidden = 1.0 - float(left.sum() / whole) if whole > 0 else 0.0
        if state.renormalise:
            sums = left.sum(axis=1, keepdims=True)
            left = np.divide(left, sums, out=np.zeros_like(left), where=sums > 0)
        ribbons[label] = left
        drawn[label] = left >= state.threshold
        if state.mass < 1:
            drawn[label] &= _weights.keep_mass(left, state.mass)
    lines = {label: np.where(drawn[label], ribbons[label], 0.0) for label in ribbons}
    if state.aggregate == "none" and state.heads and head not in state.heads:
        del lines[what]
    return Look(
        name,
        what,
        queries.only(rows),
        keys.only(columns),
        ribbons[what],
        drawn[what],
        lines,
        max(0.0, hidden),
    )


def _chosen(
    state: State, maps: Maps, layer: int, head: int
) -> tuple[str, dict[str, npt.NDArray[np.float32]]]:
    """Return the name of the map that is shown, and by name the maps that are drawn."""
    weights = maps.attentions[layer]
    if state.aggregate == "none":
        what = f"layer {layer}, head {head}"
        heads = {head, *(other for other in state.heads if other < len(weights))}
        return what, {f"layer {layer}, head {number}": weights[number] for number in sorted(heads)}
    if state.aggregate in ("mean heads", "max heads"):
        merge = weights.mean if state.aggregate == "mean heads" else weights.max
        what = f"layer {layer}, {_MERGED[state.aggregate.split()[0]]} of its heads"
        return what, {what: merge(axis=0)}
    if state.aggregate == "rollout":
        what = f"rollout up to layer {layer}"
        below = None
        for heads_of_layer in maps.attentions[: layer + 1]:
            below = _weights.rollout_step(heads_of_layer.mean(axis=0), below)
        assert below is not None
        return what, {what: below}
    per_layer = [
        layer_weights.mean(axis=0) if state.aggregate == "mean all" else layer_weights.max(axis=0)
        for layer_weights in maps.attentions
    ]
    stacked = np.stack(per_layer)
    what = f"{_MERGED[state.aggregate.split()[0]]} of all layers and heads"
    return what, {what: stacked.mean(axis=0) if state.aggregate == "mean all" else stacked.max(axis=0)}


def _visible(state: State, queries: Axis, keys: Axis) -> tuple[Flags, Flags]:
    """Return which queries and which keys the filters leave."""
    rows, columns = np.ones(len(queries), dtype=bool), np.ones(len(keys), dtype=bool)
    if state.hide_special:
        rows &= ~queries.special
        columns &= ~keys.special
    if state.direction != "all":
        start, end = ("AB".index(segment) for segment in state.direction.split("→"))
        rows &= queries.segments == start
        columns &= keys.segments == end
    return rows, columns
