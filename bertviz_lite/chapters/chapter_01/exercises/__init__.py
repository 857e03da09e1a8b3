"""Exercises of chapter 01, tokens: from two questions to the search for the fewest word pieces.

In the order of the chapter: `on_paper`, `which_is_unknown`, `segments`, `plain_words`, `from_the_end`,
`pad`, `truncate_pair`, `fewest`.
"""

from bertviz_lite.chapters.chapter_01.exercises.padding import pad
from bertviz_lite.chapters.chapter_01.exercises.pair_inputs import segments, truncate_pair
from bertviz_lite.chapters.chapter_01.exercises.plain_text import plain_words
from bertviz_lite.chapters.chapter_01.exercises.unknown_words import on_paper, which_is_unknown
from bertviz_lite.chapters.chapter_01.exercises.wordpiece_search import fewest, from_the_end

__all__ = [
    "fewest",
    "from_the_end",
    "on_paper",
    "pad",
    "plain_words",
    "segments",
    "truncate_pair",
    "which_is_unknown",
]
