"""Personal pronouns by person, number and case."""

from __future__ import annotations

from bertviz_lite.world.events.text import Word

CASES = ("subject", "object", "possessive", "own", "self")
_TABLE = {
    "I": "I me my mine myself",
    "you": "you you your yours yourself",
    "he": "he him his his himself",
    "she": "she her her hers herself",
    "it": "it it its its itself",
    "we": "we us our ours ourselves",
    "they": "they them their theirs themselves",
}
PRONOUNS = tuple(_TABLE)
_READINGS: dict[str, list[tuple[str, str]]] = {"yourselves": [("you", "self")]}
for _pronoun, _row in _TABLE.items():
    for _case, _form in zip(CASES, _row.split(), strict=True):
        _READINGS.setdefault(_form.lower(), []).append((_pronoun, _case))
_BEFORE_NOUN = ("ADJ", "NUM", "ADV")


def pronoun(words: tuple[Word, ...], index: int) -> tuple[str, str] | None:
    """Return a pronoun and its case, ``("she", "possessive")`` for *her* in *her hat*, else None.

    *His* and *its* alone are possessive before a noun, else ``"own"`` (*the hat is his*).
    """
    readings = _READINGS.get(words[index].text.lower())
    if readings is None or words[index].pos not in ("PRON", "DET"):
        return None
    if len(readings) == 1:
        return readings[0]
    name, cases = readings[0][0], [case for _, case in readings]
    if "possessive" in cases:
        before_noun = _before_noun(words, index)
        return name, "possessive" if before_noun else next(case for case in cases if case != "possessive")
    return name, "subject" if _is_subject(words, index) else "object"


def _before_noun(words: tuple[Word, ...], index: int) -> bool:
    place = index + 1
    while place < len(words) and words[place].pos in _BEFORE_NOUN:
        place += 1
    return place < len(words) and words[place].pos in ("NOUN", "PROPN")


def _is_subject(words: tuple[Word, ...], index: int) -> bool:
    """Say whether *you* or *it* is a subject: a verb agrees with it, or is next to it as with a subject."""
    if any(word.subject == index for word in words):
        return True
    place = index + 1
    while place < len(words) and words[place].pos == "ADV":
        place += 1
    if place < len(words):
        after = words[place]
        if after.pos == "AUX" or (after.pos == "VERB" and after.form in ("s", "past")):
            return True
    before = words[index - 1] if index else None
    if before is not None and before.pos == "AUX":
        return True
    starts = before is None or before.pos in ("PUNCT", "SCONJ", "CCONJ")
    return starts and place < len(words) and words[place].pos == "VERB"
