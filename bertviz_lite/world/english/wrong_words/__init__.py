"""For a word of a sentence a wrong one, by kind of mistake."""

from bertviz_lite.world.english.wrong_words.any_form import TALKING_KINDS
from bertviz_lite.world.english.wrong_words.marked import KINDS, Foil

__all__ = ["KINDS", "TALKING_KINDS", "Foil"]
