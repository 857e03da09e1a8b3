"""The town's texts by number: stories, descriptions, talk, causes with their effects; in English or Chinese.

Left out: how they are made (``life``, ``chinese``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from bertviz_lite.basics.arguments import ArgumentError, shown, whole_number
from bertviz_lite.world.events.text import Story
from bertviz_lite.world.towns import CHINESE, TOWN, stories_of, story_of

if TYPE_CHECKING:
    from bertviz_lite.world.chinese import Story as ChineseStory

__all__ = ["stories", "story"]

_TOWNS = {"en": TOWN, "zh": CHINESE}


def story(seed: int, index: int) -> Story:
    """Return text ``index`` of a seed: the same on every machine and supported Python.

    Of a hundred, 28 are whole stories; the others are a few sentences, or one.

    Raises
    ------
    ArgumentError
        Where a number is not whole, or ``index`` is negative.

    Examples
    --------
    >>> print(story(seed=1, index=9))
    Toby went to a cave. The cave was not far away.
    """
    return story_of(TOWN)(seed, index)


@overload
def stories(seed: int, n: int, *, language: Literal["en"] = "en") -> list[Story]: ...


@overload
def stories(seed: int, n: int, *, language: Literal["zh"]) -> list[ChineseStory]: ...


def stories(seed: int, n: int, *, language: object = "en") -> list[Any]:
    """Return the first ``n`` texts of a seed; text k does not depend on ``n``.

    Parameters
    ----------
    seed
        Which texts: any whole number.
    n
        How many, 0 or more; with 0 the list is empty.
    language
        ``"en"``, the texts that ``load()`` has read, or ``"zh"``, those in Chinese. There,
        where nothing in a text shows where a word ends, each ``Word`` of a text says where it begins.

    Raises
    ------
    ArgumentError
        Where a number is not whole, ``n`` is negative, or the town has no texts in this language.

    Examples
    --------
    >>> [len(story.sentences) for story in stories(seed=1, n=6)]
    [1, 1, 6, 2, 1, 7]
    >>> print(stories(seed=1, n=1, language="zh")[0])
    小刚的小猫一直围着他叫，原来它饿了。小刚拿来一块肉喂它，小猫很快就吃光了。
    """
    seed, n = whole_number("seed", seed), whole_number("n", n, least=0)
    if not isinstance(language, str) or language not in _TOWNS:
        raise ArgumentError(f"language={shown(language)}: {' or '.join(map(repr, _TOWNS))} is needed.")
    return stories_of(_TOWNS[language], seed, n)
