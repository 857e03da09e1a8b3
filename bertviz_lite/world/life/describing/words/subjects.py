"""The subject of every finite verb of a sentence that is written out: the word with which it agrees."""

from __future__ import annotations

from collections.abc import Sequence

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.lexicon.words import MODALS
from bertviz_lite.world.grammar.tokens import Token

_INFLECTED = frozenset(words("am is are was were has have does do 'm 're 've"))
_ONE_FORM = frozenset(words("put cut hurt hit let shut set read cost spread beat"))
_BEFORE_BARE = frozenset((*MODALS, *words("to let make help see hear watch do did does please cannot ought")))
_IN_PHRASE = ("DET", "ADJ", "NUM")
_NAMING = (*_IN_PHRASE, "NOUN", "PROPN", "PRON")
_ASKS = frozenset(words("who what which whose"))
_PARTS = frozenset(
    words("some most all half none many few several both any rest enough one each two three four five much")
)
_MINE = frozenset(words("my your his her its our their"))
_INVERTING = frozenset(words("be have do"))
_TIMES = frozenset(words("today yesterday tomorrow tonight"))
_OPENING_CLAUSES = frozenset(
    words("when while if because until unless although before after since whenever whether though as")
)
_NOMINATIVE = frozenset(words("i he she we they"))
_SHORT_BE = frozenset(["be", "have"])


def link_subjects(tokens: Sequence[Token], tense: str) -> None:
    """Give every finite verb that agrees, and has no subject yet, the word with which it agrees.

    Parameters
    ----------
    tokens
        Of one sentence.
    tense
        Of the text: *put* is past there if it can be.
    """
    gerund = _gerund(tokens)
    _mark_participles(tokens)
    for place, token in enumerate(tokens):
        if token.pos not in ("AUX", "VERB") or token.subject is not None or not may_agree(token):
            continue
        sure = token.form == "s" or token.text.lower().removesuffix("n't") in _INFLECTED
        said = place > 0 and tokens[place - 1].text == '"'
        head = _subject_of(tokens, place, inverts=said or token.lemma in _INVERTING)
        if gerund is not None and token.pos == "AUX" and "," not in {one.text for one in tokens[:place]}:
            head, gerund = gerund, None
        bare = token.form == "base" and token.lemma in ("have", "do")
        if head is None or ((bare or not sure) and not _may_be_finite(tokens, place)):
            continue
        if token.text in ("have", "do") and _asks_before(tokens, place):
            continue
        if token.form == "base" and token.lemma in _ONE_FORM and (tense == "past" or _third(head)):
            token.form = "past"
            continue
        token.subject = head


def _mark_participles(tokens: Sequence[Token]) -> None:
    """Note that *made* after *be* or *have* is a participle, also in *was it made*."""
    asks = tokens[-1].text == "?" and tokens[0].pos == "AUX" and tokens[0].lemma in _SHORT_BE
    for place, token in enumerate(tokens):
        if token.pos != "VERB" or token.form not in ("past", "base"):
            continue
        before = place - 1
        while before > 0 and tokens[before].pos in ("ADV", "PART") and tokens[before].lemma != "to":
            before -= 1
        helped = before >= 0 and tokens[before].pos == "AUX" and tokens[before].lemma in _SHORT_BE
        plain = not any(one.text in ("who", "that", "which") for one in tokens[:place])
        if helped or (asks and plain and token.form == "past"):
            token.form = "participle"
        asks = False


def _gerund(tokens: Sequence[Token]) -> Token | None:
    """Return the verb of *reading books is fun*, which begins its sentence."""
    start = 1 if tokens[0].text == '"' else 0
    if tokens[start].lemma == "to":
        start += 1
    first = tokens[start] if start < len(tokens) else None
    if first is None or first.pos != "VERB" or (start and first.form != "base" and first.form != "ing"):
        return None
    return first if first.form == "ing" or tokens[start - 1].lemma == "to" else None


