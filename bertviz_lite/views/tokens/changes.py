"""What normalisation changes in a text: which characters, into what, and why."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bertviz_lite.basics.text import readable
from bertviz_lite.data.wordpiece import is_chinese

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Change", "changes_of", "visible"]


@dataclass(frozen=True)
class Change:
    """A character that normalisation does not leave as it is."""

    segment: int
    at: int
    character: str
    becomes: str

    @property
    def name(self) -> str:
        """Its name in Unicode."""
        return unicodedata.name(self.character, "without a name")

    @property
    def code(self) -> str:
        """Its code point: U+00EB."""
        return f"U+{ord(self.character):04X}"

    @property
    def why(self) -> str:
        """What normalisation did to it, in words."""
        return explain(self.character, self.becomes)

    @property
    def result(self) -> str:
        """What it becomes, such that it can be seen."""
        return "".join(map(visible, self.becomes)) or "nothing"


def explain(character: str, becomes: str) -> str:
    """Say in words what normalisation did to a character."""
    if not becomes:
        mark = unicodedata.category(character) == "Mn"
        return "an accent or another mark: dropped" if mark else "invisible or not a character: dropped"
    if becomes == " ":
        return "white space: a plain space"
    if is_chinese(character):
        return "Chinese: spaces on both sides"
    steps = []
    apart = unicodedata.normalize("NFD", character)
    if len(apart) > 1 and becomes != character.lower():
        marks = any(unicodedata.category(letter) == "Mn" for letter in apart)
        steps.append("taken apart, mark dropped" if marks else "taken apart")
    if character != character.lower() and becomes == becomes.lower():
        steps.append("made small" if steps else "capital: made small")
    return ", ".join(steps) or "written in another way"


def visible(character: str) -> str:
    """Return a character such that it can be seen: a combining mark on a dotted circle, a space as ␣."""
    kind = unicodedata.category(character)
    if kind == "Cf":
        return "(invisible)"
    return "\u25cc" + character if kind.startswith("M") else readable(character).replace(" ", "␣")


def changes_of(text: str, segment: int, normalise: Callable[[str], str]) -> Iterator[Change]:
    """Yield every character of a text that normalisation does not leave as it is."""
    for at, character in enumerate(text):
        becomes = normalise(character)
        if becomes != character:
            yield Change(segment, at, character, becomes)
