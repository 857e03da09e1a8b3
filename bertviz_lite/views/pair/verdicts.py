"""What the next-sentence head answers for a pair of texts, and what each word does to the answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.views.base.asking import check_text, pack_found, unpack_found
from bertviz_lite.views.base.errors import ViewError, ViewTypeError, as_view_error
from bertviz_lite.views.engine.texts import check_no_unknown, check_room

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bertviz_lite.views.engine.interface import Encoded, Engine

    Floats = npt.NDArray[np.float64]

__all__ = ["UNDECIDED", "Verdict", "answer_to", "encode", "judge", "judge_words", "unpack"]

UNDECIDED = (0.3, 0.7)
"""Probabilities from which to which the view calls the answer undecided; the page has the same."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """The answer for a pair, and what hiding each word changes.

    Attributes
    ----------
    probability, log_odds
        Of "B continues A" (label 0).
    words
        Those of A, then those of B; [CLS] and [SEP] are none.
    segments
        int64, shape (words,): 0 for A, 1 for B.
    support
        float64 (of float32 precision), shape (words, 2): by how much the probability and the log-odds fall
        when the word is hidden.
    """

    probability: float
    log_odds: float
    words: list[str]
    segments: npt.NDArray[np.int64]
    support: Floats


def answer_to(probability: float) -> str:
    """Return the answer in words: a probability near a half is none."""
    if UNDECIDED[0] <= probability <= UNDECIDED[1]:
        return "undecided (30 to 70 %)"
    return "B continues A (label 0)" if probability > 0.5 else "B is of another story (label 1)"


def encode(engine: Engine, first: str, second: str) -> Encoded:
    """Return a pair as the engine reads it, or raise :class:`ViewError` in the words of this view."""
    for name, text in (("A", first), ("B", second)):
        check_text(name, text)
        check_no_unknown(engine, text)
    with as_view_error():
        encoded = engine.encode(first, second)
    check_room(engine, encoded, "A and B are a pair")
    return encoded


def judge(engine: Engine, first: str, second: str) -> bytes:
    """Pack the answer for a pair."""
    encoded = encode(engine, first, second)
    (log_odds,) = _log_odds(engine, encoded, [()])
    return pack_found(_facts((first, second), float(log_odds)), [])


def judge_words(engine: Engine, first: str, second: str) -> bytes:
    """Pack the answer for a pair together with what hiding each word changes."""
    encoded, facts = encode(engine, first, second), engine.facts
    hidden = [tuple(range(word.start, word.stop)) for word in encoded.words]
    log_odds = _log_odds(engine, encoded, [(), *hidden])
    special = [token for token in (facts.cls_token, facts.sep_token) if token in encoded.tokens.tokens]
    answer = {
        **_facts((first, second), float(log_odds[0])),
        "words": [
            [word.text, word.segment, word.stop - word.start, int(word.text == facts.mask_token)]
            for word in encoded.words
        ],
        "special": special,
    }
    return pack_found(answer, np.stack([[_sigmoid(odds) for odds in log_odds[1:].tolist()], log_odds[1:]]))


def unpack(found: bytes) -> Verdict:
    """Return what :func:`judge_words` packed."""
    facts, numbers = unpack_found(found)
    hidden = numbers.reshape(2, -1).astype(np.float64)
    now = np.array([facts["probability"], facts["log_odds"]])
    words = [word[0] for word in facts["words"]]
    segments = np.array([word[1] for word in facts["words"]], np.int64)
    return Verdict(float(now[0]), float(now[1]), words, segments, now - hidden.T)


def _log_odds(engine: Engine, encoded: Encoded, hidden: Sequence[Sequence[int]]) -> Floats:
    try:
        with as_view_error():
            return engine.judge_pair(encoded, hidden)
    except ViewError:
        raise
    except TypeError as error:
        raise ViewTypeError(str(error)) from None


def _facts(texts: tuple[str, str], log_odds: float) -> dict[str, Any]:
    probability = _sigmoid(log_odds)
    return {"first": texts[0], "second": texts[1], "probability": probability, "log_odds": log_odds}


def _sigmoid(log_odds: float) -> float:
    """1 / (1 + e^-x), without overflow at either end."""
    small = math.exp(-abs(log_odds))
    return (1.0 if log_odds >= 0 else small) / (1.0 + small)
