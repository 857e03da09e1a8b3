"""How the slots of a pattern are named: whole at first, then by a noun or pronoun, or as the pattern asks."""

from __future__ import annotations

from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, genitive_of, literal
from bertviz_lite.world.life.describing.drawing import Drawn, UnclearError
from bertviz_lite.world.life.describing.nouns import SceneNouns
from bertviz_lite.world.life.making.telling import Telling

_PRONOUN_CASES = {"he": "subject", "him": "object", "his": "possessive", "hers": "absolute", "self": "self"}
_FEW = ("some", "two", "three", "some", "many", "a few")
Named = tuple[list[Token], Token]  # the words, and the one with which a verb agrees


class Naming:
    """Names the slots of one pattern.

    Parameters
    ----------
    telling
        The text in the making.
    nouns
        Makes the noun phrases of first mentions.
    slots
        Who and what is in the scene, by letter.
    """

    def __init__(self, telling: Telling, nouns: SceneNouns, slots: dict[str, Drawn]) -> None:
        self.telling = telling
        self.phrases = telling.phrases
        self.nouns = nouns
        self.slots = slots
        self.told: set[str] = set()
        self.heads: dict[str, Token] = {}

    def mention(self, letter: str, way: str, before: list[Token], *, subject: bool) -> list[Token]:
        """Return the words for a slot; ``subject`` says whether its verb follows."""
        drawn = self.slots[letter]
        referent = drawn.referent
        first = letter not in self.told
        self.told.add(letter)
        if way in _PRONOUN_CASES or self.phrases.person(referent).person != 3:
            token = self._pronoun(referent, way, before)
            if way in ("", "he"):
                self.heads[letter] = token
            self.telling.memory.mention(referent)
            return [token]
        if way == "far":
            tokens, agreement = self.nouns.far(drawn)
            head = agreement.head or tokens[-1]
        elif way in ("", "possessive"):
            tokens, head = self._first(drawn, way, before, subject) if first else self._again(referent)
            if way == "possessive":
                tokens = [*tokens[:-1], *genitive_of(tokens[-1])]
        else:
            tokens, head = self._as_asked(referent, way)
        self.heads[letter] = head
        self.telling.memory.mention(referent)
        return tokens

    def _pronoun(self, referent: Referent, way: str, before: list[Token]) -> Token:
        case = _PRONOUN_CASES.get(way, way) or ("object" if _after_verb(before) else "subject")
        agreement = self.phrases.person(referent)
        key = referent.pronoun
        if agreement.person == 1:
            key = "we" if agreement.many else "I"
        elif agreement.person == 2:
            key = "you all" if agreement.many else "you"
        return self.phrases.pronoun(key, case, referent)

    def _first(self, drawn: Drawn, way: str, before: list[Token], subject: bool) -> Named:
        self.nouns.definite = self.nouns.definite_all or (bool(before) and before[-1].text not in (",", '"'))
        if way:  # whose it is
            return self._owner(drawn)
        few = len(self.slots) < 3
        tokens, agreement = self.nouns.first(drawn, 0.42 if subject and few else 0.1)
        return tokens, agreement.head or tokens[-1]

    def _owner(self, drawn: Drawn) -> Named:
        """Return whose something is, *the girl*, *Anna*: no *a girl called Anna*, nobody and somebody."""
        referent = drawn.referent
        if referent.members:
            raise UnclearError
        if referent.name:
            referent.noun, referent.adjectives, referent.kin = "", (), None
        tokens, agreement = self.nouns.owner(drawn)
        return tokens, agreement.head or tokens[-1]

    def _again(self, referent: Referent) -> Named:
        phrases = self.phrases
        if referent.members:
            plain, phrases.plain = phrases.plain, True
            tokens, agreement = phrases.refer(referent, "subject")
            phrases.plain = plain
            return tokens, agreement.head or tokens[0]
        if not referent.name:
            noun = phrases.noun(referent)
            return [literal("the", "DET"), noun], noun
        work, referent.noun = referent.noun, ""  # no *the miller* of somebody whose work was not told
        tokens = phrases.known_name(referent)
        referent.noun = work
        return tokens, tokens[-1]

    def _as_asked(self, referent: Referent, way: str) -> Named:
        """Return *the key*, *these keys*, *some keys*, *ones* … of something without a name."""
        if referent.members or referent.name or not referent.noun:
            raise UnclearError
        many = referent.many
        if way in ("one", "dem"):
            text = ("ones" if many else "one") if way == "one" else ("these" if many else "this")
            token = literal(text, "PRON")
            token.entity, token.form = referent.chain, "plural" if many else "singular"
            return [token], token
        if way == "many":  # of one: two such, of which it is one
            all_of_them = Referent(referent.kind, referent.noun, referent.gender, True, pair=referent.pair)
            noun = self.phrases.noun(self.telling.memory.enter(all_of_them))
            referent.adjectives = ()
            return [noun], noun
        noun = self.phrases.noun(referent)
        self.telling.memory.lemmas.add(noun.lemma)
        if way == "bare":
            return [noun], noun
        looks = [literal(word, "ADJ") for word in referent.adjectives]
        start = way
        if way == "noun":
            start = ""
        elif way in ("this", "that") and many:
            start = {"this": "these", "that": "those"}[way]
        elif way == "any":
            start = "any" if many or referent.mass else "a"
        elif way == "a":
            start = "some" if referent.mass else self.telling.dice.pick(_FEW) if many else "a"
        return [*[literal(word, "DET", "NUM") for word in start.split()], *looks, noun], noun


def _after_verb(before: list[Token]) -> bool:
    """Say whether what comes now follows a verb or a preposition."""
    last = before[-1] if before else None
    if last is None:
        return False
    return last.pos == "VERB" or (last.pos == "ADP" and last.lemma not in ("than", "as"))
