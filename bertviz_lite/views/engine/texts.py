"""Whether an engine can read a text as it is written: room for its tokens, no word that it cannot spell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.basics.text import clip, readable
from bertviz_lite.views.base.errors import ViewError

if TYPE_CHECKING:
    from bertviz_lite.views.engine.interface import Encoded, Engine

__all__ = ["check_no_unknown", "check_room", "words_in_pieces"]


def check_room(engine: Engine, encoded: Encoded, name: str) -> None:
    """Raise :class:`ViewError` where the model has fewer positions than a text has tokens."""
    count, most = len(encoded.tokens), engine.facts.positions
    if most is not None and count > most:
        raise ViewError(
            f"{name} of {count} tokens, [CLS] and [SEP] included: this model has {most} positions, "
            f"so shorten by {count - most}."
        )


def check_no_unknown(engine: Engine, text: str) -> None:
    """Raise :class:`ViewError` where the vocabulary cannot spell a word, which would be read as [UNK]."""
    unknown = engine.facts.unknown_token
    if unknown is None or engine.tokenize(text).count(unknown) <= text.count(unknown):
        return
    words = (word for word in text.split() if unknown in engine.tokenize(word) and unknown not in word)
    raise ViewError(
        f"“{clip(next(words, text), 30)}” cannot be spelled with this vocabulary, so the model "
        f"reads {unknown}: use another word."
    )


def words_in_pieces(encoded: Encoded) -> list[str]:
    """Return the words that the model reads as several word pieces, each once."""
    return list(dict.fromkeys(readable(word.text) for word in encoded.words if word.stop - word.start > 1))
