"""The masking lab in words: what became of each token, counts beside what is to be expected, guesses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from bertviz_lite.basics.text import isolated
from bertviz_lite.views.base.static import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bertviz_lite.views.masking.counts import Count
    from bertviz_lite.views.masking.guesses import Guess

__all__ = [
    "MOST",
    "NAMES",
    "ShownToken",
    "alt_text",
    "count_table",
    "guess_sentences",
    "score_sentence",
    "token_table",
]

MOST = 64
"""How many tokens are drawn, and listed in the table."""

NAMES = {"mask": "becomes [MASK]", "random": "a random token", "keep": "stays, and is scored"}


class ShownToken(NamedTuple):
    """A token of the text, what becomes of it, what the model reads there, and the label."""

    text: str
    outcome: str
    reads: str
    label: str
    guess: str = ""
    """What the model puts there, as the page writes it; of a token that is not chosen nothing."""
    is_right: bool = False


def alt_text(tokens: Sequence[ShownToken], seed: int, chosen: Count) -> str:
    """Say what became of the text in a draw."""
    changes = [change for token in tokens if (change := _change(token))]
    counted = f"{chosen.hits} of {chosen.tries} {chosen.of} chosen, {chosen.expected:.1f} expected"
    changed = f"{'; '.join(changes[:12])}{'; …' * (len(changes) > 12)}." if changes else "Nothing is hidden."
    return f"{len(tokens)} tokens, draw {seed}: {counted}. {changed}"


def _change(token: ShownToken) -> str:
    if token.outcome == "mask":
        return f"{_quoted(token.text)} becomes {token.reads}"
    if token.outcome == "random":
        return f"{_quoted(token.text)} becomes the random token {_quoted(token.reads)}"
    return f"{_quoted(token.text)} stays" if token.outcome == "keep" else ""


def guess_sentences(truth: str, guesses: Mapping[str, Guess]) -> list[str]:
    """Say what the model guesses first where `truth` is."""
    sentences = []
    for name, guess in guesses.items():
        (best, share), place = guess.top[0], "in its place" if name == "before" else "hidden"
        sentences.append(
            f"With {_quoted(truth)} {place} the model’s first guess there is {_quoted(best)} at {share:.3f}."
        )
    return sentences


def score_sentence(guesses: Sequence[Guess], is_right: Sequence[bool]) -> str:
    """Say how good the model's guesses at the chosen places are, in the page's words."""
    loss = -sum(math.log(max(guess.truth, 1e-300)) for guess in guesses) / len(guesses)
    places = "the chosen place" if len(guesses) == 1 else f"{len(guesses)} chosen places"
    return (
        f"The model reads this draw as it stands and is right at {sum(is_right)} of {places}; "
        f"the loss, the mean of −ln p of the true tokens, is {loss:.2f}."
    )


def token_table(tokens: Sequence[ShownToken]) -> Table:
    """Return what became of each token."""
    names = {"special": "never chosen", "left": "not chosen", **NAMES}
    rows = [
        [f"{index} {isolated(token.text)}", names[token.outcome], isolated(token.reads), token.label]
        for index, token in enumerate(tokens[:MOST])
    ]
    what = "Every token" if len(tokens) <= MOST else f"The first {MOST} of {len(tokens)} tokens"
    return Table(f"{what} in this draw", ("token", "what became of it", "the model reads", "label"), rows)


def count_table(now: Sequence[Count], every: Sequence[Count]) -> Table:
    """Return the counts of one draw and of all draws beside what is to be expected."""
    names = {"chosen": "chosen", **NAMES}
    rows = [
        [
            f"{names[count.what]} ({when})",
            f"{count.hits} of {count.tries} {count.of}",
            f"{count.expected:.1f}",
            f"{count.low} to {count.high}",
        ]
        for when, counts in (("this draw", now), ("all draws", every))
        for count in counts
    ]
    return Table("Counts against expectation", ("what", "counted", "expected", "95 % of draws"), rows)


def _quoted(token: str) -> str:
    return f"“{isolated(token)}”"
