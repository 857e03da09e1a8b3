"""Noun phrases of a scene at their first mention: determiners, *of*, places, relative clauses, *one of*, *or*."""

from __future__ import annotations

import re

from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import COLOURS, THINGS
from bertviz_lite.world.grammar.clauses import Manner
from bertviz_lite.world.grammar.notation import Slot
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, literal, mark, written
from bertviz_lite.world.grammar.verb_groups import Agreement
from bertviz_lite.world.life.describing.drawing import Drawing, Drawn
from bertviz_lite.world.life.describing.said import doing, may_be_said
from bertviz_lite.world.life.telling import Telling

Phrase = tuple[list[Token], Agreement]

_OF_ONE = words("the the the the the the a a this that every each another my your our his her the")
_OF_MANY = entries(
    """the, the, the, the, the, the, these, those, two, three, some, many, several, all the, both, my, our, their, most,
    the two, a few, the other, four, five, few, all these, the three, your, his, her"""
)
_OF_MASS = words("the the the the some this that my our the")
_DEFINITE = words("the the the the this that my your our his her the the")
_DEFINITE_MANY = entries("the, the, the, the, these, those, my, your, our, his, her, the two, the other, all the, the")
_NEAR = words("near behind beside under on in near behind beside") + ("in front of", "next to", "between", "from")
_SPOTS = {
    "near": words("box gate window door tree table chair bench fence wall lamp flower stone house bed clock basket"),
    "on": words("table shelf chair wall roof bed desk bench floor tray plate sofa"),
    "under": words("table bed tree bench chair desk bridge shelf blanket"),
    "in": words("box kitchen room house basket garden cupboard bag drawer barn cellar shop hall"),
    "of": words("farmer baker teacher boy girl neighbour woman man king queen child doctor twin sailor"),
    "from": words("farm village market shop town city island forest harbour garden"),
}
_PEOPLE_SPOTS = {
    "near": words("gate window door tree bench bridge house fence lake pond car stable wall shop"),
    "in": words("garden kitchen park shop house street field room barn hall boat school yard"),
    "on": words("bridge bench beach hill road stair horse cart ladder swing"),
    "with": words("hat coat scarf basket bag drum dog umbrella ball suitcase flower book kite bicycle bucket cat"),
    "from": words("village town city island farm castle bakery school"),
}
_MASS_SPOTS = {
    "on": words("table shelf tray stove"),
    "in": words("kitchen cup bowl pot bottle jug glass cupboard"),
    "from": words("farm village market shop bakery"),
}
_OWN = frozenset(words("child friend neighbour teacher doctor baby son daughter sister brother baker dog cat"))
_OWN_PLACES = frozenset(words("room kitchen shop house garden bedroom street village school town"))
_ANIMAL_SPOTS = {
    "near": words("pond barn tree gate river house fence wall well"),
    "in": words("garden field forest barn stable yard tree meadow park"),
    "on": words("roof hill wall fence island farm"),
    "under": words("table bed tree bench bush cart"),
    "of": words("farmer neighbour baker twin girl boy king woman man"),
}
_NO_WORDS = ("car", "stair")


