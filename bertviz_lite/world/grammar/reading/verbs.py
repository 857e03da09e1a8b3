"""How the verb of a clause is read: auxiliaries, *not*, adverbs, the verb and what follows it at once."""

from __future__ import annotations

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.lexicon.words import MODALS, can_be, readings, split_sense
from bertviz_lite.world.grammar.reading.parts import Verb

ADVERBS = words(
    """always never often sometimes usually still already just almost nearly soon also hardly only ever
        rarely seldom really quickly slowly"""
)


def read_verb(text: str) -> tuple[Verb, str]:
    """Return the verb that is written, and words after *be* that belong to the rest of the clause.

    Examples
    --------
    >>> read_verb("can not open")[0].negated, read_verb("be very hungry")[1], read_verb("lay")[0].lemma
    (True, 'very hungry', 'lay')

    Raises
    ------
    ValueError
        Where there is no verb.
    """
    words = text.replace("cannot", "can not").replace("need not", "not need to").split()
    adverb = next((word for word in words if word in ADVERBS and len(words) > 1), "")
    if adverb:
        words.remove(adverb)
    modal, negated, words = _modal(words)
    if len(words) > 1 and words[0] in ("have", "be", "do") and words[1] == "not":
        negated = True
        words.pop(1)
    perfect = len(words) > 1 and words[0] == "have" and _form(words[1]) in ("participle", "past")
    if perfect:
        words = ["be" if words[1] == "been" else words[1], *words[2:]]
    progressive = passive = False
    if len(words) > 1 and words[0] == "be":
        form = _form(words[1])
        progressive = form == "ing"
        passive = form in ("participle", "past") and not can_be(words[1], "ADJ")
        words = words[1:] if progressive or passive else words
    head, determined = words[0].removesuffix("!"), words[0].endswith("!")
    word, sense = split_sense(head)
    lemma, tail, moved = _lemma(text, word), words[1:], ""
    if lemma == "be" and tail:  # "be hungry" is the verb "be" and a phrase
        tail, moved = [], " ".join(tail)
    verb = Verb(lemma, tuple(tail), sense, modal, negated, perfect, progressive, passive, determined, adverb)
    return verb, moved


def _modal(words: list[str]) -> tuple[str, bool, list[str]]:
    """Take modal and *not* off; a modal alone is the verb."""
    modal, negated = "", False
    if words[0] in MODALS and len(words) > 1 and words[1:] != ["not"]:
        modal, words = words[0], words[1:]
    if words[0] in MODALS and words[1:] == ["not"]:
        return "", True, words[:1]
    while words[0] == "not" and len(words) > 1:
        negated, words = True, words[1:]
    return modal, negated, words


def _lemma(text: str, word: str) -> str:
    if word in ("be", "been", "being"):
        return "be"
    entries = [entry for entry in readings().get(word, ()) if entry.pos in ("VERB", "AUX")]
    if not entries:
        raise ValueError(f"{text!r}: {word!r} is no verb")
    for entry in entries:
        if entry.form == "base":
            return entry.lemma
    return entries[0].lemma


def _form(word: str) -> str | None:
    word = split_sense(word.removesuffix("!"))[0]
    if word in ("been", "had", "done"):
        return "participle"
    forms = [entry.form for entry in readings().get(word, ()) if entry.pos == "VERB"]
    for form in ("ing", "participle", "past"):
        if form in forms and "base" not in forms:
            return form
    return "participle" if "participle" in forms else None
