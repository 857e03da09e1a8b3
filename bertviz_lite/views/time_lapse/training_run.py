"""What a training run left behind for looking back at it: losses, scores and attention at some moments.

Reads the two files that :class:`bertviz_lite.training.history.History` writes, and says when each ability
appeared.
"""

from __future__ import annotations

import json
import math
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.views.base.view import ViewError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

__all__ = ["LEAST_RISE", "Ability", "TrainingRun", "place", "read_run", "steps_of_ten"]

LEAST_RISE = 0.05
"""A score that rises by less in the whole run is said not to rise: a few hundred items are not surer."""

_ZERO = 0.04  # where step 0 stands, which has no place on a scale of powers
_START, _END = 0.12, 0.97  # where the first step after it and the last one stand

_NAMES = {
    "agreement": "a verb that agrees with its subject",
    "pronoun": "the right pronoun",
    "mention": "who or what was named before",
    "consequence": "what follows from a need",
    "masked_words": "any masked word",
    "next_part": "true next part, or another story’s",
    "minimal_pairs": "minimal pairs: the right form of two",
    "senses": "which sense of a two-sense word",
    "head.subject": "a head looks from verb to subject",
    "head.person": "a head looks from pronoun to person",
}


@dataclass(frozen=True)
class Ability:
    """One score over the run, and when it has made a share of its way.

    Attributes
    ----------
    name, title
        The score's name in the history, and in words.
    values
        A share of right answers for each moment, None where it was not measured.
    start, best
        The first value that was measured, and the largest; None where none was.
    level
        What a value must reach: `start` plus a share of the way to `best`. None where the score does not
        rise by `LEAST_RISE`.
    first
        Index of the first moment that reaches `level`.
    below
        Index of the last moment before it that was measured; the ability appeared between the two.
    """

    name: str
    title: str
    values: tuple[float | None, ...]
    start: float | None
    best: float | None
    level: float | None
    first: int | None
    below: int | None

    @property
    def absence(self) -> str:
        """Why it never appears; empty where it does.

        >>> Ability.of("pronoun", [None, 0.9], 0.5).absence
        'asked once, at the end'
        """
        if self.first is not None:
            return ""
        if sum(value is not None for value in self.values) != 1:
            return "no rise"
        return "asked once" if self.values[-1] is None else "asked once, at the end"

    @classmethod
    def of(cls, name: str, values: Sequence[float | None], threshold: float) -> Ability:
        """Measure one score.

        >>> Ability.of("pronoun", [0.1, None, 0.5, 0.9], 0.5).first
        2
        """
        measured = [(index, value) for index, value in enumerate(values) if value is not None]
        start = measured[0][1] if measured else None
        best = max((value for _, value in measured), default=None)
        level = first = below = None
        if start is not None and best is not None and best - start >= LEAST_RISE:
            level = start + threshold * (best - start)
            # The best value is reached, whatever the last bits of the sum above say.
            first = next(index for index, value in measured if value >= level or value == best)
            below = max((index for index, _ in measured if index < first), default=None)
        return cls(name, _NAMES.get(name, name), tuple(values), start, best, level, first, below)


@dataclass(frozen=True)
class TrainingRun:
    """A run as its files tell it.

    Attributes
    ----------
    moments
        Dictionaries with "step", "tokens" (or None), "scores" and "heads", in the order of steps.
    losses
        Dictionaries with "step", "mlm_loss", "nsp_loss".
    texts
        The watched inputs: pairs of sentences, joined for reading.
    tokens
        The tokens of each.
    attention
        For each text, codes of the weights: uint8, shape (moments, num_layers, num_heads, seq_len, seq_len);
        see :func:`bertviz_lite.training.history.decode_attention`.
    notes
        What a reader must know about the numbers.
    """

    moments: list[dict[str, Any]]
    losses: list[dict[str, float]]
    texts: list[str]
    tokens: list[list[str]]
    attention: list[npt.NDArray[np.uint8]]
    notes: list[str]

    @property
    def steps(self) -> list[int]:
        """Steps of the moments."""
        return [moment["step"] for moment in self.moments]

    @property
    def num_layers(self) -> int:
        """Layers of the model."""
        layers: int = self.attention[0].shape[1]
        return layers

    @property
    def num_heads(self) -> int:
        """Heads of a layer."""
        heads: int = self.attention[0].shape[2]
        return heads

    def abilities(self, threshold: float) -> list[Ability]:
        """Return every score, those that appear first in front, those that never do at the end."""
        names = list(dict.fromkeys(name for moment in self.moments for name in moment["scores"]))
        every = [
            Ability.of(name, [moment["scores"].get(name) for moment in self.moments], threshold)
            for name in names
        ]
        return sorted(every, key=lambda one: len(self.moments) if one.first is None else one.first)

    def losses_at(self, moment: int) -> dict[str, float] | None:
        """Return the last entry of losses up to a moment; None before the first."""
        past = [entry for entry in self.losses if entry["step"] <= self.steps[moment]]
        return past[-1] if past else None


