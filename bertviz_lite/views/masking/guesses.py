"""What the model says at one place of a text, with the token in its place and with it hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bertviz_lite.basics.text import readable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bertviz_lite.views.engine.interface import Encoded, Engine, Pass

__all__ = ["Guess", "guesses_at", "guesses_of_draw"]

_TOP = 5


class Guess(NamedTuple):
    """What the model says at one place: the most probable tokens, and the probability of the true one."""

    top: list[tuple[str, float]]
    truth: float


def guesses_at(
    engine: Engine, encoded: Encoded, unchanged: Pass, place: int, hidden: tuple[int, ...]
) -> dict[str, Guess]:
    """Return the model's guess at a place for the text as it is, and with [MASK] at the hidden places.

    `unchanged` is the pass over the text as it is.

    Returns
    -------
    dict
        ``{"before": Guess, "after": Guess}``.
    """
    mask, input_ids = engine.facts.mask_token, encoded.tokens.input_ids
    assert mask is not None
    assert input_ids is not None
    truth = int(input_ids[place])
    runs = {"before": unchanged, "after": engine.run(encoded, dict.fromkeys(hidden, mask))}
    return {name: _guess(engine, run, place, truth) for name, run in runs.items()}


def guesses_of_draw(engine: Engine, encoded: Encoded, drawn: Mapping[int, int]) -> dict[int, Guess]:
    """Return the model's guess at every place of `drawn`, which holds the ids that stand there instead."""
    input_ids = encoded.tokens.input_ids
    assert input_ids is not None
    run = engine.run(encoded, dict(zip(drawn, engine.names(drawn.values()), strict=True)))
    return {place: _guess(engine, run, place, int(input_ids[place])) for place in drawn}


def _guess(engine: Engine, run: Pass, place: int, truth: int) -> Guess:
    log_probabilities = run.log_probabilities(place)
    best = np.argsort(-log_probabilities, kind="stable")[:_TOP]
    names = map(readable, engine.names(best.tolist()))
    top = list(zip(names, np.exp(log_probabilities[best]).tolist(), strict=True))
    return Guess(top, float(np.exp(log_probabilities[truth])))
