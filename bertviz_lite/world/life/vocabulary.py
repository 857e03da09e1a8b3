"""All words that the town's texts may use, in the form in which BERT's tokenizer sees them."""

from __future__ import annotations

from bertviz_lite.world.events.tables import words as split
from bertviz_lite.world.events.town import PEOPLE, PETS
from bertviz_lite.world.grammar.lexicon.words import readings

# What an apostrophe cuts off: "didn" and "t", "she" and "ll".
_PARTS_OF_CONTRACTIONS = split(
    """didn doesn don isn aren wasn weren haven hasn hadn won wouldn couldn can shouldn mustn mightn t s m re
    ve ll d o"""
)


def words() -> list[str]:
    """Return every word, lower-cased, in alphabetical order.

    Examples
    --------
    >>> {"kite", "kites", "anna", "tallest", "didn"} <= set(words())
    True
    """
    names = [part for person in PEOPLE for part in (person.name, *person.home.split(), person.family)]
    names += [pet.name for pet in PETS]
    listed = {word.lower() for word in (*readings(), *names, *_PARTS_OF_CONTRACTIONS)}
    return sorted({part for word in listed for part in word.replace("'", " ").replace("-", " ").split()})