def may_agree(token: Token) -> bool:
    """Say whether the form of a verb may be one that agrees with a subject."""
    text = token.text.lower()
    if token.lemma in MODALS or text in ("had", "did", "hadn't", "didn't", "been", "being", "'d", "'ll"):
        return False
    if text == "be" or token.form in ("ing", "participle"):
        return False
    if text == "'s":
        return token.lemma in _SHORT_BE
    return token.form in ("s", "base", None) or text.removesuffix("n't") in ("was", "were")


def _third(head: Token) -> bool:
    return head.form == "singular" and head.text.lower() not in ("i", "you")


def _may_be_finite(tokens: Sequence[Token], place: int) -> bool:
    """Say whether a base form may be finite: no auxiliary and no *to* before it since the last comma."""
    before = place - 1
    while before >= 0 and tokens[before].pos in ("ADV", "PART") and tokens[before].lemma != "to":
        before -= 1
    if before < 0 or tokens[before].pos not in ("NOUN", "PROPN", "PRON"):
        return False
    asked = tokens[-1].text == "?"
    told = False  # a relative clause before it has its own verb: does the hammer that we use every day
    for at in range(before - 1, -1, -1):
        token = tokens[at]
        told = told or (asked and token.pos == "VERB" and token.subject is not None)
        if told and token.text == "that" and _noun_before(tokens, at):
            continue
        if token.lemma in _OPENING_CLAUSES or token.pos == "SCONJ" or (token.pos == "PUNCT" and not asked):
            return True
        if token.lemma in _BEFORE_BARE or token.pos == "AUX":
            return False
    return True


def _subject_of(tokens: Sequence[Token], place: int, *, inverts: bool) -> Token | None:
    before = place - 1
    while before >= 0 and tokens[before].pos in ("ADV", "PART", "INTJ") and tokens[before].lemma != "'s":
        before -= 1
    last = tokens[before] if before >= 0 else None
    somebody = last is not None and last.pos == "PRON" and last.text.lower().endswith(("body", "one"))
    there = last is not None and (last.text.lower() in ("there", "here") or _is_there(tokens, place))
    if there and not somebody:  # somebody here is
        return _phrase_after(tokens, place + 1) or _phrase_before(tokens, before)
    if last is None or last.pos in ("PUNCT", "CCONJ", "SCONJ"):
        day = tokens[0] if last is None and tokens[0].lemma in _TIMES else None
        return (_phrase_after(tokens, place + 1) if inverts or last is None else None) or day
    if last.text.lower() in _ASKS and (before == 0 or tokens[before - 1].pos == "PUNCT"):
        after = _phrase_after(tokens, place + 1) if inverts else None
        return after or last
    if last.pos in ("VERB", "ADP") and (what := _what_before(tokens, before)) is not None:
        return what
    found = _before_relative(tokens, place) or _phrase_before(tokens, before)
    if found is None or (inverts and _asks(tokens, before)):
        return _phrase_after(tokens, place + 1) or found
    return found


def _before_relative(tokens: Sequence[Token], place: int) -> Token | None:
    """Return the head of *the boys who feed the cow*, where a relative clause ends before a verb."""
    finite = 0
    for at in range(place - 1, 0, -1):
        token = tokens[at]
        joins = token.pos == "CCONJ" and _noun_before(tokens, at) and tokens[at + 1].pos in _NAMING
        if token.pos in ("PUNCT", "SCONJ", "CCONJ") and not joins:
            return None
        if token.pos in ("VERB", "AUX") and token.form not in ("ing", "participle"):
            helped = tokens[at - 1].lemma in ("to", *MODALS) or tokens[at - 1].pos == "AUX"
            finite += not helped
        if token.text in ("who", "which", "that", "whom") and tokens[at - 1].pos in ("NOUN", "PRON", "PROPN"):
            return _phrase_before(tokens, at - 1) if finite == 1 else None
    return None


