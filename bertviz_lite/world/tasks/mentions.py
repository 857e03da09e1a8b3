"""Texts in which every description of a person has been introduced with a name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bertviz_lite.world.events.scene import Referent
    from bertviz_lite.world.events.text import Sentence


def is_clear(sentences: list[Sentence], people: Iterable[Referent]) -> bool:
    """Return whether "the man" and "the baker" are only people who were introduced so."""
    chains = {person.chain for person in people}
    known = set()
    for sentence in sentences:
        for word in sentence.words:
            if word.entity in chains and word.pos == "NOUN":
                beside = sentence.words[max(0, word.index - 2) : word.index + 3]
                if any(other.name and other.entity == word.entity for other in beside):
                    known.add((word.entity, word.text))
                elif (word.entity, word.text) not in known:
                    return False
    return True
