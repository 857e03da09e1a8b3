"""Noun phrases of a scene at their first mention: determiners, places, relative clauses, *one of*, *or*."""

from __future__ import annotations

from bertviz_lite.world.english.grammar import plural
from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import COLOURS, THINGS
from bertviz_lite.world.grammar.lexicon.words import readings
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, genitive, literal, mark, written
from bertviz_lite.world.grammar.verb_groups import Agreement
from bertviz_lite.world.life.describing.drawing import Drawing, Drawn, UnclearError
from bertviz_lite.world.life.describing.relatives import Relatives
from bertviz_lite.world.life.describing.said import spots
from bertviz_lite.world.life.making.telling import Telling

Phrase = tuple[list[Token], Agreement]

_OF_ONE = words("the the the the the the a a my your our his her the this that")
_OF_MANY = entries(
    """the, the, the, the, the, the, these, those, two, three, some, many, several, all the, my, our, their,
    the two, a few, four, five, the three, your, his, her"""
)
_OF_MASS = words("the the the the some this my our the")
_OF_ONE_FAR = words("the the the the the a a a this that every each")
_OF_MANY_FAR = entries("the, the, the, the, two, three, many, some, these, those, both, all the, several")
_SHORT = words("the the the a")
_DEFINITE = words("the the the the this that my your our his her the the")
_DEFINITE_MANY = entries("the, the, the, the, these, those, my, your, our, his, her, the two, all the, the")
_OWN = frozenset(
    words("child friend neighbour teacher baby son daughter sister brother dog cat kitten puppy")
)
_OWN_PLACES = frozenset(words("room kitchen shop house garden bedroom street village school town"))


