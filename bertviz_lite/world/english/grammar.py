"""English word forms: verbs, plurals, comparison, articles, pronouns.

Rules, and tables of what breaks them. Left out: what the town does not need (no subjunctive, no "shall").
"""

from __future__ import annotations

import re
from functools import cache

from bertviz_lite.world.events.tables import entries

# base, past, participle; what is missing here is regular
_IRREGULAR = """
beat beat beaten, bleed bled bled, become became become, bend bent bent, cost cost cost, fight fought fought,
freeze froze frozen, mean meant meant, set set set, shoot shot shot, sink sank sunk, spin spun spun,
sting stung stung, stick stuck stuck, tear tore torn, understand understood understood, weave wove woven,
be was been, begin began begun, bite bit bitten, blow blew blown, break broke broken, bring brought brought,
build built built, buy bought bought, catch caught caught, choose chose chosen, come came come, cut cut cut,
dig dug dug, do did done, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten,
fall fell fallen, feed fed fed, feel felt felt, find found found, fly flew flown, forget forgot forgotten,
forgive forgave forgiven, get got got, give gave given, go went gone, grow grew grown, hang hung hung,
have had had, hear heard heard, hide hid hidden, hit hit hit, hold held held, hurt hurt hurt, keep kept kept,
know knew known, lay laid laid, lead led led, leave left left, lend lent lent, let let let, lie lay lain,
light lit lit, lose lost lost, make made made, meet met met, pay paid paid, put put put, read read read,
ride rode ridden, ring rang rung, rise rose risen, run ran run, say said said, see saw seen, sell sold sold,
send sent sent, sew sewed sewn, shake shook shaken, shine shone shone, show showed shown, shut shut shut,
sing sang sung, sit sat sat, sleep slept slept, speak spoke spoken, spend spent spent, spread spread spread,
stand stood stood, steal stole stolen, strike struck struck, sweep swept swept, swim swam swum,
swing swung swung, take took taken, teach taught taught, tell told told, think thought thought,
throw threw thrown, wake woke woken, wear wore worn, win won won, wind wound wound, write wrote written
"""
IRREGULAR = {base: (past, participle) for base, past, participle in map(str.split, entries(_IRREGULAR))}

# One short vowel and one consonant at the end: "hop" doubles it, "help", "look" and "play" do not …
_SHORT = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")
# … nor do longer words, but those whose stress is on the last syllable, and "travel" in British spelling.
_DOUBLED = {"admit", "begin", "forget", "travel", "unpin", "unwrap"}

_PLURALS = dict(
    pair.split()
    for pair in entries(
        """child children, deer deer, fish fish, foot feet, goose geese, knife knives, leaf leaves,
        loaf loaves, man men, mouse mice, person people, potato potatoes, scarf scarves, sheep sheep,
        shelf shelves, tomato tomatoes, tooth teeth, woman women, wife wives, thief thieves, wolf wolves,
        hero heroes, half halves, postman postmen, calf calves, stomach stomachs"""
    )
)

_PRONOUNS = {
    "m": {"he": "he", "him": "him", "his": "his", "self": "himself"},
    "f": {"he": "she", "him": "her", "his": "her", "self": "herself"},
    "n": {"he": "it", "him": "it", "his": "its", "self": "itself"},
    "p": {"he": "they", "him": "them", "his": "their", "self": "themselves"},
}


@cache
def verb(base: str, form: str) -> str:
    """Return a form of a verb: ``base``, ``s``, ``past``, ``participle`` or ``ing``.

    Examples
    --------
    >>> verb("carry", "s"), verb("hop", "ing"), verb("break", "participle")
    ('carries', 'hopping', 'broken')
    """
    if form == "base":
        return base
    if form == "s":
        return _present(base)
    if form == "ing":
        return _ing(base)
    if base in IRREGULAR:
        return IRREGULAR[base][0 if form == "past" else 1]
    if base.endswith("e"):
        return base + "d"
    if _ends_in_consonant_and_y(base):
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def _present(base: str) -> str:
    if base in ("be", "have"):
        return {"be": "is", "have": "has"}[base]
    if _ends_in_consonant_and_y(base):
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def _ing(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    return _doubled(base) + "ing"


def _doubled(base: str) -> str:
    return base + base[-1] if base in _DOUBLED or _SHORT.fullmatch(base) else base


def _ends_in_consonant_and_y(word: str) -> bool:
    return word.endswith("y") and word[-2] not in "aeiou"


@cache
def plural(noun: str) -> str:
    """Return the plural of a noun.

    Examples
    --------
    >>> plural("box"), plural("cherry"), plural("leaf"), plural("toy")
    ('boxes', 'cherries', 'leaves', 'toys')
    """
    if noun in _PLURALS:
        return _PLURALS[noun]
    if _ends_in_consonant_and_y(noun):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "sh", "ch", "x")) else "s")


def compared(adjective: str, ending: str) -> str:
    """Return the comparative (``er``) or superlative (``est``) of a short adjective.

    Examples
    --------
    >>> compared("tall", "er"), compared("brave", "est"), compared("happy", "er")
    ('taller', 'bravest', 'happier')
    """
    if _ends_in_consonant_and_y(adjective):
        return adjective[:-1] + "i" + ending
    return adjective + ending[1:] if adjective.endswith("e") else _doubled(adjective) + ending


def article(word: str) -> str:
    """Return ``a`` or ``an`` for the word that follows.

    Examples
    --------
    >>> article("umbrella"), article("useful"), article("honest")
    ('an', 'a', 'an')
    """
    if word.startswith(("uni", "use", "usu", "one")):  # as in "you", "won"
        return "a"
    return "an" if word[0] in "aeiou" or word.startswith(("hour", "honest")) else "a"


def pronoun(gender: str, case: str) -> str:
    """Return a personal pronoun.

    Parameters
    ----------
    gender
        ``f``, ``m``, ``n``, or ``p`` for many.
    case
        Named by the masculine: ``he``, ``him``, ``his``; and ``self``.

    Examples
    --------
    >>> pronoun("f", "his"), pronoun("p", "self")
    ('her', 'themselves')
    """
    return _PRONOUNS[gender][case]
