"""Verbs: finite forms by tense and number, and what their auxiliaries say."""

from __future__ import annotations

from bertviz_lite.world.events.text import Word

_FINITE = {
    "be": {
        "am": "am", "'m": "am", "is": "is", "'s": "is", "are": "are", "'re": "are", "was": "was",
        "were": "were",
    },
    "have": {"has": "has", "'s": "has", "have": "have", "'ve": "have", "had": "had", "'d": "had"},
    "do": {"does": "does", "do": "do", "did": "did"},
}  # fmt: skip
_ALWAYS_FINITE = frozenset(("am", "is", "are", "was", "were", "has", "does", "did"))
MODALS = ("can", "could", "will", "would", "may", "might", "must", "should", "shall")
_MODAL_TEXTS = {modal: modal for modal in MODALS} | {
    "cannot": "can", "ca": "can", "wo": "will", "sha": "shall", "'ll": "will", "'d": "would",
}  # fmt: skip
_NOUN_PHRASE = ("NOUN", "PROPN", "DET", "ADJ", "PRON", "NUM", "ADP", "CCONJ", "ADV", "PART")
_BETWEEN = ("ADV", "PART")
_NOUNS = ("NOUN", "PROPN")
_GONE = ("go", "come", "be")


def stem(word: Word) -> str:
    """Return a word in lower case without *n't*: *did* for *Didn't*."""
    return word.text.lower().removesuffix("n't")


def finite(words: tuple[Word, ...], index: int) -> str:
    """Return the form of a finite verb, else ``""``.

    ``"is"``, ``"were"`` … of *be*, *have* and *do*, also contracted; of other verbs ``"-s"``, ``"base"``
    (after *I*, *you* and plurals) and ``"past"``. A base form counts where it agrees with a subject.
    """
    word = words[index]
    if word.pos not in ("VERB", "AUX"):
        return ""
    forms = _FINITE.get(word.lemma)
    if forms is None:
        if word.pos == "AUX" or word.form not in ("s", "base", "past"):
            return ""
        if word.form == "base":
            return "base" if word.subject is not None else ""
        return "-s" if word.form == "s" else "past"
    form = forms.get(stem(word), "")
    if form in _ALWAYS_FINITE or not form:
        return form
    if form == "had":
        return "" if word.form == "participle" else form
    return form if word.subject is not None else ""


def modal(word: Word) -> str:
    """Return which modal verb a word is, also contracted, else ``""``.

    The *'d* of *he'd* is taken for *would* where its lemma says so.
    """
    if word.pos != "AUX" or word.lemma in _FINITE:
        return ""
    return _MODAL_TEXTS.get(stem(word), "")


def construction(words: tuple[Word, ...], index: int) -> str:
    """Return what a participle or *-ing* form is with its auxiliary: passive, progressive or perfect.

    In *has been found*, *been* is the perfect and *found* the passive; *is gone* is neither, ``""``.
    """
    word = words[index]
    form = "participle" if word.text == "been" else word.form
    if form not in ("participle", "ing") or (word.pos != "VERB" and word.text != "been"):
        return ""
    helper = _auxiliary(words, index)
    if helper is None or (word.text == "called" and words[index - 1].pos in _NOUNS):  # a girl called Nina
        return ""
    lemma = words[helper].lemma
    if form == "ing":
        return "progressive" if lemma == "be" else ""
    if lemma == "have":
        return "perfect"
    return "" if word.lemma in _GONE or word.text == "been" else "passive"


def _auxiliary(words: tuple[Word, ...], index: int) -> int | None:
    """Return where a verb form's nearest auxiliary is: before it, or before the subject of a question."""
    place = index - 1
    while place >= 0 and words[place].pos in _BETWEEN:
        place -= 1
    if place > 0 and words[place].pos == "CCONJ" and words[place - 1].pos == "VERB":
        return _auxiliary(words, place - 1)  # was found and mended
    if place >= 0 and words[place].lemma in ("be", "have") and words[place].pos in ("AUX", "VERB"):
        return place
    while place >= 0 and words[place].pos in _NOUN_PHRASE:
        place -= 1
    if place < 0 or words[place].pos != "AUX" or words[place].lemma not in ("be", "have"):
        return None
    return place if _begins_question(words, place) else None


def _begins_question(words: tuple[Word, ...], place: int) -> bool:
    if not any(word.text == "?" for word in words[place:]):
        return False
    before = [word for word in words[:place] if word.text != '"']
    if not before or before[-1].pos in ("PUNCT", "INTJ", "CCONJ"):
        return True
    return before[-1].text.lower() in ("who", "what", "which", "where", "when", "why", "how") or any(
        word.text.lower() in ("which", "what", "whose", "how") for word in before[-3:]
    )