class SceneNouns:
    """Makes the noun phrases of one scene.

    Parameters
    ----------
    telling
        The text in the making.
    drawing
        Draws whoever a modifier speaks of.

    Attributes
    ----------
    relatives
        Makes the relative clauses.
    definite
        Whether no *every* and no *most* may begin this phrase, because more is said of it; ``definite_all``
        is that of all phrases.
    questioned
        Whether it is asked about, so that it is *the*, *this* or *my*.
    short
        Whether no more is said of anybody than who it is, *the goat*, so that it is nobody's.
    """

    def __init__(self, telling: Telling, drawing: Drawing) -> None:
        self.telling = telling
        self.phrases = telling.phrases
        self.memory = telling.memory
        self.dice = telling.dice
        self.drawing = drawing
        self.relatives = Relatives(telling, drawing)
        self.definite = False
        self.definite_all = False
        self.questioned = False
        self.short = False

    def first(self, drawn: Drawn, modified: float) -> Phrase:
        """Return the noun phrase of a first mention; ``modified`` is the chance that more is said of it."""
        tokens, agreement = self._first(drawn, modified)
        chain = drawn.referent.chain
        for token in tokens:
            if token.entity is None and token.pos in ("NOUN", "PROPN") and token is agreement.head:
                token.entity = chain
        self.memory.mention(drawn.referent)
        self.memory.lemmas.update(token.lemma for token in tokens if token.pos == "NOUN")
        return tokens, agreement

    def owner(self, drawn: Drawn) -> Phrase:
        """Return the noun phrase of somebody, at the first mention, to whom something belongs."""
        referent = drawn.referent
        known = referent.kin is not None or referent.name or self.phrases.person(referent).person != 3
        return self.first(drawn, 0.0) if known else self._plain(drawn, ("the",))

    def _first(self, drawn: Drawn, modified: float) -> Phrase:
        referent, dice = drawn.referent, self.dice
        if drawn.joined is not None:
            return self._joined(drawn.joined)
        if drawn.whole is not None:
            return self._part(referent, drawn.whole)
        if referent.members or self.phrases.person(referent).person != 3:
            return self.phrases.refer(referent, "subject")
        if referent.name:
            tokens = self.phrases.full_name(referent)
            head = self._head(tokens, referent)
            if referent.kind == "person" and dice.chance(0.1 * modified):
                clause = self.relatives.about(drawn, head, comma=True)
                tokens = [*tokens, mark(","), *clause, mark(",")]
            return tokens, Agreement(3, False, head)
        if referent.kin is not None:
            tokens = [*self.phrases.owner(referent.kin), self.phrases.noun(referent)]
            return tokens, Agreement(3, referent.many, tokens[-1])
        if dice.chance(0.0 if self.short else modified):
            return self._modified(drawn)
        if referent.noun in ("king", "queen"):
            return self._plain(drawn, ("the",))
        if self.short and self.definite:
            return self._plain(drawn, ("the",) if self.questioned or referent.many else _SHORT)
        if self.definite and not referent.mass:
            open_ones = ("two", "some", "three", "some") if referent.many else ("a", "a", "a", "a")
            ones = _DEFINITE_MANY if referent.many else _DEFINITE
            return self._plain(drawn, ones if self.questioned else ones + open_ones)
        return self._plain(drawn, _OF_MANY if referent.many else _OF_MASS if referent.mass else _OF_ONE)

    def _head(self, tokens: list[Token], referent: Referent) -> Token:
        for token in tokens:
            if token.entity is None and token.pos in ("NOUN", "PROPN") and token.lemma != "call":
                token.entity = referent.chain
        return next(
            token for token in tokens if token.pos in ("NOUN", "PROPN") and token.entity == referent.chain
        )

    def _plain(self, drawn: Drawn, determiners: tuple[str, ...], *, adjectives: bool = True) -> Phrase:
        referent = drawn.referent
        noun = self.phrases.noun(referent)
        start = written(self.dice.pick(determiners), "DET", "NUM")
        if referent.noun in ("king", "queen") or (
            start[-1].lemma in _MINE and referent.kind in ("person", "animal") and referent.noun not in _OWN
        ):
            start = [literal("the")]
        if start[-1].lemma in _MINE and drawn.kinds == ("place",) and referent.noun not in _OWN_PLACES:
            start = [literal("the")]
        if start[-1].text in ("my", "our") and self.phrases.speaker is not None:
            start = [literal("the")]
        if start[-1].lemma in _SHOWING and not self._is_shown(referent):
            start = [literal("the")]
        looks = [literal(word, "ADJ") for word in referent.adjectives] if adjectives else []
        if looks and start[-1].lemma == "much":
            looks = []
        referent.determiner = "the"
        return [*start, *looks, noun], Agreement(3, referent.many, noun)

    def far(self, drawn: Drawn) -> Phrase:
        """Return *the boy with the two dogs*, with a noun of the other number after the first.

        Raises
        ------
        UnclearError
            Where nothing like that can be said of it.
        """
        referent, dice = drawn.referent, self.dice
        if referent.members or referent.name or referent.kin is not None or referent.mass:
            raise UnclearError
        starts = _OF_ONE_FAR if not referent.many else _OF_MANY_FAR
        if dice.chance(0.4) or self.relatives.placed:
            start, agreement = self._plain(drawn, starts, adjectives=dice.chance(0.2))
            head = agreement.head or start[-1]
            return [*start, *self.relatives.about(drawn, head, other=True)], agreement
        after = self._far_place(drawn)
        start, agreement = self._plain(drawn, starts, adjectives=dice.chance(0.3))
        return [*start, *after], agreement

    def _far_place(self, drawn: Drawn) -> list[Token]:
        """Return *near the two windows* of one thing, *near the window* of several."""
        referent, dice = drawn.referent, self.dice
        many = not referent.many
        table = spots(drawn.kinds)
        ways = [word for word in table if word != "among" or many]
        if many:
            ways = [word for word in ways if word not in ("in", "on", "under", "from")]
        if not ways:
            raise UnclearError
        preposition = dice.pick(ways)
        nouns = [
            word
            for word in table[preposition]
            if word not in self.memory.lemmas
            and word not in (referent.noun, "stairs")
            and not (many and (word in _NEVER_MANY or plural(word) not in readings()))
        ]
        if not nouns:
            raise UnclearError
        noun = dice.pick(nouns)
        if preposition == "near" and dice.chance(0.6):
            preposition = dice.pick(("behind", "beside", "next to", "between" if many else "by"))
        kind = "person" if noun in _PEOPLE else "animal" if noun in ("dog", "cat") else "thing"
        other = self.memory.enter(Referent(kind, noun, dice.pick("fm") if kind == "person" else "n", many))
        starts: tuple[str, ...] = (
            ("the", "the", "the two", "these", "those") if many else ("the", "the", "the", "this", "that")
        )
        if preposition == "with":
            starts = ("two", "three", "many", "the", "the two") if many else ("a", "a", "the")
        elif noun in _OWN or noun in _OWN_PLACES:
            starts = (*starts, "our")
        other.determiner = dice.pick(starts)
        if dice.chance(0.2) and noun in THINGS and THINGS[noun].coloured:
            other.adjectives = (dice.pick(COLOURS),)
        return [*written(preposition, "ADP"), *self._plainly(other)]

    def _is_shown(self, referent: Referent) -> bool:
        """Say whether it may be *this*: a thing before somebody's eyes, seldom someone."""
        chance = 0.25 if self.telling.tense == "past" else 1.0
        return self.dice.chance(chance if referent.kind != "person" else 0.2 * chance)

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
        if choice < 0.4:
            mine = dice.chance(0.15) and not referent.mass and referent.noun in (*_OWN, *_OWN_PLACES)
            start, agreement = self._plain(drawn, ("my", "our") if mine else ("the",), adjectives=False)
            owned = start[0].lemma in _MINE
            clause = self.relatives.about(drawn, agreement.head or start[-1], comma=owned)
            if owned:
                clause = [mark(","), *clause, mark(",")]
            return [*start, *clause], agreement
        place, many_of_them = self._place(drawn)
        open_ones = ("the", "two", "some", "three") if referent.many else ("the", "a", "the", "a")
        starts = open_ones if many_of_them and not (self.definite or referent.mass) else ("the",)
        start, agreement = self._plain(drawn, starts, adjectives=dice.chance(0.4))
        if place[0].lemma == "of":
            return [*genitive(place[1:]), *start[1:]], agreement
        return [*start, *place], agreement

    def _one_of(self, drawn: Drawn) -> Phrase:
        """Return *One of the boys*, *the smallest of the kittens*, *two of the cups*."""
        referent, dice = drawn.referent, self.dice
        choice = dice.random()
        if referent.many:
            first = dice.pick(
                words("two three some many most all several both five four few")[
                    : 3 if self.definite else None
                ]
            )
            head = literal(first, "NUM", "PRON", "DET")
            front = [head]
        elif choice < 0.45:
            head = literal("one", "NUM")
            front = [head]
        elif choice < 0.6 and not self.definite:
            head = literal("each", "PRON")
            front = [head]
        else:
            kind = {
                "person": "youngest oldest tallest smallest strongest",
                "animal": "smallest biggest youngest oldest",
            }
            food = drawn.kinds[-1] == "food"
            looks = kind.get(referent.kind, f"biggest smallest largest {'best' if food else 'oldest'}")
            head = literal(dice.pick(looks.split()), "ADJ")
            front = [literal("the"), head]
        head.entity = referent.chain
        all_of_them = Referent(referent.kind, referent.noun, referent.gender, True)
        self.memory.enter(all_of_them)
        all_of_them.pair = referent.pair
        noun = self.phrases.noun(all_of_them)
        starts = ("the", "the", "these", "those", "my", "our")
        shown = self._is_shown(referent)
        start = written(dice.pick(starts if shown else ("the", "the", "the", "our")), "DET")
        if start[0].lemma in _MINE and referent.kind != "thing" and referent.noun not in _OWN:
            start = [literal("the")]
        return [*front, literal("of", "ADP"), *start, noun], Agreement(3, referent.many, head)

    def _place(self, drawn: Drawn) -> tuple[list[Token], bool]:
        """Return a phrase about it, *with two dogs*, and whether there may be more such ones."""
        referent, dice = drawn.referent, self.dice
        if referent.kind == "person" and dice.chance(0.3):
            return self._dressed(referent), True
        table = spots(drawn.kinds) or {"from": ("village", "market")}
        free = tuple(word for word in table if word in ("of", "from", "with") or not self.relatives.placed)
        preposition = dice.pick(free or tuple(table))
        nouns = [word for word in table[preposition] if word not in self.memory.lemmas]
        noun = dice.pick(nouns or list(table[preposition]))
        many = preposition == "among" or dice.chance(0.3 if referent.many else 0.68)
        if preposition in ("in", "on", "under", "from"):  # one thing is in one place
            many = referent.many and noun in _SEVERAL_PLACES and dice.chance(0.6)
        if referent.mass or noun in _NEVER_MANY or plural(noun) not in readings():
            many = False
        if preposition == "with" and referent.many:
            many = dice.chance(0.7)
        if preposition == "near" and noun not in _BY_WATER and dice.chance(0.7):
            preposition = dice.pick(
                ("behind", "beside", "next to", "in front of", "between" if many else "by")
            )
        kind = "person" if noun in _PEOPLE else "animal" if noun in ("dog", "cat") else "thing"
        other = self.memory.enter(Referent(kind, noun, dice.pick("fm") if kind == "person" else "n", many))
        other.determiner = "the"
        if preposition == "with":
            other.determiner = dice.pick(("two", "the", "two") if many else ("a", "the", "a"))
        thing = THINGS.get(noun)
        if thing is not None and kind == "thing" and dice.chance(0.3):
            other.adjectives = (dice.pick(COLOURS if thing.coloured else ("old", "big", "little", "new")),)
        return [*written(preposition, "ADP"), *self._plainly(other)], preposition in ("with", "from")

    def _dressed(self, referent: Referent) -> list[Token]:
        """Return *in a red hat*, *in long coats*."""
        dice = self.dice
        nouns = words("hat coat scarf cap jacket jumper cloak apron")
        if referent.noun in ("girl", "woman", "queen", "princess", "witch"):
            nouns = words("hat coat dress skirt dress jumper cloak bonnet")
        other = Referent("thing", dice.pick(nouns), many=referent.many)
        other.determiner = "" if referent.many else "a"
        other.adjectives = (dice.pick((*COLOURS, "new", "old", "long")),)
        self.memory.enter(other)
        return [literal("in", "ADP"), *self._plainly(other)]

    def _plainly(self, referent: Referent) -> list[Token]:
        plain, self.phrases.plain = self.phrases.plain, True
        tokens, _ = self.phrases.refer(referent, "object")
        self.phrases.plain = plain
        return tokens

    def _part(self, referent: Referent, whole: Referent) -> Phrase:
        """Return *The leaves of the tree*, *the smell of the pancakes*, *a bag of potatoes*."""
        noun = self.phrases.noun(referent)
        start = [
            literal(self.dice.pick(("the", "the", "the", "the", "those" if referent.many else "that")), "DET")
        ]
        plain, self.phrases.plain = self.phrases.plain, True
        tokens, _ = self.phrases.refer(whole, "object")
        self.phrases.plain = plain
        return [*start, noun, literal("of", "ADP"), *tokens], Agreement(3, referent.many, noun)

    def _joined(self, joined: tuple[str, Referent, Referent]) -> Phrase:
        """Return *Kate or her daughters*, *neither the cat nor the dogs*, *not the goats but the pony*."""
        word, first, second = joined
        plain, self.phrases.plain = self.phrases.plain, True
        one, _ = self.phrases.refer(first, "subject")
        other, agreement = self.phrases.refer(second, "subject")
        self.phrases.plain = plain
        if word == "or":
            tokens = [*one, literal("or", "CCONJ"), *other]
        else:
            tokens = [literal("not", "PART"), *one, literal("but", "CCONJ"), *other]
        return tokens, agreement


_PEOPLE = frozenset(
    words(
        """farmer baker teacher boy girl neighbour woman man king queen doctor twin sailor sister brother
        guest child visitor"""
    )
)
_NEVER_MANY = frozenset(
    words("king queen grass ground water fire shore beach library theatre station shore forest")
)
_MINE = frozenset(words("my your his her our their"))
_SHOWING = frozenset(words("this that these those"))
_BY_WATER = words("pond lake river well stable")
_SEVERAL_PLACES = frozenset(
    words("box basket bag drawer cupboard chest pocket shelf table chair bench bed bowl cup pot tray field")
)
