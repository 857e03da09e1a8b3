"""Show a story of the town with its gold marks: who is who, and which sense is meant.

Left out: the marks that need more room than a line of text (part of speech, subject); read them from the
words.
"""

from __future__ import annotations

import html
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, shown
from bertviz_lite.world.events.text import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bertviz_lite.world.events.text import Word

__all__ = ["MarkedStory", "marked"]

# Pale grounds for dark ink, far apart for the colour-blind too; the number says the same without colour.
_GROUNDS = ("#cfe3f5", "#fbdcc4", "#cdeadd", "#f0d6e6", "#f7ecb8", "#dcdcdc")
_INK = "#1a1a1a"
_MARK = 'style="background-color: {ground}; color: {ink}; padding: 0 3px; border-radius: 3px"'


class MarkedStory:
    """A story in which all words for the same person or thing have the same number.

    The number is the words' ``entity``; what is mentioned only once has none. It is HTML without scripts in a
    notebook, coloured; elsewhere plain text, ``Ada(0) lost her(0) key.``

    Parameters
    ----------
    story
        A story of the town.
    """

    def __init__(self, story: Story) -> None:
        self.story = story
        # "Hill Street" is one mention, not two.
        runs = groupby(word.entity for word in story.words)
        mentions = Counter(chain for chain, _ in runs if chain is not None)
        self._often = {chain for chain, count in mentions.items() if count > 1}

    def __repr__(self) -> str:
        return "".join(before + self._plain(word) for before, word in self._words())

    def _repr_html_(self) -> str:
        text = "".join(before + self._html(word) for before, word in self._words())
        return (
            f'<figure><p style="line-height: 2">{text}</p>'
            "<figcaption>Words with the same number refer to the same person or thing. "
            "In brackets: the sense of a word that has two.</figcaption></figure>"
        )

    def _words(self) -> Iterator[tuple[str, Word]]:
        """Yield every word after the space, if any, that stands before it."""
        first = True
        for word in self.story.words:
            yield "" if first or word.glued else " ", word
            first = False

    def _plain(self, word: Word) -> str:
        number = f"({word.entity})" if word.entity in self._often else ""
        return word.text + number + _sense(word)

    def _html(self, word: Word) -> str:
        text, sense = html.escape(word.text), html.escape(_sense(word))
        if word.entity is None or word.entity not in self._often:
            return f"<b>{text}</b>{sense}" if sense else text
        style = _MARK.format(ground=_GROUNDS[word.entity % len(_GROUNDS)], ink=_INK)
        return f"<span {style}>{text}<sub>{word.entity}</sub></span>{sense}"


def _sense(word: Word) -> str:
    return f" [{word.sense.partition('.')[2]}]" if word.sense else ""


def marked(story: Story) -> MarkedStory:
    """Show who is who in a story, and which sense its two-sense words have.

    Raises
    ------
    ArgumentError
        Where it is no story.

    Examples
    --------
    >>> from bertviz_lite.world import stories
    >>> marked(stories(seed=1, n=1)[0])  # doctest: +SKIP
    Jack(0) spent the whole evening on the island. He(0) came from Hill Street. ...
    """
    if not isinstance(story, Story):
        raise ArgumentError(
            f"marked({shown(story)}): a story of the town is needed, as stories(seed=1, n=1)[0], "
            f"not {a_or_an(story)}."
        )
    return MarkedStory(story)
