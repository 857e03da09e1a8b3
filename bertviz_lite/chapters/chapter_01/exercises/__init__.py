"""Exercises of chapter 01, tokens: from three questions to the search for the fewest word pieces.

In the order of the chapter: `on_paper`, `which_is_unknown`, `segments`, `from_the_end`, `pad`; below, for
those who stay, `fewest_first`, `plain_words`, `fewest`.
"""

from bertviz_lite.chapters.chapter_01.exercises.padding import pad
from bertviz_lite.chapters.chapter_01.exercises.pair_inputs import segments
from bertviz_lite.chapters.chapter_01.exercises.plain_text import plain_words
from bertviz_lite.chapters.chapter_01.exercises.unknown_words import fewest_first, on_paper, which_is_unknown
from bertviz_lite.chapters.chapter_01.exercises.wordpiece_search import fewest, from_the_end

__all__ = [
    "fewest",
    "fewest_first",
    "from_the_end",
    "on_paper",
    "pad",
    "plain_words",
    "segments",
    "which_is_unknown",
]
