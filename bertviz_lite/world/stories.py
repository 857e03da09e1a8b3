"""The town's texts by number: stories, descriptions, talk, causes with their effects.

Left out: how they are made (``life``).
"""

from __future__ import annotations

from bertviz_lite.basics.arguments import whole_number
from bertviz_lite.world.events.text import Story
from bertviz_lite.world.towns import TOWN, stories_of, story_of

__all__ = ["stories", "story"]


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


def stories(seed: int, n: int) -> list[Story]:
    """Return the first ``n`` texts of a seed; text k does not depend on ``n``.

    Raises
    ------
    ArgumentError
        Where a number is not whole, or ``n`` is negative.

    Examples
    --------
    >>> [len(story.sentences) for story in stories(seed=1, n=6)]
    [1, 1, 6, 2, 1, 7]
    """
    return stories_of(TOWN, whole_number("seed", seed), whole_number("n", n, least=0))
