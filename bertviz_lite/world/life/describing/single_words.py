"""Single words of a pattern: written out, with an apostrophe, compared; and commas that are too many."""

from __future__ import annotations

from itertools import pairwise

from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import PERSON
from bertviz_lite.world.grammar.tokens import Token, literal
from bertviz_lite.world.grammar.words import MODALS, can_be, comparison

NUMBERS = words(
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
)
_PAIRS = entries(
    """tall short, old young, strong weak, fast slow, big small, heavy light, long short, good bad, happy sad,
    clean dirty, cheap dear, warm cold, full empty, wide narrow, loud quiet, new old, hot cold, dry wet,
    easy hard,
    kind unkind, large small, rich poor, early late"""
)
_OPPOSITES: dict[str, str] = {}
for _one, _, _other in (pair.partition(" ") for pair in _PAIRS):
    _OPPOSITES.setdefault(_one, _other)
    _OPPOSITES.setdefault(_other, _one)
_SHORT_FORMS = {"'m": "be", "'re": "be", "'s": "be", "'ve": "have", "'ll": "will", "'d": "would"}


def written_out(text: str, before: list[Token]) -> Token:
    """Return a word that is written out; ``light_VERB`` says which part of speech it is."""
    word, _, pos = text.partition("_")
    if pos:
        return literal(word, pos)
    previous = before[-1] if before else None
    wanted: tuple[str, ...] = ("ADP", "CCONJ", "ADJ", "ADV", "NOUN", "VERB")
    if previous is None or previous.pos in ("PUNCT", "SCONJ", "CCONJ"):
        wanted = ("PRON", "SCONJ", "DET", "AUX", "ADV", "VERB")
        if word.lower() in ("yes", "no"):
            wanted = ("INTJ",)
    elif previous.lemma in MODALS or previous.lemma in ("to", "n't", "do"):
        wanted = ("VERB", "AUX")
        if previous.lemma == "to" and (word == "be" or can_be(word, "VERB")):
            previous.pos = "PART"
        elif previous.lemma == "to":
            wanted = ("DET", "NOUN")
    elif previous.pos in ("DET", "ADJ", "NUM"):
        wanted = ("NOUN", "ADJ", "ADP")
    elif previous.pos in ("NOUN", "PROPN", "PRON"):
        wanted = ("ADP", "CCONJ", "ADV", "VERB", "AUX")
    try:
        token = literal(word, *wanted)
        if token.lemma == "be":
            token.pos = "AUX"
        return token
    except ValueError:
        if not word[0].isupper():
            raise
        return Token(word, word, "PROPN", "singular", name="person" if word in PERSON else "place")


def with_apostrophe(text: str, before: list[Token]) -> list[Token]:
    """Return *didn't*, *I'm*, *let's*, *Anna's*, *boys'*."""
    if text.endswith("n't"):
        base = {"won't": "will", "can't": "can"}.get(text, text.removesuffix("n't"))
        token = literal(base, "AUX")
        token.text = text
        return [token]
    word, _, end = text.partition("'")
    first, end = written_out(word, before), "'" + end
    if first.pos in ("NOUN", "PROPN"):
        return [first, Token(end, "'s", "PART", glued=True)]
    if word.lower() == "let":
        first.pos, first.lemma, first.form = "VERB", "let", "base"
        return [first, Token(end, "us", "PRON", "plural", glued=True)]
    form = {"'m": "base", "'re": "base", "'ve": "base", "'s": "s"}.get(end)
    return [first, Token(end, _SHORT_FORMS[end], "AUX", form, glued=True, subject=first if form else None)]


def compared(adjective: str, way: str) -> list[Token]:
    """Return *taller*, *tallest*, *more careful*; with ``anti`` of the adjective that means the contrary."""
    if way.startswith("anti"):
        adjective, way = _OPPOSITES[adjective], way.removeprefix("anti")
    if not way:
        return [literal(adjective, "ADJ")]
    forms = comparison(adjective)
    if forms is not None:
        return [literal(forms[0 if way == "er" else 1], "ADJ")]
    return [literal("more" if way == "er" else "most", "ADV"), literal(adjective, "ADJ")]


def tidied(tokens: list[Token]) -> list[Token]:
    """Take out a comma before another mark."""
    kept: list[Token] = []
    for token in tokens:
        if token.text in (",", ".", "?", "!") and kept and kept[-1].text == ",":
            kept.pop()
        kept.append(token)
    return kept


def names_twice(tokens: list[Token]) -> bool:
    """Say whether a sentence names two things by the same noun, *the box is in the box*."""
    if any(one.text == two.text and one.pos == "VERB" for one, two in pairwise(tokens)):
        return True
    chains: dict[str, set[int | None]] = {}
    for token in tokens:
        if token.pos == "NOUN":
            chains.setdefault(token.text.lower(), set()).add(token.entity)
    return any(len(found) > 1 for found in chains.values())
