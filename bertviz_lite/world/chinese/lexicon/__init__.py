"""The words: parts of speech, classifiers, senses, readings, and other ways of cutting a text into them.

Tables: ``nouns.txt``, ``verbs.txt``, ``other.txt``, ``names.txt``, ``everyday.txt`` (by subject rather than
by part of speech), ``groups.txt`` (words to draw from), ``readings.txt``.
"""

from bertviz_lite.world.chinese.lexicon.names import TITLES, kinship, names, surnames
from bertviz_lite.world.chinese.lexicon.words import Entry, entries, entry, of_class, readings_of, spellings

__all__ = [
    "TITLES",
    "Entry",
    "entries",
    "entry",
    "kinship",
    "names",
    "of_class",
    "readings_of",
    "spellings",
    "surnames",
]