def _what_before(tokens: Sequence[Token], last: int) -> Token | None:
    """Return the word *what* of *what the boys want*, a clause that ends at a place and is a subject."""
    for place in range(last, -1, -1):
        token = tokens[place]
        if token.text.lower() == "what":
            asked = tokens[place + 1].pos in ("AUX", "VERB")
            return None if asked or tokens[-1].text == "?" else token
        if token.pos == "PUNCT" and token.text != ",":
            return None
    return None


def _asks_before(tokens: Sequence[Token], place: int) -> bool:
    """Say whether the question has its finite verb already, *does Ella, who …, have*."""
    asked = tokens[-1].text == "?"
    return asked and any(one.pos == "AUX" and one.lemma in ("do", *MODALS) for one in tokens[: min(place, 3)])


def _is_there(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and tokens[place - 1].text.lower() in ("there", "here")


def _asks(tokens: Sequence[Token], last: int) -> bool:
    """Say whether the words before a verb are what is asked, *how many plums*, *whose hat*."""
    start = last
    while start > 0 and tokens[start - 1].pos != "PUNCT":
        start -= 1
    word = tokens[start].text.lower()
    return word in ("how", "whose", "what", "where", "why", "when") or (
        word == "which" and tokens[start + 1].lemma != "of"
    )


def _phrase_after(tokens: Sequence[Token], place: int) -> Token | None:
    """Return the head of the noun phrase that begins at a place."""
    while place < len(tokens):
        token = tokens[place]
        follows = tokens[place + 1] if place + 1 < len(tokens) else None
        possessive = (
            token.text.lower() in _MINE and follows is not None and follows.pos in ("NOUN", "ADJ", "NUM")
        )
        if token.pos in ("NOUN", "PROPN", "PRON") and not possessive:
            if follows is not None and follows.lemma == "'s" and follows.pos == "PART":
                place += 2
                continue
            return token
        if follows is not None and follows.lemma == "of" and token.lemma in _PARTS:
            return token
        if token.lemma == "much" and (follows is None or follows.pos not in ("NOUN", "ADJ")):
            return token
        ends = follows is None or follows.pos not in (*_IN_PHRASE, "NOUN", "PROPN", "ADV")
        if token.pos == "NUM" and ends:
            return token
        if token.pos not in (*_IN_PHRASE, "ADV", "PART") and not possessive:
            return None
        place += 1
    return None


def _phrase_before(tokens: Sequence[Token], last: int) -> Token | None:
    """Return the head of the noun phrase that ends at a place, before what is said of it after *of*, *in*."""
    head: Token | None = None
    place = last
    while place >= 0:
        token = tokens[place]
        if token.pos in ("PUNCT", "SCONJ", "VERB", "AUX", "INTJ") and token.lemma != "call":
            if head is None and token.form in ("ing", "base") and _opens(tokens, place):
                head = token  # reading is fun, to read books is fun
            break
        if token.lemma == "ago" and head is not None:
            break  # three weeks ago the sun was
        if token.lemma in _OPENING_CLAUSES and head is not None:
            token.pos = "SCONJ"
            break
        if token.pos == "CCONJ":
            if head is None or token.lemma == "but" or not _noun_before(tokens, place):
                break
            place -= 1
            continue
        if token.pos == "PART" and token.lemma == "'s":
            place -= 2  # of the owner
            continue
        if head is None and token.text.lower() in _NOMINATIVE:
            return token
        possessive = token.text.lower() in _MINE and head is not None
        if (token.pos in ("NOUN", "PROPN", "PRON") and not possessive) or (
            token.pos in ("NUM", "DET", "ADJ") and head is None
        ):
            head = token
        elif token.pos == "ADP" and token.lemma not in ("as", "than"):
            head = None
        place -= 1
    return head


def _opens(tokens: Sequence[Token], place: int) -> bool:
    """Say whether a verb is the first word of its sentence, but for *to*."""
    before = tokens[place - 1] if place else None
    return before is None or before.text in (",", '"') or before.lemma == "to"


def _noun_before(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and tokens[place - 1].pos in ("NOUN", "PROPN", "PRON", "NUM")
