"""Pairs to choose from: those that are given, checked, and those that are made of stories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.basics.text import clip
from bertviz_lite.views.base.asking import check_text
from bertviz_lite.views.base.errors import ViewError, ViewTypeError, as_view_error

if TYPE_CHECKING:
    from bertviz_lite.views.engine.interface import Engine
    from bertviz_lite.world import Story

__all__ = ["check_example", "check_examples", "check_stories", "examples_of", "sentences_of"]

_LETTERS_OF_NAME = 40


def check_examples(examples: object) -> list[list[str]]:
    """Return examples as a list of [name, first, second], or raise :class:`ViewError` in one line."""
    if not isinstance(examples, Iterable):
        raise ViewTypeError(f"examples is {clip(repr(examples), 60)}: give a list of (name, first, second).")
    return [check_example(example) for example in examples]


def check_example(example: object) -> list[str]:
    """Return an example as [name, first, second], or raise :class:`ViewError` in one line."""
    if not isinstance(example, Sequence) or isinstance(example, str) or len(example) != 3:
        raise ViewTypeError(f"examples: {clip(repr(example), 60)} is no (name, first, second).")
    names = ("an example’s name", "an example’s A", "an example’s B")
    return [check_text(name, text) for name, text in zip(names, example, strict=True)]


def check_stories(stories: object) -> list[Story]:
    """Return stories as a list, or raise :class:`ViewError` in one line."""
    if not isinstance(stories, Sequence) or isinstance(stories, str):
        raise ViewTypeError(f"stories is {clip(repr(stories), 60)}: give stories(seed=1, n=6).")
    if not stories:
        return []
    from bertviz_lite.world import Story

    for number, story in enumerate(stories):
        if not isinstance(story, Story):
            raise ViewTypeError(
                f"stories[{number}] is {clip(repr(story), 60)}, not a story: give stories(seed=1, n=6)."
            )
    return list(stories)


def examples_of(engine: Engine, stories: Sequence[Story]) -> list[tuple[str, str, str]]:
    """Make pairs of the first two stories that can be cut in two and fit into the model.

    They are the true next part, the other story's, the parts in wrong order, and other names.

    Raises
    ------
    ViewError
        If fewer than two stories can be cut and fit.
    """
    from bertviz_lite.data.story_pairs import StoryPair, other_people, swapped

    halves = []
    for number, story in enumerate(stories):
        cut = (len(story.sentences) + 1) // 2
        pair = StoryPair(story.sentences[:cut], story.sentences[cut:], number, number)
        if cut < len(story.sentences) and _fits(engine, pair.texts):
            halves.append(pair)
    if len(halves) < 2:
        raise ViewError(
            f"{len(halves)} of {len(stories)} stories can be cut in two and fit into the model: give two."
        )
    mine, other = halves[:2]
    made = {
        "the true next part": mine.texts,
        "another story’s": (mine.texts[0], other.texts[1]),
        "the parts in wrong order": swapped([mine])[0].texts,
    }
    for renamed in other_people([mine], np.random.default_rng(0)):
        made["the true next part, other names"] = renamed.texts
    return [(name, *texts) for name, texts in made.items() if _fits(engine, texts)]


def sentences_of(stories: Sequence[Story]) -> list[dict[str, Any]]:
    """Return what the page shows of each story that can be cut: a name with its number, its sentences."""
    shown = []
    for number, story in enumerate(stories, start=1):
        sentences = [str(sentence) for sentence in story.sentences]
        if len(sentences) > 1:
            name = f"{number}: {clip(sentences[0], _LETTERS_OF_NAME)}"
            shown.append({"name": name, "sentences": sentences})
    return shown


def _fits(engine: Engine, texts: tuple[str, str]) -> bool:
    with as_view_error():
        count = len(engine.encode(*texts).tokens)
    return engine.facts.positions is None or count <= engine.facts.positions
