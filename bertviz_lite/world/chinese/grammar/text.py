"""Words, sentences and stories in Chinese: what the teller hands out, with the truth marked on every word.

Chinese writes no spaces, so where a word ends is a mark, too. A pronoun that is left out has no word; it is
marked beside the words, in ``Sentence.dropped``.

Left out: how a story comes about (``life``) and how it is worded (``grammar``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Word:
    """One word or punctuation mark, with its gold marks.

    Attributes
    ----------
    text
        The characters, as they stand in the story.
    pos
        NOUN, PROPN, PRON, VERB, AUX, ADJ, ADV, NUM, CLF (classifiers and measures), ADP (把, 被, 在, 给 …),
        LOC (里, 上, 旁边 …), TIME, DET, CCONJ, SCONJ, PART (了, 着, 过, 的, 得, 地, 吗 …), INTJ or PUNCT.
    start, end
        Its characters in ``str(story)``.
    sentence, index
        The sentence's position in the story, and the word's in its sentence, both from 0.
    entity
        Number of whom or what it speaks of, a key of ``Story.beings``, or None.
    sense
        For a word with two senses, which one: ``"花.flower"``, ``"花.spend"``; else None.
    reading
        For characters that are read in two ways, how they are read here: ``(("行", "háng"),)`` in 银行.
    aspect
        On 了, 着, 过: ``"perfective"``, ``"change"``, ``"durative"``, ``"experiential"``; else None.
    noun
        On a classifier: the noun that it counts, also where the noun is left out; else None.
    head
        On a classifier: index of that noun in its sentence, None where it is left out.
    number
        On a number: its value; else None.
    determined
        Why only this word fits here, given the rest of the text: ``"count"`` on a number that follows from
        others, ``"mention"`` on what was named before, ``"consequence"`` on what follows from what is told;
        else None.
    name
        ``"person"``, ``"pet"`` or None.
    """

    text: str
    pos: str
    start: int
    end: int
    sentence: int
    index: int
    entity: int | None = None
    sense: str | None = None
    reading: tuple[tuple[str, str], ...] = ()
    aspect: str | None = None
    noun: str | None = None
    head: int | None = None
    number: int | None = None
    determined: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Being:
    """Somebody or something that a story speaks of.

    ``kind`` is ``"person"``, ``"animal"``, ``"thing"`` or ``"group"``; ``gender`` is ``"m"``, ``"f"`` or
    ``"n"``; ``members`` are the numbers of those who make up a group.
    """

    number: int
    kind: str
    gender: str
    called: str
    members: tuple[int, ...] = ()

    @property
    def pronoun(self) -> str:
        """The pronoun that is written for it: 他, 她, 它, 他们, 她们 or 它们."""
        return {"m": "他", "f": "她", "n": "它"}[self.gender] + ("们" if self.kind == "group" else "")


@dataclass(frozen=True, slots=True)
class Dropped:
    """A subject that is left out: before which word of its sentence it would stand, and who it is."""

    before: int
    entity: int


@dataclass(frozen=True)
class Sentence:
    """A sentence: ``str(sentence)`` is its text; ``words`` carry marks, ``dropped`` is left out."""

    words: tuple[Word, ...]
    dropped: tuple[Dropped, ...] = ()

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Start and end character of each word in ``str(sentence)``."""
        begin = self.words[0].start
        return tuple((word.start - begin, word.end - begin) for word in self.words)

    def __str__(self) -> str:
        return "".join(word.text for word in self.words)


@dataclass(frozen=True)
class Story:
    """A story: sentences, and who and what is in it; ``kind`` and ``title`` say from what it was made."""

    seed: int
    index: int
    sentences: tuple[Sentence, ...]
    beings: tuple[Being, ...] = field(default=(), repr=False)
    kind: str = "script"
    title: str = ""
    events: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        """The whole text, without spaces."""
        return "".join(map(str, self.sentences))

    def __str__(self) -> str:
        return self.text

    @property
    def words(self) -> list[Word]:
        """All words of all sentences, in reading order."""
        return [word for sentence in self.sentences for word in sentence.words]