class SceneNouns:
    """Makes the noun phrases of one scene.

    Parameters
    ----------
    telling
        The text in the making.
    drawing
        Draws whoever a modifier speaks of.
    """

    def __init__(self, telling: Telling, drawing: Drawing) -> None:
        self.telling = telling
        self.phrases = telling.phrases
        self.memory = telling.memory
        self.dice = telling.dice
        self.drawing = drawing
        self.placed = False
        self.definite = False

    def first(self, drawn: Drawn, modified: float) -> Phrase:
        """Return the noun phrase of a first mention; ``modified`` is the chance that more is said about it."""
        tokens, agreement = self._first(drawn, modified)
        chain = drawn.referent.chain
        for token in tokens:
            if token.entity is None and token.pos in ("NOUN", "PROPN") and token is agreement.head:
                token.entity = chain
        self.memory.mention(drawn.referent)
        self.memory.lemmas.update(token.lemma for token in tokens if token.pos == "NOUN")
        return tokens, agreement

    def _first(self, drawn: Drawn, modified: float) -> Phrase:
        referent, dice = drawn.referent, self.dice
        if drawn.joined:
            return self._joined(drawn)
        if drawn.whole is not None:
            return self._part(drawn)
        if referent.members or self.phrases.person(referent).person != 3:
            return self.phrases.refer(referent, "subject")
        if referent.name:
            tokens = self.phrases._named(referent, False)
            head = self._head(tokens, referent)
            if referent.kind == "person" and dice.chance(0.1 * modified):
                tokens = [*tokens, mark(","), *self._relative(drawn, comma=True), mark(",")]
            return tokens, Agreement(3, False, head)
        if referent.kin is not None:
            tokens = [*self.phrases.owner(referent.kin), self.phrases.noun(referent)]
            return tokens, Agreement(3, referent.many, tokens[-1])
        if dice.chance(modified):
            return self._modified(drawn)
        if self.definite or referent.noun in ("king", "queen"):
            return self._plain(drawn, _DEFINITE_MANY if referent.many else _DEFINITE)
        return self._plain(drawn, _OF_MANY if referent.many else _OF_MASS if referent.mass else _OF_ONE)

    def _head(self, tokens: list[Token], referent: Referent) -> Token:
        for token in tokens:
            if token.entity is None and token.pos in ("NOUN", "PROPN") and token.lemma != "call":
                token.entity = referent.chain
        return next(token for token in tokens if token.pos in ("NOUN", "PROPN") and token.entity == referent.chain)

    def _plain(self, drawn: Drawn, determiners: tuple[str, ...], *, adjectives: bool = True) -> Phrase:
        referent = drawn.referent
        noun = self.phrases.noun(referent)
        start = written(self.dice.pick(determiners), "DET", "NUM")
        if referent.noun in ("king", "queen") or start[-1].lemma in _MINE and referent.kind in ("person", "animal") and referent.noun not in _OWN:
            start = [literal("the")]
        if start[-1].lemma in _MINE and drawn.kinds == ("place",) and referent.noun not in _OWN_PLACES:
            start = [literal("the")]
        if start[-1].text in ("my", "our") and self.phrases.speaker is not None:
            start = [literal("the")]
        looks = [literal(word, "ADJ") for word in referent.adjectives] if adjectives else []
        if looks and start[-1].lemma in ("much",):
            looks = []
        referent.determiner = "the"
        return [*start, *looks, noun], Agreement(3, referent.many, noun)

    def _modified(self, drawn: Drawn) -> Phrase:
        dice, referent = self.dice, drawn.referent
        choice = dice.random()
        if choice < 0.13 and not referent.mass:
            return self._one_of(drawn)
        if choice < 0.13 and referent.mass:
            words = dice.pick(("some", "most", "all", "half"))
            start = written(f"{words} of the", "PRON", "ADP", "DET")
            noun = self.phrases.noun(referent)
            start[0].entity = referent.chain
            return [*start, noun], Agreement(3, False, start[0])
        quiet = ("the", "the", "those", "these", "two", "some", "three", "all the", "our", "my") if referent.many else (
            "the", "the", "the", "a" if not self.definite else "the", "this", "that", "every" if not self.definite else "the", "our", "my") if not referent.mass else ("the", "the", "this")
        if choice < 0.45:
            start, agreement = self._plain(drawn, quiet, adjectives=dice.chance(0.4))
            clause = self._relative(drawn)
            return [*start, *clause], agreement
        start, agreement = self._plain(drawn, quiet, adjectives=dice.chance(0.4))
        return [*start, *self._place(drawn)], agreement

    def _one_of(self, drawn: Drawn) -> Phrase:
        """*One of the boys*, *the smallest of the kittens*, *two of the cups*."""
        referent, dice = drawn.referent, self.dice
        choice = dice.random()
        if referent.many:
            first = dice.pick(words("two three some many most all several both five four few")[: 3 if self.definite else None])
            head = literal(first, "NUM", "PRON", "DET")
            front = [head]
        elif choice < 0.45:
            head = literal("one", "NUM")
            front = [head]
        elif choice < 0.6 and not self.definite:
            head = literal("each", "PRON")
            front = [head]
        else:
            kind = {"person": "youngest oldest tallest smallest strongest", "animal": "smallest biggest youngest oldest"}
            looks = kind.get(referent.kind, "biggest smallest oldest largest")
            head = literal(dice.pick(looks.split()), "ADJ")
            front = [literal("the"), head]
        head.entity = referent.chain
        all_of_them = Referent(referent.kind, referent.noun, referent.gender, True)
        self.memory.enter(all_of_them)
        all_of_them.pair = referent.pair
        noun = self.phrases.noun(all_of_them)
        start = written(dice.pick(("the", "the", "these", "those", "my", "our")), "DET")
        return [*front, literal("of", "ADP"), *start, noun], Agreement(3, referent.many, head)

    def _place(self, drawn: Drawn) -> list[Token]:
        """Return a phrase about it whose noun, mostly, has the other number."""
        referent, dice = drawn.referent, self.dice
        table = _MASS_SPOTS if referent.mass else {"person": _PEOPLE_SPOTS, "animal": _ANIMAL_SPOTS, "pet": _ANIMAL_SPOTS}.get(referent.kind, _SPOTS)
        thing = THINGS.get(referent.noun)
        if thing is not None and thing.kind in ("furniture", "vehicle", "build"):
            table = {word: nouns for word, nouns in table.items() if word not in ("on", "in", "under")}
        free = tuple(word for word in table if not (self.placed and word in ("near", "in", "on", "under")))
        preposition = dice.pick(free or ("from",))
        noun = dice.pick([word for word in table.get(preposition, _SPOTS["from"]) if word not in _NO_WORDS and word != referent.noun])
        many = dice.chance(0.3) if referent.many else dice.chance(0.68)
        if preposition == "from" and dice.chance(0.7):
            many = False
        if noun in ("king", "queen"):
            many = False
        if preposition == "near" and dice.chance(0.7) and noun not in ("pond", "lake", "river", "well", "stable"):
            preposition = dice.pick(("behind", "beside", "next to", "in front of", "between" if many else "by"))
        kind = "person" if noun in _SPOTS["of"] else "thing"
        other = self.memory.enter(Referent(kind, noun, dice.pick("fm") if kind == "person" else "n", many))
        other.determiner = dice.pick(("the", "the", "the", "the", "our" if kind != "person" else "the"))
        if preposition == "with":
            other.determiner = dice.pick(("the", "two", "some", "the two") if many else ("a", "the", "a"))
        thing = THINGS.get(noun)
        if dice.chance(0.3):
            colour = dice.pick(COLOURS) if thing is not None and thing.coloured else dice.pick(("old", "big", "little", "new"))
            if kind != "person":
                other.adjectives = (colour,)
        plain, self.phrases.plain = self.phrases.plain, True
        tokens, _ = self.phrases.refer(other, "object")
        self.phrases.plain = plain
        return [*written(preposition, "ADP"), *tokens]

    def _relative(self, drawn: Drawn, *, comma: bool = False) -> list[Token]:
        """Return a relative clause about it: *who feeds the hens*, *that Ella wants*."""
        referent, dice, telling = drawn.referent, self.dice, self.telling
        objects = dice.chance(0.45) and not comma
        kinds = drawn.kinds if drawn.kinds[-1] in ("people", "animal", "mass", "place") else (*drawn.kinds, "thing")
        entries_of = may_be_said("by" if objects else "who", kinds)
        if self.placed:
            entries_of = tuple(entry for entry in entries_of if not _PLACED.search(entry)) or entries_of
        clause = doing(dice.pick(entries_of))
        bindings: dict[str, Referent] = {"R": referent}
        for phrase in (clause.subject, *clause.phrases):
            for part in phrase:
                if isinstance(part, Slot) and part.letter not in bindings:
                    other = self.drawing.draw(part.type or dice.pick(("child", "person", "I", "we", "kin", "you")))
                    if other.speaks:
                        other = self._someone_who_speaks(other)
                    if other.referent.kind in ("thing", "animal") and not other.referent.name:
                        other.referent.determiner = dice.pick(("the", "two", "some") if other.referent.many else ("the", "a"))
                        other.referent.adjectives = ()
                    bindings[part.letter] = other.referent
        happens = clause.verb.lemma in _EVENTS
        tense = "past" if happens or telling.tense == "past" else "present"
        plain, self.phrases.plain = self.phrases.plain, True
        try:
            return self._relative_words(clause, bindings, referent, Manner(tense, contracted=dice.chance(0.3)), comma=comma)
        finally:
            self.phrases.plain = plain

    def _someone_who_speaks(self, other: Drawn) -> Drawn:
        """Return one who says "I", "we" or is "you" from now on, or another if somebody is that already."""
        phrases = self.phrases
        one = other.referent.members[0] if other.referent.members else other.referent
        if phrases.speaker is not None or phrases.addressee is not None:
            return self.drawing.draw("child")
        if other.speaks == "you":
            phrases.addressee = one
        else:
            phrases.speaker = one
        return other

    def _relative_words(self, clause, bindings, referent: Referent, manner: Manner, *, comma: bool) -> list[Token]:  # noqa: ANN001
        dice, clauses = self.dice, self.telling.clauses
        first = clause.subject[0]
        person = referent.kind in ("person", "group")
        if isinstance(first, Slot) and first.letter == "R":
            who = "who" if person and (comma or dice.chance(0.8)) else "which" if comma or dice.chance(0.35) else "that"
            if comma and person:
                who = "who"
            self.memory.mention(referent)
            words = clauses.tell(clause, bindings, Manner(manner.tense, subject=False))
            return [Token(who, who, "PRON", entity=referent.chain), *words]
        words = clauses.tell(clause, bindings, Manner(manner.tense, contracted=False, skipped=_place_of(clause)))
        if dice.chance(0.5):
            return words
        who = "that" if dice.chance(0.55) else ("whom" if dice.chance(0.3) else "who") if person else "which"
        return [Token(who, who, "PRON", entity=referent.chain), *words]

    def _part(self, drawn: Drawn) -> Phrase:
        """*The leaves of the tree*, *the smell of the pancakes*, *a bag of potatoes*."""
        referent, whole = drawn.referent, drawn.whole
        noun = self.phrases.noun(referent)
        start = [literal(self.dice.pick(("the", "the", "the", "the", "those" if referent.many else "that")), "DET")]
        plain, self.phrases.plain = self.phrases.plain, True
        tokens, _ = self.phrases.refer(whole, "object")
        self.phrases.plain = plain
        return [*start, noun, literal("of", "ADP"), *tokens], Agreement(3, referent.many, noun)

    def _joined(self, drawn: Drawn) -> Phrase:
        """*Kate or her daughters*, *neither the cat nor the dogs*, *not the goats but the pony*."""
        word, first, second = drawn.joined
        plain, self.phrases.plain = self.phrases.plain, True
        one, _ = self.phrases.refer(first, "subject")
        other, agreement = self.phrases.refer(second, "subject")
        self.phrases.plain = plain
        if word == "or":
            tokens = [*one, literal("or", "CCONJ"), *other]
        else:
            tokens = [literal("not", "PART"), *one, literal("but", "CCONJ"), *other]
        return tokens, agreement


_MINE = frozenset(words("my your his her our their"))
_EVENTS = frozenset(words("buy make find lose give bring break mend build bake send meet sell draw win paint forget plant catch see fall"))


_PLACED = re.compile(r"\b(in|on|at|under|behind|near|outside|here|there|away|home)\b")


def is_placed(text: str) -> bool:
    """Say whether an entry of ``said.txt`` tells where somebody or something is."""
    return _PLACED.search(text) is not None


def _place_of(clause) -> int:  # noqa: ANN001
    return next(
        place
        for place, phrase in enumerate(clause.phrases)
        if len(phrase) == 1 and isinstance(phrase[0], Slot) and phrase[0].letter == "R"
    )
