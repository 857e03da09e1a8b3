"""A frame turned into sentences: its slots are drawn, and which of the things comes back is drawn too.

A line of ``frames.txt`` is ``head :: body``. The head gives slots their sort, ``XY:hold.n KL:colour``, or
their word, ``K=first``; ``three``, ``names`` (nobody is *the baker*) or a weight (``w3``). A sort is one of
``nouns.txt``; ``.n`` draws one or several of it, ``.pl`` several, ``.p`` several where they can be counted.
In the body sentences are parted by ``|``, alternatives stand in braces, and

- ``A``, ``B``, ``C`` are people; ``he@A``, ``him@A``, ``his@A`` their pronouns, ``A's`` the genitive;
- ``X`` is the noun alone; ``a X`` becomes *some* before several; ``X.pl`` is its plural;
- ``is@X``, ``was@X``, ``has@X``, ``belongs@X`` agree with it; ``it@X``, ``them@X``, ``this@X`` stand for it;
- ``at@U`` is the preposition of a place.

After ``//`` follows what comes back. There the letters that were told before change places with their
neighbours, A with B and X with Y, in half of the texts; of ``three`` any comes in any place. After ``//=``
nothing changes places.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from bertviz_lite.world.english.grammar import plural
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import entries, lines, rows
from bertviz_lite.world.events.town import PEOPLE
from bertviz_lite.world.grammar.lexicon.words import read_word, words_of
from bertviz_lite.world.grammar.tokens import Token, genitive_of, literal, mark
from bertviz_lite.world.grammar.verb_groups import Agreement, finite_form
from bertviz_lite.world.life.describing.reading import choose, weighed
from bertviz_lite.world.life.describing.words.single_words import with_apostrophe, written_out
from bertviz_lite.world.life.describing.words.subjects import link_subjects
from bertviz_lite.world.life.making.telling import Telling

GROUPS = ("ABC", "XYZ", "UVW", "KLM", "PQR", "NO")
ROLES = 0.25
SEVERAL = 0.35
_WOMEN, _MEN = words_of("NOUN", "person f"), words_of("NOUN", "person m")
_PRONOUNS = {
    "he": ("he", "she"),
    "him": ("him", "her"),
    "his": ("his", "her"),
    "himself": ("himself", "herself"),
}
_FORMS = {"it": ("it", "they"), "them": ("it", "them"), "this": ("this", "these"), "that": ("that", "those")}
_LETTER = re.compile(r"\b([ABCXYZUVWKLMPQRNO])\b(?!')|\b([ABCXYZUVWKLMPQRNO])(?='s\b)")
_PIECE = re.compile(r"(?:(\w+)@)?([A-Z])(\.pl)?('s)?")


class Frame(NamedTuple):
    """A frame: what its head declares, and its body."""

    head: tuple[str, ...]
    body: str


@dataclass
class Drawn:
    """What a letter stands for in a text: its words before the noun, its noun, its number and gender."""

    noun: str
    chain: int
    before: str = ""
    many: bool = False
    gender: str = ""
    preposition: str = ""
    told: bool = False

    @property
    def named(self) -> bool:
        """Whether it is a person with a name."""
        return bool(self.gender) and not self.before


def _rows(name: str) -> list[str]:
    return rows(files(__package__).joinpath(name).read_text(encoding="utf-8"))


@cache
def sorts() -> dict[str, tuple[str, ...]]:
    """Return the entries of every sort, each once.

    Examples
    --------
    >>> sorts()["day"][:2]
    ('Monday', 'Tuesday')
    """
    return {
        name: tuple(dict.fromkeys(entries(body) if name == "role" else body.split()))
        for name, body in lines("\n".join(_rows("nouns.txt")))
    }


@cache
def frames() -> tuple[Frame, ...]:
    """Return the frames, each as often as its weight says."""
    found = []
    for line in _rows("frames.txt"):
        head, sign, body = line.partition("::")
        if not sign:
            raise ValueError(f"frames.txt: {line!r} has no '::'")
        kept, weight = weighed(head)
        found += [Frame(kept, body.strip())] * weight
    return tuple(found)


def tell_recall(telling: Telling, frame: Frame | None = None) -> None:
    """Tell a few sentences in which one of the things that were named comes back."""
    frame = frame or telling.dice.pick(frames())
    recall = _Recall(telling.dice, frame)
    for tokens in recall.sentences():
        telling.say(tokens, "recall")


class _Recall:
    """One frame being told."""

    def __init__(self, dice: Dice, frame: Frame) -> None:
        self.dice = dice
        self.frame = frame
        self.drawn: dict[str, Drawn] = {}
        self.taken: set[str] = set()
        self.returns = False

    def sentences(self) -> list[list[Token]]:
        """Return the words of all sentences."""
        body = choose(self.frame.body, self.dice.pick)
        setup, sign, ending = body.partition(" //")
        self._draw(body)
        if sign:
            ending = ending.removeprefix("=") if ending.startswith("=") else self._changed(setup, ending)
        told = [self._sentence(part) for part in setup.split(" | ")]
        self.returns = True
        return told + [self._sentence(part) for part in ending.split(" | ") if part.strip()]

    # What the letters stand for.

    def _draw(self, body: str) -> None:
        names_only = "names" in self.frame.head or any(item.endswith(":job") for item in self.frame.head)
        for item in self.frame.head:
            letters, sign, sort = item.partition(":")
            if sign:
                for letter in letters:
                    self._enter(letter, self._of_sort(sort))
            elif "=" in item:
                self._enter(item[0], Drawn(item[2:], len(self.drawn)))
        for letter in "ABC":
            if letter in {found[1] or found[2] for found in _LETTER.finditer(body)}:
                self._enter(letter, self._person(names_only=names_only))

    def _enter(self, letter: str, drawn: Drawn) -> None:
        self.drawn[letter] = drawn
        self.taken.add(drawn.noun)

    def _of_sort(self, wanted: str) -> Drawn:
        sort, _, number = wanted.partition(".")
        while True:
            entry = self.dice.pick(sorts()[sort])
            preposition, _, rest = entry.rpartition(":")
            noun = rest.rstrip("~+")
            always_many = rest.endswith("+") and not preposition
            if noun in self.taken or (always_many and number in ("", "pl")):
                continue
            if rest.endswith("~"):
                return Drawn(noun, len(self.drawn), before="~", preposition=preposition)
            several = number in ("pl", "p") or (number == "n" and self.dice.chance(SEVERAL))
            if rest.endswith("+"):
                return Drawn(noun, len(self.drawn), many=True, preposition=preposition)
            drawn = Drawn(noun, len(self.drawn), many=several, preposition=preposition)
            if several:
                self.taken.add(noun)
                drawn.noun = _plural(noun)
            return drawn

    def _person(self, *, names_only: bool) -> Drawn:
        while True:
            if not names_only and self.dice.chance(ROLES):
                before, noun = self.dice.pick(sorts()["role"]).split()
                gender = "f" if noun in _WOMEN else "m" if noun in _MEN else self.dice.pick("fm")
                drawn = Drawn(noun, len(self.drawn), before=before, gender=gender)
            else:
                person = self.dice.pick(PEOPLE)
                drawn = Drawn(person.name, len(self.drawn), gender=person.gender)
            if drawn.noun not in self.taken:
                return drawn

    def _changed(self, setup: str, ending: str) -> str:
        """Return the ending with the letters in other places, where all of their group were told before."""
        three = "three" in self.frame.head
        places = self.dice.sample(range(3), 3) if three else self.dice.sample(range(2), 2)
        told = {found[1] or found[2] for found in _LETTER.finditer(setup)}
        told |= {item[0] for item in self.frame.head if "=" in item}

        def other(found: re.Match[str]) -> str:
            letter = found[1] or found[2]
            group = next(group for group in GROUPS if letter in group)[: len(places)]
            return group[places[group.index(letter)]] if letter in group and told >= set(group) else letter

        return _LETTER.sub(other, ending)

    # Words.

    def _sentence(self, text: str) -> list[Token]:
        tokens: list[Token] = []
        pieces = text.split()
        for place, piece in enumerate(pieces):
            tokens += self._piece(piece, tokens, pieces[place + 1 :])
        link_subjects(tokens, "past")
        return tokens

    def _piece(self, piece: str, before: list[Token], rest: list[str]) -> list[Token]:
        if piece in (",", ".", "?", "!", ":", '"'):
            return [mark(piece)]
        found = _PIECE.fullmatch(piece)
        if found is not None and found[2] in self.drawn:
            word, letter, many, owns = found.groups()
            if word:
                return self._agreeing(word, self.drawn[letter])
            tokens = self._named(self.drawn[letter], several=bool(many))
            return [*tokens[:-1], *genitive_of(tokens[-1])] if owns else tokens
        if piece == "a":
            after = [self.drawn[one[0]] for one in rest[:2] if _PIECE.fullmatch(one) and one[0] in self.drawn]
            if any(one.many or one.before == "~" for one in after) and rest[0] != "lot":
                return [literal("some", "DET")]
        if "'" in piece and piece != "o'clock":
            return with_apostrophe(piece, before)
        return [written_out(piece, before)]

    def _named(self, drawn: Drawn, *, several: bool) -> list[Token]:
        returns, drawn.told = drawn.told and self.returns, True
        if drawn.named:
            return [Token(drawn.noun, drawn.noun, "PROPN", "singular", entity=drawn.chain, name="person")]
        noun = _plural(drawn.noun) if several else drawn.noun
        token = literal(noun, "PROPN", "NOUN", "ADJ", "NUM")
        if token.pos == "NOUN":
            token.entity = drawn.chain
            token.determined = "mention" if returns and not drawn.gender else None
        return [literal(drawn.before, "DET"), token] if drawn.gender else [token]

    def _agreeing(self, word: str, drawn: Drawn) -> list[Token]:
        """Return a word that changes with what it stands for or speaks of."""
        lowered = word.lower()
        if lowered == "at":
            return [literal(drawn.preposition, "ADP")]
        if lowered in _PRONOUNS:
            text = _PRONOUNS[lowered][drawn.gender == "f"]
            pos = "DET" if lowered == "his" else "PRON"
            return [Token(text, literal(text, pos).lemma, pos, "singular", entity=drawn.chain)]
        if lowered in _FORMS:
            text = _FORMS[lowered][drawn.many]
            pos = "DET" if lowered in ("this", "that") else "PRON"
            token = literal(text, pos)
            token.form = "plural" if drawn.many else "singular"
            token.entity = None if pos == "DET" else drawn.chain
            return [token]
        lemma, tense = {"is": ("be", "present"), "was": ("be", "past"), "has": ("have", "present")}.get(
            lowered, (read_word(lowered, "VERB").lemma, "present")
        )
        text, form = finite_form(lemma, tense, Agreement(3, drawn.many))
        return [Token(text, lemma, "AUX" if lemma in ("be", "have") else "VERB", form)]


def _plural(noun: str) -> str:
    """Return the plural of a noun that may have a sense: *rings.jewel*."""
    word, dot, sense = noun.partition(".")
    return plural(word) + dot + sense
