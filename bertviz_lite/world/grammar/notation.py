"""Clauses as the tables write them, and how they are read.

A clause is ``subject | verb | rest``, the rest a list of phrases separated by `` + ``::

    A | put | the key=K + in A's pocket
    A:child | can not open | the door=D

People and things are capital letters, *slots*, with a type at their first use (``T:toy/small``, ``T:food.pl``).
``A's T`` belongs to A; ``the T`` is definite at once; ``=K`` names a noun that is written out, so that it can
be spoken of again. Verbs stand in the base form, with auxiliaries in theirs: ``have lost``, ``be waiting``,
``can not open``. ``!`` after a word: the rest of the text leaves no other word there.

>>> clause = read_clause("A | have lost | A's key=K + in the park")
>>> clause.verb
Verb(lemma='lose', tail=(), sense=None, modal='', negated=False, perfect=True, progressive=False, passive=False, determined=False, adverb='')
>>> clause.object
Noun(words=('key',), determiner='', owner='A', label='K', determined=False)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from bertviz_lite.world.grammar.words import MODALS, can_be, read_word, readings, split_sense


class Slot(NamedTuple):
    """A letter, with its type where it is given: ``A's T:toy.pl``."""

    letter: str
    type: str = ""
    determiner: str = ""
    owner: str = ""
    determined: bool = False


class Noun(NamedTuple):
    """A noun phrase that is written out; ``words`` are adjectives and the noun."""

    words: tuple[str, ...]
    determiner: str = ""
    owner: str = ""
    label: str = ""
    determined: bool = False


class Self(NamedTuple):
    """``A's self``: himself, herself, themselves, myself …"""

    letter: str


class Text(NamedTuple):
    """A word that is written out and is no noun phrase."""

    word: str
    determined: bool = False


Part = Slot | Noun | Self | Text
Phrase = tuple[Part, ...]


class Verb(NamedTuple):
    """A verb and what its auxiliaries say of it; ``tail`` follows it at once, as in *put on*, *want to go*."""

    lemma: str
    tail: tuple[str, ...] = ()
    sense: str | None = None
    modal: str = ""
    negated: bool = False
    perfect: bool = False
    progressive: bool = False
    passive: bool = False
    determined: bool = False
    adverb: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """Subject, verb and the phrases that follow it."""

    subject: Phrase
    verb: Verb
    phrases: tuple[Phrase, ...] = ()

    @property
    def object(self) -> Slot | Noun | Self | None:
        """The noun phrase that follows the verb at once, if there is one."""
        if not self.phrases or self.verb.lemma in COPULAS:
            return None
        first = self.phrases[0]
        return first[0] if len(first) == 1 and not isinstance(first[0], Text) else None


COPULAS = ("be", "become", "seem")
SUBJECT_WORDS = [
    "it",
    "there",
    "this",
    "that",
    "these",
    "those",
    "I",
    "you",
    "we",
    "he",
    "she",
    "they",
    "who",
    "what",
    "nobody",
    "somebody",
    "everybody",
    "nothing",
    "something",
    "everything",
    "anybody",
    "anything",
    "everyone",
    "someone",
    "none",
    "here",
    "how",
    "mine",
    "yours",
    "both",
    "all",
    "one",
    "each",
    "which",
    "half",
    "most",
    "many",
    "few",
    "others",
    "another",
]
LEADS = ("but", "and", "so", "now", "then", "only", "even", "or", "not")
_SLOT = re.compile(r"([A-HJ-Z]\d?)(?::([\w/.é-]+))?")
_OWNER = re.compile(r"([A-HJ-Z]\d?)'s")
_NOUN_LIKE = ("one", "ones", "way", "others")
_ADVERBS = (
    "always",
    "never",
    "often",
    "sometimes",
    "usually",
    "still",
    "already",
    "just",
    "almost",
    "nearly",
    "soon",
    "also",
    "hardly",
    "only",
    "ever",
    "rarely",
    "seldom",
    "really",
    "quickly",
    "slowly",
)


