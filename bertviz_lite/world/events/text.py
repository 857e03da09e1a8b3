"""Words, sentences and stories: what the town hands out, with the truth marked on every word.

Left out: how a text comes about and how it is worded (``life``, ``english``).

>>> from bertviz_lite.world import story
>>> sentence = story(seed=1, index=37).sentences[0]
>>> print(sentence)
A boy called Toby lives on Orchard Farm.
>>> [(word.text, word.pos, word.name) for word in sentence.words][5:8]
[('on', 'ADP', None), ('Orchard', 'PROPN', 'place'), ('Farm', 'PROPN', 'place')]
>>> sentence.spans[6:8]
((27, 34), (35, 39))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bertviz_lite.world.events.scene import Event

DETERMINED = ("agreement", "pronoun", "mention", "consequence")


@dataclass(frozen=True, slots=True)
class Word:
    """One word or punctuation mark of a sentence, with its gold marks.

    Attributes
    ----------
    text
        The form as it stands in ``str(sentence)``; a sentence's first word is capitalised.
    lemma
        The dictionary form, lower-cased except for names.
    pos
        Universal part of speech: NOUN, PROPN, VERB, AUX, ADJ, ADV, PRON, DET, ADP, NUM, CCONJ, SCONJ,
        PART, PUNCT or INTJ.
    index, sentence
        Position in its sentence, and the sentence's position in the story, both from 0.
    entity
        Number of the co-reference chain within the story, or None.
    sense
        ``"bank.river"`` or ``"bank.money"`` for a word with two senses, else None.
    subject
        For a verb that agrees: index, in this sentence, of the head word of its subject, else None.
    name
        Kind of name: ``"person"``, ``"pet"`` or ``"place"``, else None.
    form
        ``"singular"`` or ``"plural"`` on nouns, names and pronouns; ``"base"``, ``"s"``, ``"past"``,
        ``"participle"`` or ``"ing"`` on verbs; else None.
    determined
        Which rule leaves only this word here, given the rest of the story: ``"agreement"``, ``"pronoun"``,
        ``"mention"``, ``"consequence"``; None where other words would do.
    glued
        True where no space stands before the word.
    """

    text: str
    lemma: str
    pos: str
    index: int
    sentence: int
    entity: int | None = None
    sense: str | None = None
    subject: int | None = None
    name: str | None = None
    form: str | None = None
    determined: str | None = None
    glued: bool = False


@dataclass(frozen=True)
class Sentence:
    """A sentence: ``str(sentence)`` is its plain text, ``words`` carry the gold marks.

    ``construction`` names the grammatical pattern, such as ``"passive"`` or ``"after_ing"``.
    """

    words: tuple[Word, ...]
    construction: str = "simple"

    @cached_property
    def _layout(self) -> tuple[str, tuple[tuple[int, int], ...]]:
        text, spans = "", []
        for word in self.words:
            if text and not word.glued:
                text += " "
            spans.append((len(text), len(text) + len(word.text)))
            text += word.text
        return text, tuple(spans)

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Start and end character of each word in ``str(sentence)``."""
        return self._layout[1]

    def __str__(self) -> str:
        return self._layout[0]


@dataclass(frozen=True)
class Story:
    """A text: its sentences in order and, where it is told from events, what happened."""

    seed: int
    index: int
    sentences: tuple[Sentence, ...]
    events: tuple[Event, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return " ".join(map(str, self.sentences))

    @property
    def words(self) -> list[Word]:
        """All words of all sentences, in reading order."""
        return [word for sentence in self.sentences for word in sentence.words]
