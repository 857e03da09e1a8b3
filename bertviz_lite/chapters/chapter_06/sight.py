"""What the lab's model names with a token in sight and with it hidden; and a draw to begin with."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bertviz_lite.views import MaskingLab

__all__ = ["Asked", "ask", "became", "draw_with_each_colour", "named", "table"]

_COLOURED = ("mask", "random", "keep")


class Asked(NamedTuple):
    """A token of the lab, and the model's best guess with it in sight and with it hidden."""

    token: str
    in_sight: tuple[str, float]
    """The guess and its probability."""
    hidden: tuple[str, float]
    """The same where [MASK] stands."""


def draw_with_each_colour(lab: MaskingLab) -> int:
    """Return the first draw in which one token is hidden, one is replaced, and one is chosen and stays."""
    return next(seed for seed in count() if all(lab.outcomes(seed).count(kind) == 1 for kind in _COLOURED))


def became(lab: MaskingLab, draw: int) -> dict[str, str]:
    """Say what became of the chosen tokens of such a draw: `{"mask": "water → [MASK]", ...}`."""
    read = lab.engine.names(lab.masked(draw)[0][0].tolist())
    parts = zip(lab.outcomes(draw), lab.tokens, read, strict=True)
    return {kind: f"{token} → {after}" for kind, token, after in parts if kind in _COLOURED}


def ask(lab: MaskingLab) -> list[Asked]:
    """Ask the model for each token but the special ones, first in sight and then hidden."""
    places = [place for place, kind in enumerate(lab.outcomes()) if kind != "special"]
    guesses = {place: lab.guesses(place) for place in places}
    return [
        Asked(lab.tokens[place], said["before"].top[0], said["after"].top[0])
        for place, said in guesses.items()
    ]


def table(asked: Sequence[Asked], tokens: Sequence[str]) -> str:
    """Write a line for each of some tokens; where one is there twice, for the first."""
    lines = [f"{'token':12}{'in sight':18}hidden"]
    for token in tokens:
        one = next(each for each in asked if each.token == token)
        guesses = "    ".join(f"{guess:8} {p:5.0%}" for guess, p in one[1:])
        lines.append(f"{token:12}{guesses}")
    return "\n".join(lines)


def named(asked: Sequence[Asked]) -> str:
    """Count the tokens that are named, in sight and hidden."""
    said = {"in sight": [one.in_sight for one in asked], "hidden": [one.hidden for one in asked]}
    lines = []
    for name, guesses in said.items():
        right = sum(guess == one.token for one, (guess, _) in zip(asked, guesses, strict=True))
        lines.append(f"{name + ':':10} {right} of {len(asked)} tokens named")
    return "\n".join(lines)