def read_clause(text: str) -> Clause:
    """Read a clause.

    Raises
    ------
    ValueError
        Where it has no subject and verb, or a word that the town does not have.
    """
    fields = [field.strip() for field in text.split("|")]
    if not 2 <= len(fields) <= 3 or not all(fields[:2]):
        raise ValueError(f"{text!r}: a clause is subject | verb | rest")
    if " + " in fields[1]:
        fields[1], _, moved = fields[1].partition(" + ")
        fields = [*fields[:2], " + ".join([moved, *fields[2:]])]
    subject = _phrase(fields[0], subject=True)
    lead = next((part for part in subject if not (isinstance(part, Text) and part.word in LEADS)), None)
    if lead is None or (isinstance(lead, Text) and lead.word not in SUBJECT_WORDS):
        raise ValueError(f"{text!r}: the subject {fields[0]!r} does not begin with a noun phrase")
    verb, moved = _verb(fields[1])
    phrases = [
        _phrase(phrase)
        for phrase in re.split(r"\s\+\s", " " + moved + " " + (fields[2] if len(fields) == 3 else "") + " ")
        if phrase.strip(" +")
    ]
    return Clause(subject, verb, tuple(phrases))


def _verb(text: str) -> tuple[Verb, str]:
    words = text.split()
    modal, negated, perfect, progressive, passive = "", False, False, False, False
    adverb = next((word for word in words if word in _ADVERBS and len(words) > 1), "")
    if adverb:
        words.remove(adverb)
    if words[0] in MODALS and len(words) > 1:
        modal = words.pop(0)
    while words and words[0] == "not" and len(words) > 1:
        negated = True
        words.pop(0)
    if len(words) > 1 and words[0] in ("have", "be", "do") and words[1] == "not":
        negated = True
        words.pop(1)
    if len(words) > 1 and words[0] == "have" and _form(words[1]) in ("participle", "past"):
        perfect = True
        words.pop(0)
        if (words[0] == "been" and len(words) > 1) or words[0] == "been":
            words[0] = "be"
    if len(words) > 1 and words[0] == "be":
        if _form(words[1]) == "ing":
            progressive = True
            words.pop(0)
        elif _form(words[1]) in ("participle", "past") and not can_be(words[1], "ADJ"):
            passive = True
            words.pop(0)
    head, determined = words[0].removesuffix("!"), words[0].endswith("!")
    word, sense = split_sense(head)
    reading = read_word(word, "VERB")
    if reading.pos not in ("VERB", "AUX"):
        raise ValueError(f"{text!r}: {word!r} is no verb")
    lemma = "be" if word in ("be", "been", "being") else reading.lemma
    tail = words[1:]
    moved = ""
    if lemma == "be" and tail:  # "be hungry" is the verb "be" and a phrase
        tail, moved = [], " ".join(tail)
    return Verb(
        lemma, tuple(tail), sense, modal, negated, perfect, progressive, passive, determined, adverb
    ), moved


def _form(word: str) -> str | None:
    word = split_sense(word.removesuffix("!"))[0]
    if word in ("been", "had", "done"):
        return "participle"
    forms = [entry.form for entry in readings().get(word, ()) if entry.pos == "VERB"]
    for form in ("ing", "participle", "past"):
        if form in forms and "base" not in forms:
            return form
    return "participle" if "participle" in forms else None


@cache
def _phrase(text: str, *, subject: bool = False) -> Phrase:
    """Read one phrase: slots and noun phrases, and the words between them; a subject begins with one."""
    parts: list[Part] = []
    tokens = [
        token for token in re.sub(r'"|\.(?=\s|$)', " ", text).replace(",", " , ").split() if token != "+"
    ]
    at = 0
    while at < len(tokens):
        part, at = _part(
            tokens,
            at,
            bare=subject
            and _strip(tokens[at])[0] not in (*SUBJECT_WORDS, *LEADS)
            and all(isinstance(part, Text) for part in parts),
        )
        parts.append(part)
    return tuple(parts)


def _strip(token: str) -> tuple[str, str, bool]:
    """Return the word, its label and whether it is determined."""
    determined = "!" in token
    word, _, label = token.replace("!", "").partition("=")
    return word, label, determined


