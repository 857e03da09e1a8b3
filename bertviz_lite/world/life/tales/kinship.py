"""What people of a family are to one another: mother, brother, wife."""

from __future__ import annotations

from bertviz_lite.world.events.town import Person
from bertviz_lite.world.grammar.lexicon.words import words_of

WOMEN, MEN = frozenset(words_of("NOUN", "person f")), frozenset(words_of("NOUN", "person m"))
# How old one's kin are where it does not depend on oneself.
AGES = {
    "mother": "adult",
    "father": "adult",
    "grandmother": "old",
    "grandfather": "old",
    "son": "child",
    "daughter": "child",
}


def kin_noun(of: Person, one: Person) -> str:
    """Return what somebody of the same family is to a person: "brother", "grandmother" …, or nothing."""
    female = one.gender == "f"
    match (of.age, one.age):
        case ("child", "child") | ("adult", "adult"):
            if of is one:
                return ""
            if of.age == "child":
                return "sister" if female else "brother"
            return "wife" if female else "husband"
        case ("child", "adult") | ("adult", "old"):
            return "mother" if female else "father"
        case ("child", "old"):
            return "grandmother" if female else "grandfather"
        case ("adult", "child") | ("old", "adult"):
            return "daughter" if female else "son"
    return ""


def noun_fits(noun: str, kind: str, lead_age: str) -> bool:
    """Say whether kin that goes by a noun can play a role of a kind, given how old the other one is."""
    grown = noun in ("mother", "father", "grandmother", "grandfather", "wife", "husband")
    if kind in ("child", "girl", "boy") and (grown or lead_age == "old"):
        return False
    if kind in ("adult", "woman", "man") and not grown:
        return False
    if (
        kind == "old"
        and noun not in ("grandmother", "grandfather")
        and not (lead_age == "adult" and noun in ("mother", "father"))
    ):
        return False
    if kind in ("woman", "girl") and noun in MEN:
        return False
    return not (kind in ("man", "boy") and noun in WOMEN)
