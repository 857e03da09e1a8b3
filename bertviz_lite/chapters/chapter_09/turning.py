"""A reader's change of B that is to turn a yes into a no: how often it does, and how many words it takes."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from bertviz_lite.chapters.chapter_09.going_on import going_on
from bertviz_lite.evaluation.pair_probes import pair_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

__all__ = ["changed_words", "turned"]

_TARGET, _MOST = 13, 2  # texts to be turned, and how many words may be changed in each


def turned(
    change: Callable[[Callable[[Sequence[str]], npt.NDArray[np.float64]], str], Any],
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    texts: Sequence[tuple[str, str]] | None = None,
) -> str:
    """Say how many of some accepted Bs are refused after a change of at most two words, and show some.

    Parameters
    ----------
    change
        Takes a function from a list of Bs to their log-odds after this A, and B; returns another B.
        ``...`` or None: not answered yet.
    model, tokenizer
        Of the package's, with an NSP head.
    texts
        Pairs (A, B); as usual the twenty in which a word comes back.
    """
    good, rows = 0, []
    texts = going_on()["a word comes back"] if texts is None else texts
    for a, b in texts:

        def score(seconds: Sequence[str], a: str = a) -> npt.NDArray[np.float64]:
            return pair_vectors(model, tokenizer, [(a, second) for second in seconds]).log_odds

        new = change(score, b)
        if new is None or new is ...:
            return "not answered yet: return a text, B with a word or two changed."
        if not isinstance(new, str):
            return f"return a text, not {type(new).__name__}."
        before, now = score([b, new])
        words = changed_words(b, new)
        verdict = _verdict(before, now, words)
        good += verdict == "turned"
        rows.append(f"{verdict:14} {words} changed, {before:+5.1f} to {now:+5.1f}: {new}")
    lines = [
        f"turned {good} of {len(texts)}, each by at most {_MOST} words",
        f"{_TARGET} reached" if good >= _TARGET else f"{_TARGET} aren't reached yet",
    ]
    return "\n".join([*lines, *rows])


def changed_words(old: str, new: str) -> int:
    """Count the words that are put in, taken out or replaced; neither capitals nor stops count.

    Examples
    --------
    >>> changed_words("Tom found the key.", "Now Tom finds the key!")
    2
    """
    before, after = (
        [w for w in (word.strip(".,;:!?\"'").lower() for word in t.split()) if w] for t in (old, new)
    )
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for step, i1, i2, j1, j2 in steps if step != "equal")


def _verdict(before: float, now: float, words: int) -> str:
    if before <= 0:
        return "a no before"
    if now > 0:
        return "still a yes"
    return "turned" if words <= _MOST else "too many words"
