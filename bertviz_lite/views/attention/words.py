"""What is written beside the explorer's picture: the alt text, the caption, and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.basics.text import clip, isolated, percent
from bertviz_lite.views.attention.look import CLAIMS
from bertviz_lite.views.attention.passes.source import rounding
from bertviz_lite.views.base.static import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from bertviz_lite.views.attention.look import Axis, Look, State

__all__ = ["NOTHING_LEFT", "alt_text", "caption", "legend", "names_table", "numbers_beside", "tables"]

NOTHING_LEFT = "Every token is hidden: nothing is left to draw."
_IN_ALT = 5
_IN_TABLE = 20


def alt_text(seen: Sequence[Look], state: State) -> str:
    """Say in words what the picture shows."""
    return " ".join(_alt_of(look, state) for look in seen)


def _alt_of(look: Look, state: State) -> str:
    several = "" if len(state.sides) == 1 else f", {look.side}"
    start = f"Attention of {look.what}{several}, a row for each of {_of(look)}."
    if not look.weights.size:
        return f"{start} {NOTHING_LEFT}"
    pairs = "; ".join(
        f"{query} → {key} {_number(weight)}" for query, key, weight in _largest(look, state, _IN_ALT)
    )
    largest = "differences" if look.side == "difference" else "weights"
    parts = [start, f"The largest {largest}: {pairs}." if pairs else "No weight is large enough to be drawn."]
    numbers = _numbers(look, state)
    if numbers is not None:
        parts.append(_in_words(numbers, joined=state.words))
    if look.hidden > 0.0005:
        parts.append(f"Hidden: {percent(look.hidden)} of the weights of these queries.")
    return " ".join(parts)


def _of(look: Look) -> str:
    queries, keys = len(look.queries), len(look.keys)
    return f"{queries} queries, a column for each of {keys} keys"


def _largest(look: Look, state: State, most: int) -> list[tuple[str, str, float]]:
    """Return the largest weights that are drawn, of the token that is picked out if one is."""
    weights = np.where(look.drawn, np.abs(look.weights), 0.0)
    query, key = look.queries.index_of(state.query), look.keys.index_of(state.key)
    if query is not None:
        weights[np.arange(len(weights)) != query] = 0.0
    if key is not None:
        weights[:, np.arange(weights.shape[1]) != key] = 0.0
    order = np.argsort(-weights, axis=None, kind="stable")[:most].tolist()
    largest = []
    for row, column in (divmod(index, weights.shape[1]) for index in order):
        if weights[row, column] > 0:
            largest.append(
                (_name(look.queries, row), _name(look.keys, column), float(look.weights[row, column]))
            )
    return largest


def _name(axis: Axis, index: int) -> str:
    return f"{axis.starts[index]} “{isolated(clip(axis.names[index]))}”"


def _numbers(look: Look, state: State) -> npt.NDArray[np.float32] | None:
    """Return entropy, mean distance, share on special tokens and row error; None of an aggregate."""
    layer, _, head = look.what.removeprefix("layer ").partition(", head ")
    side = next((side for side in state.sides if side.name == look.side), None)
    if side is None or not head.isdigit():
        return None
    numbers: npt.NDArray[np.float32] = side.summaries[state.kind].stats[int(layer), int(head)]
    return numbers


def _in_words(numbers: npt.NDArray[np.float32], *, joined: bool) -> str:
    """Say the numbers of a head; they are of its tokens, also where these are joined to words."""
    entropy, distance, special, _ = numbers.tolist()
    far = "" if np.isnan(distance) else f"mean distance {distance:.1f} tokens, "
    by = "By token: entropy" if joined else "Entropy"
    return f"{by} {entropy:.2f} bits, {far}{percent(special)} of the weights on special tokens."


def numbers_beside(seen: Sequence[Look], state: State) -> str:
    """Return what is written under the small pictures of all heads: the chosen head in numbers."""
    found = [numbers for look in seen if (numbers := _numbers(look, state)) is not None]
    if not found:
        return ""
    forms: tuple[Callable[[float], str], ...] = ("{:.2f}".format, "{:.1f}".format, _bare_percent)
    entropy, distance, special = (
        " → ".join("–" if np.isnan(value) else form(value) for value in column)
        for form, column in zip(forms, np.transpose(found)[:3].tolist(), strict=True)
    )
    by = "by token:\n" if state.words else ""
    return f"{by}entropy, bits  {entropy}\nmean distance  {distance}\non special tokens  {special} %"


def _bare_percent(share: float) -> str:
    return percent(share).removesuffix(" %")


def legend(seen: Sequence[Look]) -> str:
    """Return what is written beside a plotted picture: title, axes, scale."""
    sides = "" if len(seen) == 1 else f" ({', '.join(look.side for look in seen)})"
    what = seen[0].what[:1].upper() + seen[0].what[1:]
    is_signed = seen[0].side == "difference"
    scale = "blue is −1, orange +1" if is_signed else "the darkest is 1, white is 0"
    return f"{what}{sides}: a row for each query, a column for each key; {scale}, colour by the root."


def _number(weight: float) -> str:
    return f"{weight:.2f}".replace("-", "−")


def caption(seen: Sequence[Look], state: State, most: int) -> str:
    """Return what must be known to read the picture rightly."""
    parts = [CLAIMS.get(state.aggregate, "")]
    largest = max(max(look.weights.shape) for look in seen)
    if largest > most:
        parts.append(f"At most {most} × {most} cells are drawn: each is the largest weight of its block.")
    if state.words:
        parts.append(
            "Tokens are merged to words: summed over the tokens of a key, averaged over those of a query."
        )
    if state.renormalise:
        parts.append("Each row is drawn as shares of what is left of it.")
    parts.append(rounding([side.capture for side in state.sides_shown]))
    return " ".join(filter(None, parts))


def tables(seen: Sequence[Look], state: State) -> list[Table]:
    """Return the largest weights, the heads in numbers, and what the model predicts."""
    heads = [
        _heads_table(state, side.name, side.summaries[state.kind].stats[state.layer])
        for side in state.sides_shown
    ]
    predictions = [_predictions_table(state)] if state.predictions else []
    return [*(_weights_table(look, state) for look in seen), *heads, *predictions]


def names_table(look: Look, state: State) -> Table:
    """Return the names of rows and columns, which a picture of plain cells does not have."""
    several = "" if len(state.sides) == 1 else f", {look.side}"
    count = max(len(look.queries), len(look.keys))
    rows = [
        [str(index), *(_name(axis, index) if index < len(axis) else "" for axis in (look.queries, look.keys))]
        for index in range(count)
    ]
    return Table(f"The rows and columns by name{several}", ("number", "row: query", "column: key"), rows)


def _weights_table(look: Look, state: State) -> Table:
    several = "" if len(state.sides) == 1 else f", {look.side}"
    what = "differences" if look.side == "difference" else "weights"
    rows = [[query, key, _exact(weight)] for query, key, weight in _largest(look, state, _IN_TABLE)]
    return Table(f"The largest {what} of {look.what}{several}", ("query", "key", "weight"), rows)


def _exact(weight: float) -> str:
    return f"{weight:.4f}".replace("-", "−")


def _heads_table(state: State, side: str, stats: npt.NDArray[np.float32]) -> Table:
    several = ", by token" if state.words else ""
    several += "" if len(state.sides) == 1 else f", {side}"
    rows = [
        [str(head), f"{entropy:.2f}", "–" if np.isnan(far) else f"{far:.1f}", percent(special)]
        for head, (entropy, far, special, _) in enumerate(stats.tolist())
    ]
    columns = ("head", "entropy, bits", "mean distance, tokens", "on special tokens")
    return Table(f"The heads of layer {state.layer} in numbers{several}", columns, rows)


def _predictions_table(state: State) -> Table:
    runs = [run for run in ("before", "after", "heads_on") if run in state.predictions["positions"][0]]
    rows = []
    for place in state.predictions["positions"]:
        tops = [
            ", ".join(f"{isolated(clip(token))} {percent(share)}" for token, share in place[run])
            for run in runs
        ]
        losses = [_exact(loss) for loss in place["loss"]]
        rows.append([f"{place['position']} “{isolated(clip(place['token']))}”", *tops, *losses])
    names = [run.replace("heads_on", "after, all heads on") for run in runs]
    columns = ("token", *names, *(f"loss {name}, nats" for name in names))
    return Table("What the model predicts there", columns, rows)
