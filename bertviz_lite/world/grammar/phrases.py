"""Phrases as words: what follows the verb, its noun phrases, words and clauses within it."""

from __future__ import annotations

from bertviz_lite.world.english.grammar import plural
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.town import ANIMALS, THINGS
from bertviz_lite.world.grammar.lexicon.words import MANY, can_be, parts_and_clothes, words_of
from bertviz_lite.world.grammar.manner import Bindings, Manner
from bertviz_lite.world.grammar.notation import Clause, Inner, Noun, Part, Phrase, Self, Slot, Text, Verb
from bertviz_lite.world.grammar.noun_phrases import NounPhrases
from bertviz_lite.world.grammar.referents import Memory, Referent
from bertviz_lite.world.grammar.tokens import Token, genitive_of, literal, written
from bertviz_lite.world.grammar.verb_groups import Agreement

Told = tuple[list[Token], Agreement | None]

_CHANGES_WITH_NUMBER = (parts_and_clothes() | {"name"}) - frozenset(words_of("NOUN", "mass"))
_KIN_NAMES = ("mother", "father", "grandmother", "grandfather")  # without a determiner they are names
_GENDERS = {noun: gender for gender in "fm" for noun in words_of("NOUN", f"person {gender}")} | dict.fromkeys(
    words_of("NOUN", "person n"), "fm"
)
_ALIKE = ("sheep", "fish", "deer")  # in the plural as in the singular
_SPEAKERS_WORDS = {
    **dict.fromkeys(("I", "me", "my", "myself", "mine"), "I"),
    **dict.fromkeys(("you", "your", "yourself", "yours"), "you"),
    **dict.fromkeys(("we", "us", "our", "ourselves"), "we"),
}
_THEN = {"tomorrow": "the next day", "today": "that day", "tonight": "that night"}  # in stories of the past
_ONE = ("it", "he", "she", "this", "that")
_SEVERAL = ("they", "these", "those", "both", "all", "many", "few", "some", "others", "most")
# Parts of speech of words that begin a clause within a clause.
_OPENS = {
    "that": ("SCONJ",),
    "who": ("PRON",),
    "what": ("PRON",),
    "which": ("PRON",),
    "when": ("SCONJ", "ADV"),
    "where": ("ADV",),
    "how": ("ADV",),
    "why": ("ADV",),
}

# What people have, see or buy several of as well as one.
_EASILY_SEVERAL = frozenset(
    noun
    for noun, thing in THINGS.items()
    if thing.kind in ("toy", "food", "paper", "small", "nature", "house", "box")
    and noun not in ("top", "ball")
) | frozenset((*ANIMALS["wild"], *ANIMALS["farm"]))
_OF_ONE = ("be", "become", "need", "play", "wear", "ride", "turn", "light")
_HOW_MANY = ("two", "two", "three", "some", "some", "four", "several", "many")


