"""How a phrase of a clause is read: slots, noun phrases, clauses within it, and the words between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.lexicon.words import can_be, read_word, readings, split_sense
from bertviz_lite.world.grammar.reading.inner import begins_inner, read_inner
from bertviz_lite.world.grammar.reading.parts import Noun, Part, Phrase, Self, Slot, Text

SUBJECT_WORDS = frozenset(
    words(
        """it there this that these those I you we he she they who what nobody somebody everybody nothing
        something everything anybody anything everyone someone none here how mine yours both all one
        each which half most many few others another theirs ours his hers anyone any either neither several
        some no much"""
    )
)
LEADS = ("but", "and", "so", "now", "then", "only", "even", "or", "not")
_SLOT = re.compile(r"([A-HJ-Z]\d?)(?::([\w/.é-]+))?")
_OWNER = re.compile(r"([A-HJ-Z]\d?)'s")
_NOUN_LIKE = ("one", "ones", "way", "others")
_STAND_ALONE = ("other", "first", "second", "third", "last", "next", "same")  # the other, the first
_NO_BARE_NOUN = frozenset(
    words(
        """to up down out back home past round like well light first last one ones others way today
        yesterday tomorrow tonight top front end"""
    )
)


@cache
def read_phrase(text: str, *, subject: bool = False) -> Phrase:
    """Read one phrase: slots and noun phrases, and the words between them; a subject begins with one."""
    parts: list[Part] = []
    tokens = [
        token for token in re.sub(r'"|\.(?=\s|$)', " ", text).replace(",", " , ").split() if token != "+"
    ]
    at = 0
    while at < len(tokens):
        if not (subject and at == 0) and begins_inner(tokens[at]):
            before = parts[-1] if parts else None
            inner = read_inner(tokens, at, before, _part_of_inner, read_phrase)
            if inner is not None:
                return (*parts, inner)
        part, at = _part(
            tokens,
            at,
            bare=subject
            and _strip(tokens[at])[0] not in (*SUBJECT_WORDS, *LEADS)
            and all(isinstance(part, Text) for part in parts),
        )
        parts.append(part)
    return _with_owner(tuple(parts))


def _with_owner(phrase: Phrase) -> Phrase:
    """Return *A's mother* for *the mother of A*, which cannot be told with a pronoun."""
    for place, (noun, of, owner) in enumerate(zip(phrase, phrase[1:], phrase[2:], strict=False)):
        if not (isinstance(noun, Noun) and isinstance(owner, Slot) and of == Text("of")):
            continue
        if noun.determiner == "the" and not noun.owner and owner == Slot(owner.letter):
            told = noun._replace(determiner="", owner=owner.letter)
            return (*phrase[:place], told, *phrase[place + 3 :])
    return phrase


def _strip(token: str) -> tuple[str, str, bool]:
    """Return the word, its label and whether it is determined."""
    determined = "!" in token
    word, _, label = token.replace("!", "").partition("=")
    return word, label, determined


def _part_of_inner(tokens: Sequence[str], at: int) -> tuple[Part, int]:
    return _part(tokens, at, bare=_strip(tokens[at])[0] not in SUBJECT_WORDS)


def _part(tokens: Sequence[str], at: int, *, bare: bool = False) -> tuple[Part, int]:
    word, label, determined = _strip(tokens[at])
    if word == ",":
        return Text(","), at + 1
    owner, determiner, at = _start(tokens, at)
    start = at
    if owner and _strip(tokens[at])[0] == "self":
        return Self(owner), at + 1
    words: list[str] = []
    while at < len(tokens):
        word, label, determined = _strip(tokens[at])
        if match := _SLOT.fullmatch(word):
            return Slot(match[1], match[2] or "", determiner, owner, determined, tuple(words)), at + 1
        if not _may_be_in_noun_phrase(word, bare or bool(determiner or owner or words)):
            break
        words.append(word)
        at += 1
        if label or (_is_noun(word) and not _noun_follows(tokens, at)):
            break
    alone = bool(words) and determiner in ("the", "a") and _stands_alone(words[-1])
    if words and (_is_noun(words[-1]) or alone):
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


def _start(tokens: Sequence[str], at: int) -> tuple[str, str, int]:
    """Return owner and determiner of a noun phrase, and where it goes on."""
    word = _strip(tokens[at])[0]
    if match := _OWNER.fullmatch(word):
        if at + 1 == len(tokens):
            raise ValueError(f"{' '.join(tokens)!r}: nothing follows {word!r}")
        return match[1], "", at + 1
    return ("", word, at + 1) if _is_determiner(tokens, at) else ("", "", at)


def _is_determiner(tokens: Sequence[str], at: int) -> bool:
    word = _strip(tokens[at])[0]
    if at + 1 >= len(tokens) or _SLOT.fullmatch(word) or not (can_be(word, "DET") or can_be(word, "NUM")):
        return False
    following = _strip(tokens[at + 1])[0]
    return bool(_SLOT.fullmatch(following)) or _may_be_in_noun_phrase(following, inside=True)


def _is_noun(word: str) -> bool:
    word = split_sense(word)[0]
    return can_be(word, "NOUN") or can_be(word, "PROPN") or word in _NOUN_LIKE


def _stands_alone(word: str) -> bool:
    """Say whether a word needs no noun after it: *the other*, *the fastest*."""
    superlative = word.endswith("est") and any(entry.form == "est" for entry in readings().get(word, ()))
    return word in _STAND_ALONE or superlative


def _may_be_in_noun_phrase(word: str, inside: bool) -> bool:
    """Say whether a word may stand in a noun phrase; outside one, only a bare noun begins it."""
    if _SLOT.fullmatch(word) or _OWNER.fullmatch(word) or word in ("I", ","):
        return False
    if word.endswith("'s") and can_be(word[:-2], "PRON"):
        return True
    if word.endswith("'s") and can_be(word[:-2], "NOUN"):
        return inside
    text = split_sense(word)[0]
    if text.lower() not in readings() and text not in readings():
        raise ValueError(f"the word {text!r} is not in words.txt")
    if inside:
        return _is_noun(word) or can_be(text, "ADJ") or can_be(text, "NUM") or text == "borrowed"
    if text in _NO_BARE_NOUN:
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


def _noun_follows(tokens: Sequence[str], at: int) -> bool:
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
