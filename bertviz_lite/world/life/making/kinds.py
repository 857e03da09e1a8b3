"""Which nouns are of people and of animals, and of which sorts places are."""

from __future__ import annotations

from bertviz_lite.world.events.town import PLACES
from bertviz_lite.world.grammar.lexicon.words import words_of

WOMEN = words_of("NOUN", "person f")
MEN = words_of("NOUN", "person m")
PERSON_NOUNS = frozenset((*WOMEN, *MEN, *words_of("NOUN", "person n")))
ANIMAL_NOUNS = frozenset(words_of("NOUN", "animal"))
PLACE_SORTS = frozenset(place.sort for place in PLACES)
