"""The towns by name: which module writes the texts of each.

The course has one town, ``TOWN``. An earlier one, ``FIRST``, tells stories from events: the labelled sets are
made of them. ``CHINESE`` writes in Chinese: each of its texts is a ``Story`` of ``world.chinese``. A recipe
of pre-training names its town; processes that write texts get the name, not the function.

>>> str(stories_of("second", seed=1, n=2)[1]) == str(story_of("second")(1, 1))
True
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.basics.garbage import without_looking_for_garbage
from bertviz_lite.world.events.text import Story

__all__ = ["CHINESE", "FIRST", "TOWN", "TOWNS", "check_town", "stories_of", "story_of", "words_of"]

FIRST, TOWN, CHINESE = "first", "second", "chinese"
TOWNS = {
    FIRST: "bertviz_lite.world.english.stories:story",
    TOWN: "bertviz_lite.world.life:text",
    CHINESE: "bertviz_lite.world.chinese.texts:text",
}
"""The module of each town, and in it the function that returns a story for ``(seed, index)``. Where the
module has ``words()``, that returns the list of all words that the stories use."""


def check_town(town: str) -> str:
    """Return the name of a town, or refuse it.

    Raises
    ------
    ArgumentError
        Where no town has this name, or nobody has written it yet.
    """
    written = [name for name in TOWNS if _is_written(name)]
    if town not in written:
        raise ArgumentError(f"town={town!r}: {' or '.join(map(repr, written))} is needed.")
    return town


def story_of(town: str) -> Callable[[int, int], Story]:
    """Return the function that writes a story of a town from a seed and an index."""
    story: Callable[[int, int], Story] = getattr(_module(town), TOWNS[town].partition(":")[2])
    return story


def stories_of(town: str, seed: int, n: int) -> list[Story]:
    """Return the first ``n`` texts of a seed, as a town writes them."""
    story = story_of(town)
    with without_looking_for_garbage():
        return [story(seed, index) for index in range(n)]


def words_of(town: str) -> list[str]:
    """Return the words that a town lists; none where it keeps no list."""
    listed: Callable[[], list[str]] | None = getattr(_module(town), "words", None)
    return [] if listed is None else list(listed())


def _module(town: str) -> Any:  # noqa: ANN401 - a module
    return import_module(TOWNS[check_town(town)].partition(":")[0])


def _is_written(town: str) -> bool:
    try:
        return find_spec(TOWNS[town].partition(":")[0]) is not None
    except ModuleNotFoundError:  # of the folder that the module would lie in
        return False