def _part(tokens: list[str], at: int, *, bare: bool = False) -> tuple[Part, int]:
    word, label, determined = _strip(tokens[at])
    if word == ",":
        return Text(","), at + 1
    owner = determiner = ""
    if match := _OWNER.fullmatch(word):
        owner = match[1]
        at += 1
        if at == len(tokens):
            raise ValueError(f"{' '.join(tokens)!r}: nothing follows {word!r}")
        if _strip(tokens[at])[0] == "self":
            return Self(owner), at + 1
    elif _is_determiner(tokens, at):
        determiner = word
        at += 1
    start = at
    if at < len(tokens):
        word, label, determined = _strip(tokens[at])
        if match := _SLOT.fullmatch(word):
            return Slot(match[1], match[2] or "", determiner, owner, determined), at + 1
    words: list[str] = []
    while at < len(tokens):
        word, label, determined = _strip(tokens[at])
        if not _may_be_in_noun_phrase(word, bare or bool(determiner or owner or words)):
            break
        words.append(word)
        at += 1
        if label or (_is_noun(word) and not _noun_follows(tokens, at)):
            break
    if words and _is_noun(words[-1]):
        last = _strip(tokens[at - 1])
        return Noun(
            tuple(words), determiner, owner, last[1], any("!" in token for token in tokens[start:at])
        ), at
    # No noun after all: the words stand for themselves.
    if owner:
        raise ValueError(f"{' '.join(tokens)!r}: no noun after {owner}'s")
    at = start - 1 if determiner else start
    word, _, determined = _strip(tokens[at])
    read_word(split_sense(word)[0])
    return Text(word, determined), at + 1


def _is_determiner(tokens: list[str], at: int) -> bool:
    word = _strip(tokens[at])[0]
    if at + 1 >= len(tokens) or not (can_be(word, "DET") or can_be(word, "NUM")):
        return False
    following = _strip(tokens[at + 1])[0]
    return bool(_SLOT.fullmatch(following)) or _may_be_in_noun_phrase(following, inside=True)


def _is_noun(word: str) -> bool:
    word = split_sense(word)[0]
    return can_be(word, "NOUN") or can_be(word, "PROPN") or word in _NOUN_LIKE


def _may_be_in_noun_phrase(word: str, inside: bool) -> bool:
    """Say whether a word may stand in a noun phrase; outside one, only a bare noun begins it."""
    if _SLOT.fullmatch(word) or word in ("I", ","):
        return False
    if word.endswith("'s") and can_be(word[:-2], "NOUN"):
        return inside
    text = split_sense(word)[0]
    if text.lower() not in readings() and text not in readings():
        raise ValueError(f"the word {text!r} is not in words.txt")
    if inside:
        return _is_noun(word) or can_be(text, "ADJ") or can_be(text, "NUM")
    if text in (
        "to",
        "up",
        "down",
        "out",
        "back",
        "home",
        "past",
        "round",
        "like",
        "well",
        "light",
        "first",
        "last",
        "one",
        "ones",
        "others",
        "way",
        "today",
        "yesterday",
        "tomorrow",
        "tonight",
        "top",
        "front",
        "end",
    ):
        return False
    entries = readings().get(text) or readings()[text.lower()]
    nouns = [entry for entry in entries if entry.pos in ("NOUN", "PROPN")]
    if not nouns:
        return False
    return all(entry.pos in ("NOUN", "PROPN", "VERB") for entry in entries) and (
        any(
            entry.form == "plural" or entry.kind in ("mass", "season", "day", "plural", "timeword")
            for entry in nouns
        )
    )


def _noun_follows(tokens: list[str], at: int) -> bool:
    """Say whether the noun phrase goes on: *stone floor*, *apple tree*."""
    if at >= len(tokens):
        return False
    word = _strip(tokens[at])[0]
    text = split_sense(word)[0]
    if _SLOT.fullmatch(word) or _OWNER.fullmatch(word) or word in ("I", ",") or word.endswith("'s"):
        return False
    if text.lower() not in readings() and text not in readings():
        raise ValueError(f"the word {text!r} is not in words.txt")
    entries = readings().get(text) or readings()[text.lower()]
    return (
        all(entry.pos in ("NOUN", "VERB") for entry in entries)
        and any(entry.pos == "NOUN" for entry in entries)
        and not any(entry.pos == "VERB" and entry.form in ("s", "ing", "past") for entry in entries)
    )
