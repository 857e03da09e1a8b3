"""Single words of a pattern: written out, with an apostrophe, compared; and commas that are too many."""

from __future__ import annotations

from itertools import pairwise

from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import PERSON
from bertviz_lite.world.grammar.lexicon.words import MODALS, can_be, comparison
from bertviz_lite.world.grammar.tokens import Token, literal

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
_ASKING = frozenset(words("what who why how when where"))
_FORMS = {
    **dict.fromkeys(("is", "has", "does"), "s"),
    **dict.fromkeys(("am", "are", "have", "do"), "base"),
    **dict.fromkeys(("was", "were", "had", "did"), "past"),
    "been": "participle",
    "being": "ing",
    "be": "base",
}
_SHORT_FORMS = {"'m": "be", "'re": "be", "'s": "be", "'ve": "have", "'ll": "will", "'d": "would"}


def written_out(text: str, before: list[Token]) -> Token:
    """Return a word that is written out; ``light_VERB`` says which part of speech it is."""
    word, _, pos = text.partition("_")
    wanted = (pos,) if pos else _wanted(word, before[-1] if before else None)
    try:
        token = literal(word, *wanted)
    except ValueError:
        if not word[0].isupper():
            raise
        return Token(word, word, "PROPN", "singular", name="person" if word in PERSON else "place")
    if token.lemma == "be":
        token.pos = "AUX"
    return with_form(token)


def _wanted(word: str, previous: Token | None) -> tuple[str, ...]:
    """Return the parts of speech that a word may be after another, likeliest first."""
    if previous is None or previous.pos in ("PUNCT", "SCONJ", "CCONJ"):
        begins = ("PRON", "SCONJ", "DET", "AUX", "ADV", "VERB")
        return ("INTJ",) if word.lower() in ("yes", "no") else begins
    if previous.lemma == "to":
        verb = word == "be" or can_be(word, "VERB")
        previous.pos = "PART" if verb else previous.pos
        return ("VERB", "AUX") if verb else ("DET", "NOUN")
    if previous.lemma in MODALS or previous.lemma in ("n't", "do"):
        return ("VERB", "AUX")
    if previous.pos in ("DET", "ADJ", "NUM"):
        return ("NOUN", "ADJ", "ADP")
    if previous.lemma in _ASKING:
        return ("AUX", "VERB", "ADP", "ADV", "NOUN")
    if previous.pos in ("NOUN", "PROPN", "PRON"):
        return ("ADP", "CCONJ", "ADV", "VERB", "AUX")
    return ("ADP", "CCONJ", "ADJ", "ADV", "NOUN", "VERB")


def with_form(verb: Token) -> Token:
    """Note the form of an auxiliary."""
    if verb.pos == "AUX" and verb.form is None:
        verb.form = _FORMS.get(verb.text.lower().removesuffix("n't"))
    return verb


def with_apostrophe(text: str, before: list[Token]) -> list[Token]:
    """Return *didn't*, *I'm*, *let's*, *Anna's*, *boys'*."""
    if text.endswith("n't"):
        base = {"won't": "will", "can't": "can"}.get(text, text.removesuffix("n't"))
        token = literal(base, "AUX")
        with_form(token).text = text
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
    """Take out a comma before another mark, and a full stop after one that ends its sentence."""
    kept: list[Token] = []
    for token in tokens:
        if token.text in (",", ".", "?", "!") and kept and kept[-1].text == ",":
            kept.pop()
        if token.text == "." and kept and kept[-1].text in ("?", "!"):
            continue
        kept.append(token)
    return kept


def names_twice(tokens: list[Token]) -> bool:
    """Say whether a sentence names two things by one noun, *the box is in the box*, or has a word twice."""
    if any(one.text == two.text and one.text not in ("that", "had", "her") for one, two in pairwise(tokens)):
        return True
    chains: dict[str, set[int | None]] = {}
    for token in tokens:
        if token.pos == "NOUN":
            chains.setdefault(token.text.lower(), set()).add(token.entity)
    return any(len(found) > 1 for found in chains.values())