class Phrases:
    """Turns phrases into words; ``Clauses`` tells the clauses within them.

    Parameters
    ----------
    dice
        The story's source of chance.
    memory
        What has been mentioned.

    Attributes
    ----------
    as_written
        Whether all things must keep the number in which they are written, as an *it* stands for one.
    """

    def __init__(self, dice: Dice, memory: Memory) -> None:
        self.dice = dice
        self.memory = memory
        self.phrases = NounPhrases(dice, memory)
        self._tense = ""
        self.as_written = False

    def tell(self, clause: Clause, bindings: Bindings, manner: Manner) -> list[Token]:
        """Return the words of a clause, without the mark at its end."""
        raise NotImplementedError

    def phrase(self, phrase: Phrase, bindings: Bindings) -> list[Token]:
        """Return the words of a phrase."""
        words: list[Token] = []
        for place, part in enumerate(phrase):
            following = phrase[place + 1] if place + 1 < len(phrase) else None
            if part == Text("in") and isinstance(following, Slot):
                there = bindings[following.letter]
                if there.kind == "place" and not there.name:  # on the hill, at the station
                    words.append(literal(there.preposition, "ADP"))
                    continue
            aside = bool(words) and words[-1].pos == "ADP" and not isinstance(part, Inner)
            self.memory.aside += aside
            words += self.part(part, bindings, "object", words)[0]
            self.memory.aside -= aside
        return words

    def part(self, part: Part, bindings: Bindings, case: str, before: list[Token]) -> Told:
        """Return the words of a part of a phrase, and what a verb agrees with if it is a noun phrase."""
        if isinstance(part, Text):
            return self._text(part, before)
        if isinstance(part, Inner):
            return self._inner(part, bindings, before), None
        if isinstance(part, Self):
            return self.phrases.refer(bindings[part.letter], "self")
        if isinstance(part, Slot):
            return self.phrases.refer(bindings[part.letter], case, determined=part.determined)
        aside = bool(before) and before[-1].pos == "ADP"
        return self._noun(part, bindings, case, aside=aside)

    def _inner(self, part: Inner, bindings: Bindings, before: list[Token]) -> list[Token]:
        """Return a clause within the clause that is being told, in its tense."""
        start = [literal(word, *_OPENS.get(word, ("SCONJ", "ADV", "PRON", "ADJ"))) for word in part.words]
        tense = part.tense or self._tense
        if not part.relative:
            return [*start, *self.tell(part.clause, bindings, Manner(tense))]
        head = next((token for token in reversed(before) if token.pos in ("NOUN", "PRON", "PROPN")), None)
        many = head is not None and (head.form == "plural" or head.lemma in ("those", "they", "them", "us"))
        words = self.tell(
            part.clause,
            bindings,
            Manner(tense, "relative", subject=False, agreement=Agreement(3, many, head)),
        )
        if head is not None:
            start[0].pos, start[0].entity = "PRON", head.entity
        return [*start, *words]

    def _text(self, part: Text, before: list[Token]) -> Told:
        word = part.word
        if word in _SPEAKERS_WORDS:
            return self._person(word)
        if word == "yesterday" and before and before[-1].lemma == "than" and self._tense == "past":
            return written("the day before", "DET", "NOUN", "ADV"), None
        if word in _THEN and self._tense == "past":
            return written(_THEN[word], "DET", "ADJ", "NOUN"), None
        previous = before[-1] if before else None
        if previous is not None and previous.lemma == "to" and can_be(word, "VERB"):
            previous.pos = "PART"
            token = literal(word, "VERB")
        else:
            token = literal(word, *_expected(previous))
        if part.determined:
            token.determined = "mention" if token.lemma in self.memory.lemmas else "consequence"
        if token.pos in ("NOUN", "ADJ", "VERB"):
            self.memory.lemmas.add(token.lemma)
        if token.pos == "NUM":
            token.form = "singular" if word == "one" else "plural"
            return [token], Agreement(3, word != "one", token)
        if token.pos in ("PRON", "DET") or word in (*_ONE, *_SEVERAL):
            token.form = "plural" if word in _SEVERAL else token.form
            return [token], Agreement(3, word in _SEVERAL, token)
        return [token], None

    def _person(self, word: str) -> Told:
        """Return *I*, *you*, *we* and their other cases, which people say of themselves in dialogue."""
        row = _SPEAKERS_WORDS[word]
        person, many = (2 if row == "you" else 1), row == "we"
        token = literal(word, "PRON")
        token.lemma = row
        referent = self.phrases.speaker if row == "I" else self.phrases.addressee if row == "you" else None
        if referent is not None and row != "we":
            if referent.chain < 0:
                self.memory.enter(referent)
            token.entity = referent.chain
            if row == "you" and referent.many:
                many = True
        token.form = "plural" if many else "singular"
        return [token], (Agreement(person, many, token) if word in ("I", "you", "we") else None)

    def _noun(self, part: Noun, bindings: Bindings, case: str, *, aside: bool = False) -> Told:
        """Return a noun phrase that is written out, or how it goes by once it has been mentioned."""
        referent = bindings.get(part.label) if part.label else None
        if referent is not None and self.memory.mentioned(referent):
            return self.phrases.refer(referent, case, determined=part.determined)
        if part.words[0] in _THEN and len(part.words) == 1 and self._tense == "past":
            words = written(_THEN[part.words[0]], "DET", "ADJ", "NOUN")
            return words, Agreement(3, False, words[-1])
        owner = bindings[part.owner] if part.owner else None
        words = self._before_noun(part, owner)
        head = words[-1]
        many = self._number(part, words, owner)
        if referent is not None and many and not referent.many:
            referent.many = True
        if head.text in _KIN_NAMES and len(words) == 1:
            head.text, head.pos, head.name = head.text.capitalize(), "PROPN", "person"
        if part.determined:
            head.determined = "mention" if head.lemma in self.memory.lemmas else "consequence"
        self.memory.lemmas.add(head.lemma)
        self.memory.case = case
        if referent is not None:
            self.memory.mention(referent)
            head.entity = referent.chain
        elif head.pos != "PROPN" and not aside:
            self.memory.mention_noun(many=many, genders=_GENDERS.get(head.lemma, "n"))
        return words, Agreement(3, many, head)

    def in_some_number(self, verb: Verb, phrase: Phrase) -> Phrase:
        """Now and then make two buns, or some, of an object that is written "a bun"."""
        noun = phrase[0]
        if (
            self.as_written
            or len(phrase) > 1
            or not isinstance(noun, Noun)
            or noun.determiner not in ("a", "an")
            or noun.label
        ):
            return phrase
        if noun.words[-1] not in _EASILY_SEVERAL or verb.lemma in _OF_ONE or not self.dice.chance(0.25):
            return phrase
        words = (*noun.words[:-1], plural(noun.words[-1]))
        return (noun._replace(determiner=self.dice.pick(_HOW_MANY), words=words),)

    def _before_noun(self, part: Noun, owner: Referent | None) -> list[Token]:
        """Return the words of a noun phrase as they are written."""
        words: list[Token] = []
        if owner is not None:
            words += self.phrases.owner(owner)
        elif part.determiner in ("my", "your", "our"):
            words += self._person(part.determiner)[0]
        elif part.determiner:
            words.append(literal(part.determiner, "DET", "NUM"))
        for place, text in enumerate(part.words):
            if text.endswith("'s") and len(text) > 2:
                words += genitive_of(literal(text[:-2], "NOUN", "PRON"))
                continue
            wanted = ("NOUN", "PROPN", "PRON") if place == len(part.words) - 1 else ("ADJ", "NUM", "NOUN")
            words.append(literal(text, *wanted))
        return words

    def _number(self, part: Noun, words: list[Token], owner: Referent | None) -> bool:
        """Say whether a noun phrase is many; several people have several hands."""
        head = words[-1]
        many = head.form == "plural" or part.determiner in MANY or head.text in ("ones", "others")
        if head.lemma in _ALIKE and part.determiner == "" and owner is None:
            many = True
        if many and head.pos == "NOUN":
            head.form = "plural"
        theirs = owner is not None and owner.many and part.determiner == ""
        if theirs and not many and head.lemma in _CHANGES_WITH_NUMBER:
            head.text, head.form, many = plural(head.lemma), "plural", True
        return many

    def _texts(self, words: tuple[str, ...]) -> list[Token]:
        tokens: list[Token] = []
        for word in words:
            tokens += self._text(Text(word.removesuffix("!"), word.endswith("!")), tokens)[0]
        return tokens


def _expected(previous: Token | None) -> tuple[str, ...]:
    """Return the parts of speech that are likely after a word."""
    if previous is None:
        return ("ADP", "ADV", "SCONJ", "ADJ")
    if previous.pos in ("DET", "ADJ"):
        return ("NOUN", "ADJ")
    if previous.pos == "SCONJ" and previous.lemma != "than":
        return ("PRON", "DET", "NOUN")
    if previous.lemma in ("very", "too", "so", "quite", "as"):
        return ("ADJ", "ADV")
    return ("ADP", "CCONJ", "ADJ", "ADV", "NOUN", "VERB")
