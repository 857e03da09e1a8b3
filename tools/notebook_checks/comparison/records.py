"""Compare what two figures say: their texts, letter for letter, and the numbers behind what is drawn.

`bertviz_lite.basics.figure_record` says what a record holds. Numbers may differ by three thousandths of their
range, far less than can be seen; a line more or less, other colours or other texts may not. White space does
not count: where a title is broken depends on the width of its letters.
"""

import difflib
from collections.abc import Iterator
from typing import Any

import numpy as np

from bertviz_lite.basics.figure_record import STEPS

TOLERANCE = 0.003  # of the range of an array's numbers
ROUNDING = 1e-12  # a number this small is a rounding error of float64, of which each processor has its own
SHOWN = 4  # texts

Record = dict[str, Any]


def record_difference(committed: Record | None, fresh: Record | None) -> str | None:
    """Say how what two figures say differs, or None where it does not."""
    if committed is None or fresh is None:
        if committed is fresh:
            return None
        return f"has {'a' if committed else 'no'} record of what it says, now {'a' if fresh else 'no'} record"
    if text := _text_difference(committed["texts"], fresh["texts"]):
        return text
    old, new = committed["drawn"], fresh["drawn"]
    if [entry[0] for entry in old] != [entry[0] for entry in new]:
        return f"drew {_listed(old)}, now {_listed(new)}"
    for number, (was, now) in enumerate(zip(old, new, strict=True), start=1):
        if text := next(_entry_differences(was, now), ""):
            return f"{was[0]} {number} of {len(old)} {text}"
    return None


def _text_difference(committed: list[str], fresh: list[str]) -> str | None:
    old, new = (["".join(text.split()) for text in texts] for texts in (committed, fresh))
    if len(old) == len(new):
        others = [place for place in range(len(old)) if old[place] != new[place]]
        was, now = ([texts[place] for place in others[:SHOWN]] for texts in (committed, fresh))
        return f"says {was}, now {now}" if others else None
    for what, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            return f"says {committed[i:j][:SHOWN]}, now {fresh[k:m][:SHOWN]}"
    return None


def _listed(drawn: list[Any]) -> str:
    kinds = [entry[0] for entry in drawn]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds))) or "nothing"


def _entry_differences(was: list[Any], now: list[Any]) -> Iterator[str]:
    for old, new in zip(was[1:], now[1:], strict=True):
        if isinstance(old, str) or isinstance(new, str):
            if old != new:
                yield f"has colours {old}, now {new}"
            continue
        if len(old[2]) != len(new[2]):
            yield f"has {len(old[2])} numbers, now {len(new[2])}"
            continue
        first, second = _numbers(old), _numbers(new)
        if (np.isnan(first) != np.isnan(second)).any():
            yield "has numbers in other places"
            continue
        span = max(old[1], new[1]) - min(old[0], new[0])
        allowed = TOLERANCE * span + 1e-5 * max(map(abs, (*old[:2], *new[:2]))) + ROUNDING
        distance = np.nan_to_num(np.abs(first - second))
        if distance.size and distance.max() > allowed:
            place = int(distance.argmax())
            yield f"has {first[place]:.4g}, now {second[place]:.4g} (number {place + 1} of {len(first)})"


def _numbers(entry: list[Any]) -> Any:  # noqa: ANN401 - an array
    low, high, steps = entry
    values = np.array(steps, dtype=float)
    return np.where(values < 0, np.nan, low + (high - low) * values / STEPS)
