"""The words that the fill-in view follows, and how many lead: traits that check what is given."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import traitlets as t

from bertviz_lite.basics.text import clip
from bertviz_lite.views.base.asking import check_text
from bertviz_lite.views.base.errors import ViewError

if TYPE_CHECKING:
    from bertviz_lite.views.engine.interface import Engine

__all__ = ["Count", "Followed"]

_MOST_WORDS, _MOST_FOLLOWED = 20, 6


class Count(t.TraitType[Any, Any]):
    """A trait for how many words are shown."""

    default_value = 8

    def validate(self, obj: object, value: object) -> int:  # noqa: ARG002
        """Return `value` as an int, or raise :class:`ViewError` in one line."""
        wrong = ViewError(f"{self.name}={value!r}: a whole number from 1 to {_MOST_WORDS} is needed.")
        try:
            count = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            raise wrong from None
        if isinstance(value, bool) or not 1 <= count <= _MOST_WORDS:
            raise wrong
        return count


class Followed(t.TraitType[Any, Any]):
    """A trait for some words of one token each, as the vocabulary writes them; its view has an `engine`."""

    default_value = ()

    def validate(self, obj: Any, value: object) -> tuple[str, ...]:  # noqa: ANN401
        """Return the words as tokens of the vocabulary, or raise :class:`ViewError` in one line."""
        words = (value,) if isinstance(value, str) else value
        if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
            raise ViewError(f"{self.name}={value!r}: a list of words is needed, such as ['key'].")
        tokens = tuple(dict.fromkeys(_token(obj.engine, word) for word in words))
        if len(tokens) > _MOST_FOLLOWED:
            raise ViewError(f"{self.name}: {len(tokens)} words, at most {_MOST_FOLLOWED} are followed.")
        return tokens


def _token(engine: Engine, word: str) -> str:
    """Return the one token of the vocabulary that is `word`, or raise :class:`ViewError` in one line."""
    if engine.id_of(word) is not None:
        return word
    if word.strip():
        check_text("follow", word)
    tokens = engine.tokenize(word[:100])
    name = clip(word.strip(), 30)
    if not tokens:
        raise ViewError("follow: type a word.")
    if engine.facts.unknown_token in tokens:
        raise ViewError(f"follow: “{name}” cannot be spelled with this vocabulary.")
    if len(tokens) > 1:
        cut = clip(" + ".join(tokens), 60)
        raise ViewError(
            f"follow: “{name}” is {len(tokens)} tokens ({cut}), and a [MASK] holds one: take one of them."
        )
    return tokens[0]
