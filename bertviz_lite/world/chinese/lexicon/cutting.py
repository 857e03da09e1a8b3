"""Other ways of cutting a text into words: spellings that only the sentence settles.

门把手 is 门 and 把手, 把手洗干净 is 把 and 手. Two kinds are found: words whose characters together are
another word (把|手 and 把手), and words that another word of the lexicon would overlap (白|天鹅 and 白天|鹅).

>>> other_cuts(["把", "手", "洗", "干净"])
[(0, 2, ('把手',))]
>>> other_cuts(["一", "只", "白", "天鹅"])
[(2, 4, ('白天', '鹅'))]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from bertviz_lite.world.chinese.lexicon.words import spellings

_LONGEST = 4


def other_cuts(words: Sequence[str]) -> list[tuple[int, int, tuple[str, ...]]]:
    """Return each run of two or three words that the lexicon could cut otherwise.

    Returns
    -------
    list of tuple
        Index of the first word, index behind the last one, and the other words.
    """
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for start in range(len(words)):
        for end in range(start + 2, min(start + 3, len(words)) + 1):
            run = tuple(words[start:end])
            cuts = [cut for cut in _cuts("".join(run)) if len(cut) <= len(run)]
            found.extend((start, end, cut) for cut in cuts if not _shares_an_edge(run, cut))
    return found


@cache
def _cuts(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(_each_cut(text))


def _each_cut(text: str) -> Iterator[tuple[str, ...]]:
    if not text:
        yield ()
    for length in range(1, min(_LONGEST, len(text)) + 1):
        if text[:length] in spellings():
            yield from ((text[:length], *rest) for rest in _cuts(text[length:]))


def _shares_an_edge(run: tuple[str, ...], cut: tuple[str, ...]) -> bool:
    """Return whether a word begins or ends at the same place within both: then a shorter run says it."""
    return bool(set(_edges(run)) & set(_edges(cut)))


def _edges(words: tuple[str, ...]) -> Iterator[int]:
    at = 0
    for word in words[:-1]:
        at += len(word)
        yield at
