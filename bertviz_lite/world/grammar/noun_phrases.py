"""Noun phrases: by which words someone or something goes, given who speaks and what was mentioned so far."""

from __future__ import annotations

from collections.abc import Callable

from bertviz_lite.world.english.grammar import article, plural
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.grammar.lexicon.words import parts_and_clothes
from bertviz_lite.world.grammar.referents import Detail, Memory, Referent, common_noun
from bertviz_lite.world.grammar.tokens import Token, genitive, literal, modifier, written
from bertviz_lite.world.grammar.verb_groups import Agreement

# case -> pronoun, by person 1 and 2 and by "f", "m", "n", "p" for the third
PRONOUNS = {
    "I": ("I", "me", "my", "myself", "mine"),
    "we": ("we", "us", "our", "ourselves", "ours"),
    "you": ("you", "you", "your", "yourself", "yours"),
    "you all": ("you", "you", "your", "yourselves", "yours"),
    "m": ("he", "him", "his", "himself", "his"),
    "f": ("she", "her", "her", "herself", "hers"),
    "n": ("it", "it", "its", "itself", "its"),
    "p": ("they", "them", "their", "themselves", "theirs"),
}
CASES = ("subject", "object", "possessive", "self", "absolute")


class NounPhrases:
    """Makes noun phrases; draws where there is a choice.

    Attributes
    ----------
    speaker, addressee
        Who says "I" and who is "you" now; None where nobody does.
    subject
        The subject of the sentence that is being told.
    relative
        Makes the words of a relative clause; set by ``clauses``.
    """

    def __init__(self, dice: Dice, memory: Memory) -> None:
        self.dice = dice
        self.memory = memory
        self.speaker: Referent | None = None
        self.addressee: Referent | None = None
        self.subject: Referent | None = None
        self.plain = False
        self.joined = False
        self.relative: Callable[[Detail, Referent], list[Token]] | None = None

    def person(self, referent: Referent) -> Agreement:
        """Return the person and number of a referent for who speaks now."""
        members = (referent, *referent.members)
        if self.speaker is not None and self.speaker in members:
            return Agreement(1, referent is not self.speaker or referent.many)
        if self.addressee is not None and self.addressee in members:
            return Agreement(2, referent is not self.addressee or referent.many)
        return Agreement(3, referent.many)

    def refer(
        self, referent: Referent, case: str = "object", *, determined: bool = False
    ) -> tuple[list[Token], Agreement]:
        """Return the words for a referent in a case, and what a verb agrees with."""
        agreement = self.person(referent)
        memory = self.memory
        memory.case = case
        if agreement.person != 3:
            key = {1: "we" if agreement.many else "I", 2: "you all" if agreement.many else "you"}[
                agreement.person
            ]
            tokens = [self.pronoun(key, case, referent)]
        elif self._goes_by_pronoun(referent, case):
            tokens = [self.pronoun(referent.pronoun, case, referent)]
            if referent is self.subject and memory.mentioned_here(referent):
                tokens[0].determined = "pronoun"
        else:
            known = memory.mentioned(referent)
            tokens = self._noun_phrase(referent, known, case)
            for token in tokens:
                if token.entity is None and token.pos in ("NOUN", "PROPN", "PRON") and token.name != "":
                    token.entity = referent.chain
            if case == "possessive":
                tokens = genitive(tokens)
        heads = [token for token in tokens if token.entity == referent.chain] or _heads(tokens, referent)
        if determined and heads[-1].pos == "NOUN":
            heads[-1].determined = self._why(heads[-1])
        memory.case = case
        if agreement.person == 3 or referent.members:
            memory.mention(referent, *self._speakers())
        memory.lemmas.update(token.lemma for token in tokens if token.pos == "NOUN")
        return tokens, Agreement(agreement.person, agreement.many, heads[0])

    def _speakers(self) -> list[Referent]:
        return [one for one in (self.speaker, self.addressee) if one is not None]

    def _why(self, token: Token) -> str:
        return "mention" if token.lemma in self.memory.lemmas else "consequence"

    def pronoun(self, key: str, case: str, referent: Referent) -> Token:
        """Return a pronoun."""
        if referent.chain < 0:
            self.memory.enter(referent)
        text = PRONOUNS[key][CASES.index(case)]
        form = "plural" if key in ("we", "you all", "p") else "singular"
        return Token(text, PRONOUNS[key][0], "PRON", form, entity=referent.chain)

    def _goes_by_pronoun(self, referent: Referent, case: str) -> bool:
        memory, dice = self.memory, self.dice
        if referent.members and case == "possessive" and memory.mentioned_here(referent):
            return True
        if referent.kind == "place" or not memory.pronoun_is_clear(referent, case):
            return case == "self"
        if case == "self":
            return True
        if self.joined and referent.pronoun == "n":
            return False
        if memory.mentioned_here(referent):
            return True
        return dice.chance(0.93 if referent.kind in ("person", "pet", "group") else 0.85)

    # Full noun phrases.

    def _noun_phrase(self, referent: Referent, known: bool, case: str = "object") -> list[Token]:
        if referent.chain < 0:
            self.memory.enter(referent)
        kind = referent.kind
        if referent.members and (not known or case == "possessive" or self.dice.chance(0.5)):
            return self._members(referent, case)
        if referent.name:
            if case == "possessive" and not known and referent.intro not in ("kin", "job"):
                known = True  # Lily's friends, not a girl called Lily's friends
            return self._named(referent, known)
        if kind == "group" and referent.members:
            noun = common_noun(referent)
            if len(referent.members) == 2 and self.dice.chance(0.4):
                noun = "two"
            if noun == "two" and case != "subject":
                return self._members(referent, case)
            if noun == "two":
                return [literal("the"), Token("two", "two", "NUM", entity=referent.chain)]
            return [literal("the"), literal(noun, "NOUN")]
        if kind == "one":
            return written(referent.noun, "PRON")
        tokens = self._described(referent, known)
        if case == "possessive" and tokens[0].lemma == "a":  # the girl's sister: one knows whose she is
            tokens[0] = literal("the", "DET")
        if referent.details and not known and not self.plain and self.dice.chance(0.5):
            tokens += self._detail(self.dice.pick(referent.details), referent)
        return tokens

    def _members(self, group: Referent, case: str) -> list[Token]:
        tokens: list[Token] = []
        for place, member in enumerate(group.members):
            if place:
                tokens.append(literal("and", "CCONJ"))
            agreement = self.person(member)
            if agreement.person != 3:
                key = "I" if agreement.person == 1 else "you"
                tokens.append(self.pronoun(key, case if case in ("subject", "object") else "object", member))
                continue
            if member.kin is not None and member.kin in group.members and place == 0:
                part = self._named(member, True) if member.name else self._described(member, False)
            else:
                part = self._noun_phrase(member, self.memory.mentioned(member))
            for token in part:
                if token.entity is None and token.pos in ("NOUN", "PROPN"):
                    token.entity = member.chain
            self.memory.mention(member, *self._speakers())
            tokens += part
        return tokens

    def full_name(self, referent: Referent) -> list[Token]:
        """Return a name at its first mention: *Tom*, *Eva the nurse*, *a girl called Mia*."""
        return self._named(referent, False)

    def known_name(self, referent: Referent) -> list[Token]:
        """Return a name that was mentioned: *Tom*, *the nurse*."""
        tokens = self._named(referent, True)
        for token in tokens:
            token.entity = None if token.pos == "DET" else referent.chain
        return tokens

    def _named(self, referent: Referent, known: bool) -> list[Token]:
        dice = self.dice
        name = [
            Token(part, part, "PROPN", "singular", name=_name_kind(referent))
            for part in referent.name.split()
        ]
        if referent.kind == "place":
            return name
        if known:
            clear = self.memory.noun_is_clear(referent) and self.memory.only_one_of(referent)
            if referent.noun and clear and self.memory.mentioned(referent) and dice.chance(0.15):
                if referent.kin is None:
                    return [literal("the"), literal(referent.noun, "NOUN")]
                if self.memory.pronoun_is_clear(referent.kin, "possessive"):
                    return [*self.owner(referent.kin), literal(referent.noun, "NOUN")]
            return name
        if referent.intro:
            return self._introduced(referent, name)
        if referent.kind == "pet" and referent.owner is not None and dice.chance(0.7):
            return [*self.owner(referent.owner), literal(referent.noun, "NOUN"), *name]
        if referent.kin is not None and dice.chance(0.5):
            return [*self.owner(referent.kin), literal(referent.noun, "NOUN"), *name]
        if referent.adjectives and dice.chance(0.12):
            return [literal(referent.adjectives[0], "ADJ"), *name]
        if referent.noun and dice.chance(0.12):
            if referent.noun in ("girl", "boy", "woman", "man") or dice.chance(0.3):
                called = Token("called", "call", "VERB", "participle")
                return [literal(article(referent.noun)), literal(referent.noun, "NOUN"), called, *name]
            return [*name, literal("the"), literal(referent.noun, "NOUN")]
        return name

    def _introduced(self, referent: Referent, name: list[Token]) -> list[Token]:
        """Return a name that is mentioned for the first time, with what its ``intro`` says."""
        noun = literal(referent.noun, "NOUN") if referent.noun else None
        if referent.intro == "kin" and referent.kin is not None and noun is not None:
            return [*self.owner(referent.kin), noun, *name]
        if referent.intro == "job" and noun is not None:
            return [*name, literal("the"), noun]
        looks = [literal(word, "ADJ") for word in referent.adjectives]
        if referent.intro == "called" and noun is not None:
            return [literal("a"), *looks, noun, Token("called", "call", "VERB", "participle"), *name]
        return [*looks, *name] if referent.intro == "look" else name

    def _described(self, referent: Referent, known: bool) -> list[Token]:
        dice = self.dice
        noun = self.noun(referent)
        adjectives = [token for word in referent.adjectives for token in modifier(word)]
        if known:
            theirs = noun.lemma in parts_and_clothes() or dice.chance(0.6)
            if referent.owner is not None and theirs and referent.kind != "person":
                return [*self.owner(referent.owner), noun]
            told_apart = self.memory.noun_is_clear(referent) and not dice.chance(0.2)
            chosen = [] if told_apart and referent.noun != "one" else adjectives[-1:]
            if referent.kin is not None:
                return [*self.owner(referent.kin), noun]
            start = "the"
            if referent.kind in ("thing", "animal") and dice.chance(0.05):
                start = "those" if referent.many else "that"
            return [literal(start, "DET"), *chosen, noun]
        owner = referent.kin or referent.owner
        if owner is not None:
            return [*self.owner(owner), *adjectives, noun]
        if referent.measure:
            return [literal("a"), literal(referent.measure, "NOUN"), literal("of", "ADP"), noun]
        determiner = [literal(word, "DET", "NUM") for word in referent.determiner.split()]
        return [*determiner, *adjectives, noun]

    def owner(self, owner: Referent) -> list[Token]:
        """Return the possessive of an owner, "her" or "Anna's", which is also a mention of the owner."""
        plain, self.plain, case = self.plain, True, self.memory.case
        tokens, _ = self.refer(owner, "possessive")
        self.plain, self.memory.case = plain, case
        return tokens

    def noun(self, referent: Referent) -> Token:
        """Return the noun of a referent in its number."""
        noun, dot, _ = referent.noun.partition(".")
        many = referent.many
        text = plural(noun) if many and not referent.pair else noun
        token = literal(text, "NOUN")
        token.form = "plural" if many else "singular"
        token.sense = referent.noun if dot else None
        token.entity = referent.chain
        return token

    def _detail(self, detail: Detail, referent: Referent) -> list[Token]:
        plain, self.plain, case = self.plain, True, self.memory.case
        self.memory.aside += 1
        try:
            if detail.clause is not None and self.relative is not None:
                return self.relative(detail, referent)
            if detail.referent is None:
                return written(detail.word)
            start = written(detail.word, "ADP")
            return [*start, *self.refer(detail.referent, "object")[0]]
        finally:
            self.memory.aside -= 1
            self.plain, self.memory.case = plain, case


def _name_kind(referent: Referent) -> str:
    return referent.kind if referent.kind in ("pet", "place") else "person"


def _heads(tokens: list[Token], group: Referent) -> list[Token]:
    """Return the words for the members of a group that is named one by one."""
    chains = {member.chain for member in group.members}
    nouns = [token for token in tokens if token.entity in chains and token.pos in ("NOUN", "PROPN", "PRON")]
    return nouns or tokens