def place(step: float, steps: Sequence[int]) -> float:
    """Return where a step stands from left (0) to right (1): by its logarithm, and step 0 apart.

    >>> [round(place(step, [0, 10, 100, 1000]), 3) for step in (0, 10, 100, 1000)]
    [0.04, 0.12, 0.545, 0.97]
    """
    first = next((each for each in steps if each > 0), 1)
    if step < first:
        return _ZERO
    span = math.log(max(steps[-1], first) / first)
    return _START + (_END - _START) * (math.log(step / first) / span if span > 0 else 0)


def steps_of_ten(steps: Sequence[int]) -> list[int]:
    """Return the powers of ten among the steps, and 0 if it is a moment: the marks of the axis."""
    first, last = next((each for each in steps if each > 0), 1), steps[-1]
    powers = [10**k for k in range(12) if first <= 10**k <= last]
    return [*([0] if steps[0] == 0 else []), *powers]


def read_run(folder: str | os.PathLike[str]) -> TrainingRun:
    """Read ``history.json`` and ``history_attention.npz``.

    Raises
    ------
    ViewError
        In one line, if a file is missing or is none of a history.
    """
    where = Path(folder)
    if not where.is_dir():
        raise ViewError(f"{where}: there is no such folder; give the one that a training run wrote.")
    for name in ("history.json", "history_attention.npz"):
        if not (where / name).is_file():
            raise ViewError(
                f"{where}: no {name} in it; give a folder that training.history.History.write filled."
            )
    try:
        told = json.loads((where / "history.json").read_text(encoding="utf-8"))
        moments = list(_moments(told["moments"]))
        losses = [{name: float(one[name]) for name in _LOSS} for one in told["losses"]]
        tokens = [[str(token) for token in each] for each in told["tokens"]]
        texts = [" ".join(map(str, pair)) for pair in told["texts"]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ViewError(f"{where / 'history.json'}: this is no history ({_why(error)}).") from None
    if not moments or not texts or len(tokens) != len(texts):
        raise ViewError(
            f"{where / 'history.json'}: {len(moments)} moments, {len(texts)} texts and {len(tokens)} rows of "
            "tokens; one moment at least is needed, and tokens for each text."
        )
    attention = _attention(where / "history_attention.npz", len(moments), tokens)
    _check_heads(where / "history.json", moments, attention[0].shape)
    return TrainingRun(
        moments, losses, texts, tokens, attention, [str(note) for note in told.get("notes", [])]
    )


_LOSS = ("step", "mlm_loss", "nsp_loss")


def _moments(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    last = -1
    for entry in entries:
        step = int(entry["step"])
        if step <= last:
            raise ValueError(f"step {step} after step {last}")
        last = step
        scores = {
            str(name): None if value is None else float(value) for name, value in entry["scores"].items()
        }
        heads = {str(name): [int(number) for number in pair] for name, pair in entry.get("heads", {}).items()}
        tokens = entry.get("tokens")
        yield {
            "step": step,
            "tokens": None if tokens is None else int(tokens),
            "scores": scores,
            "heads": heads,
        }


def _check_heads(file: Path, moments: list[dict[str, Any]], shape: tuple[int, ...]) -> None:
    for moment in moments:
        for name, pair in moment["heads"].items():
            if len(pair) != 2 or not (0 <= pair[0] < shape[1] and 0 <= pair[1] < shape[2]):
                raise ViewError(
                    f"{file}: at step {moment['step']} the head of {name!r} is {pair}, but there are "
                    f"{shape[1]} layers of {shape[2]} heads."
                )


def _attention(file: Path, moments: int, tokens: list[list[str]]) -> list[npt.NDArray[np.uint8]]:
    try:
        with np.load(file, allow_pickle=False) as arrays:
            codes = [np.ascontiguousarray(arrays[f"text{number}"]) for number in range(len(tokens))]
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ViewError(f"{file}: this is no history's attention ({_why(error)}).") from None
    for number, (code, names) in enumerate(zip(codes, tokens, strict=True)):
        wanted = (moments, *codes[0].shape[1:3], len(names), len(names))
        if code.dtype != np.uint8 or code.shape != wanted or 0 in code.shape:
            raise ViewError(
                f"{file}: text{number} is {code.dtype} {code.shape}, but uint8 ({moments}, layers, heads, "
                f"{len(names)}, {len(names)}) is needed: {moments} moments, {len(names)} tokens, the same "
                "layers and heads for every text."
            )
    return codes


def _why(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"
