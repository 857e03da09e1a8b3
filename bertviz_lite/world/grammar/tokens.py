"""A word in the making, and how words become a finished sentence with its marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bertviz_lite.world.english.grammar import article
from bertviz_lite.world.events.text import Sentence, Word
from bertviz_lite.world.grammar.lexicon.words import Reading, read_word, split_sense

_ENDS = (".", "!", "?")
_GLUED = {",", ".", "!", "?", ":", "'s", "'", "'m", "'re", "'ve", "'ll", "'d"}


@dataclass(eq=False, slots=True)
class Token:
    """A word in the making; ``subject`` is the token with which a verb agrees, the rest as in ``Word``."""

    text: str
    lemma: str
    pos: str
    form: str | None = None
    sense: str | None = None
    entity: int | None = None
    name: str | None = None
    determined: str | None = None
    glued: bool = False
    subject: Token | None = None


def mark(text: str) -> Token:
    """Return a punctuation mark."""
    return Token(text, text, "PUNCT", glued=text in _GLUED)


def literal(text: str, *wanted: str, determined: str | None = None) -> Token:
    """Return a word that is written out, read as one of the wanted parts of speech where it can be.

    Examples
    --------
    >>> literal("mice").lemma, literal("light", "VERB").pos, literal("bank.river").sense
    ('mouse', 'VERB', 'bank.river')
    """
    if text.endswith("n't"):
        plain = {"can't": "can", "won't": "will"}.get(text, text[:-3])
        return Token(text, read_word(plain, "AUX").lemma, "AUX")
    word, sense = split_sense(text)
    if not word[0].isalpha():
        return mark(word)
    reading: Reading = read_word(word, *wanted)
    form = reading.form
    return Token(word, reading.lemma, reading.pos, form, sense, determined=determined)


def written(text: str, *wanted: str) -> list[Token]:
    """Return the words of a text."""
    return [literal(word, *wanted) for word in text.split()]


def finish(tokens: Sequence[Token], number: int, construction: str) -> Sentence:
    """Put in full stop, capitals, *an* and spaces at quotation marks; return the finished sentence."""
    tokens = list(tokens)
    last = tokens[-1].text
    if last not in _ENDS and not (last == '"' and tokens[-2].text in _ENDS):
        tokens.append(mark("."))
    _tidy(tokens)
    places = {id(token): index for index, token in enumerate(tokens)}
    words = tuple(
        Word(
            token.text,
            token.lemma,
            token.pos,
            index,
            number,
            token.entity,
            token.sense,
            _subject_of(token, index, tokens, places),
            token.name,
            token.form,
            token.determined,
            token.glued,
        )
        for index, token in enumerate(tokens)
    )
    return Sentence(words, construction)


_NOUNS = ("NOUN", "PROPN", "PRON")
_POSSESSIVE = ("my", "your", "his", "her", "its", "our", "their")


def _subject_of(verb: Token, index: int, tokens: Sequence[Token], places: dict[int, int]) -> int | None:
    """Return the place of the word that a verb agrees with, or of the last word for it that is told."""
    subject = verb.subject
    if subject is None:
        return None
    if id(subject) in places or subject.entity is None:
        return places.get(id(subject))
    for place in range(index - 1, -1, -1):
        token = tokens[place]
        owns = token.text.lower() in _POSSESSIVE or tokens[place + 1].lemma == "'s"
        relative = token.lemma in ("who", "whom", "that", "which")
        if token.entity == subject.entity and token.pos in _NOUNS and not (owns or relative):
            return place
    return None


def _tidy(tokens: list[Token]) -> None:
    _capitalise(tokens[1] if tokens[0].text == '"' else tokens[0])
    quoting = False
    for before, after in pairwise(tokens):
        if before.text == '"':
            quoting = not quoting
            after.glued = after.glued or quoting
            if quoting:
                _capitalise(after)
        elif before.text in _ENDS and after.text != '"' and quoting:
            _capitalise(after)
        elif before.pos == "DET" and before.lemma == "a":
            before.text = before.text[0] + article(after.text)[1:]
        if after.text == '"':
            after.glued = quoting


def _capitalise(token: Token) -> None:
    token.text = token.text[0].upper() + token.text[1:]


def genitive_of(token: Token) -> list[Token]:
    """Return a noun with *'s* after it."""
    text = "'" if token.form == "plural" and token.text.endswith("s") else "'s"
    return [token, Token(text, "'s", "PART", glued=True)]


def genitive(tokens: list[Token]) -> list[Token]:
    """Add *'s*, or the apostrophe alone after a plural in s."""
    return [*tokens[:-1], *genitive_of(tokens[-1])]


def modifier(word: str) -> list[Token]:
    """Return a word before a noun: *red*, *kitchen*, *mother's*."""
    return genitive_of(literal(word[:-2], "NOUN")) if word.endswith("'s") else [literal(word, "ADJ", "NUM")]
