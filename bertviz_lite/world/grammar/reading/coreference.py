"""What a line of the tables speaks of again: *a hole … the hole*, *the cup … it*, *A's mother … A's mother*.

Written without letters, such nouns would be told as if they were different things. Here the first mention
gets a label, and later mentions refer to it; *it* and *them* are resolved only where a single noun fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.lexicon.words import read_word, split_sense, words_of
from bertviz_lite.world.grammar.reading.parts import Clause, Inner, Noun, Part, Phrase, Slot, Text, parts_of

_PLACES = frozenset(words_of("NOUN", "place"))
_PEOPLE = frozenset(word for kind in "fmn" for word in words_of("NOUN", f"person {kind}"))
_TYPES_OF_PEOPLE = frozenset(("", "person", "people", "child", "adult", "old", "woman", "man", "boy", "girl"))
_TYPES_OF_PLACES = frozenset(("room", "shop", "work", "public", "open", "wild", "place"))
# Nouns of times, parts and ways, which are not spoken of as things.
_NEVER = frozenset(
    words(
        """day night morning evening afternoon week month year hour minute time summer winter spring autumn
        moment way end side top middle front part corner edge turn help work bed home school fun luck
        trouble lot pair piece thing things people one ones other others weather name idea back row line
        half birthday sun moon sky sea air wind rain snow world ground water"""
    )
)
_NEW = (
    "a",
    "an",
    "the",
    "some",
    "this",
    "that",
    "two",
    "three",
    "four",
    "five",
    "many",
    "these",
    "those",
    "",
)
_ONE_PRONOUNS, _MANY_PRONOUNS = ("it",), ("they", "them")


class _Seen:
    """A noun or a slot that the line has mentioned."""

    def __init__(
        self, label: str, key: tuple[str, ...], *, many: bool | None, thing: bool, looks: tuple[str, ...] = ()
    ) -> None:
        self.label = label
        self.looks = looks
        self.key = key
        self.many = many  # None where it is not known
        self.thing = thing
        self.place = bool(key) and key[-1] in _PLACES
        self.used = False


class _Reader:
    """Goes through the clauses of one line twice: which mentions belong together, then their labels."""

    def __init__(self) -> None:
        self.seen: list[_Seen] = []
        self.before = 0  # how many were mentioned before the clause that is being read

    def link(self, part: Part, *, pronoun: bool, alone: bool, whole: bool) -> Part:
        """Return a part with a label, or with a reference to what was mentioned before.

        ``pronoun`` says whether *it* stands for something here, ``alone`` whether nothing is joined to it,
        ``whole`` whether no preposition follows that belongs to it.
        """
        if isinstance(part, Noun):
            return self._noun(part, alone=alone, whole=whole)
        if isinstance(part, Slot):
            self._slot(part)
        elif isinstance(part, Text) and pronoun:
            found = self._single(part.word)
            if found is not None:
                found.used = True
                return Slot(found.label, determined=part.determined)
        return part

    def clause(self, clause: Clause) -> Clause:
        """Return a clause with labels and references."""
        outer, self.before = self.before, len(self.seen)
        told = _changed(clause, self.link, self.clause)
        self.before = outer
        return told

    def _slot(self, slot: Slot) -> None:
        if any(seen.label == slot.letter for seen in self.seen):
            return
        kind, _, number = slot.type.partition(".")
        sorts = kind.split("/")
        thing = not any(
            sort in _TYPES_OF_PEOPLE
            or sort in _TYPES_OF_PLACES - {"wild"}
            or sort in _PEOPLE
            or sort in _PLACES
            for sort in sorts
        )
        if slot.type == "wild" and slot.letter.startswith("P"):
            thing = False
        self.seen.append(_Seen(slot.letter, (), many={"pl": True, "sg": False}.get(number), thing=thing))

    def _noun(self, noun: Noun, *, alone: bool, whole: bool) -> Noun:
        owner = noun.owner
        if noun.determiner in ("its", "their") and not owner:
            found = self._single("it" if noun.determiner == "its" else "them")
            if found is not None:
                found.used = True
                noun = noun._replace(determiner="", owner=found.label)
        key = (noun.owner, noun.words[-1])
        reading = read_word(split_sense(noun.words[-1])[0], "NOUN", "PROPN", "PRON")
        many = reading.form == "plural"
        lemma = reading.lemma
        thing = lemma not in _PEOPLE | _PLACES | _NEVER and reading.pos == "NOUN"
        again = [seen for seen in self.seen if seen.key == key]
        if noun.label:
            if not any(seen.label == noun.label for seen in self.seen):
                self.seen.append(_Seen(noun.label, key, many=many, thing=thing, looks=noun.words[:-1]))
            return noun
        looks = noun.words[:-1]
        if len(again) == 1 and (noun.determiner == "the" or noun.owner) and set(looks) <= set(again[0].looks):
            if not alone:
                return noun
            again[0].used = True
            return noun._replace(label=again[0].label)
        if (
            lemma in _NEVER
            or reading.pos != "NOUN"
            or noun.determiner not in _NEW
            or "'s" in "".join(noun.words)
        ):
            if reading.pos == "NOUN":
                self.seen.append(_Seen("", (), many=many, thing=lemma not in _PEOPLE | _PLACES))
            return noun
        if not whole or (noun.determiner == "" and not noun.owner and not many):
            return noun
        label = f"*{len(self.seen)}{lemma}"
        self.seen.append(_Seen(label, key, many=many, thing=thing, looks=looks))
        return noun._replace(label=label)

    def _single(self, word: str) -> _Seen | None:
        """Return the only thing so far that this pronoun can stand for."""
        if word not in (*_ONE_PRONOUNS, *_MANY_PRONOUNS):
            return None
        many = word in _MANY_PRONOUNS
        fitting = [seen for seen in self.seen[: self.before] if seen.many in (many, None)]
        fitting = [seen for seen in fitting if seen.thing or (seen.many if many else seen.place)]
        return fitting[0] if len(fitting) == 1 and fitting[0].label and fitting[0].thing else None


def linked(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return the clauses of a line with labels on what they speak of more than once."""
    reader = _Reader()
    told = [reader.clause(clause) for clause in clauses]
    kept = {seen.label for seen in reader.seen if seen.used}

    def without_unused(part: Part, **_: bool) -> Part:
        unused = isinstance(part, Noun) and part.label.startswith("*") and part.label not in kept
        return part._replace(label="") if unused and isinstance(part, Noun) else part

    return tuple(_changed(clause, without_unused) for clause in told)


def _changed(
    clause: Clause, change: Callable[..., Part], inside: Callable[[Clause], Clause] | None = None
) -> Clause:
    inside = inside or partial(_changed, change=change)
    stands_for = clause.verb.lemma not in _NOBODY_DOES and clause.subject == (Text("it"),)
    return replace(
        clause,
        subject=_changed_phrase(clause.subject, change, inside, pronoun=stands_for),
        phrases=tuple(_changed_phrase(phrase, change, inside, pronoun=True) for phrase in clause.phrases),
    )


def _changed_phrase(
    phrase: Phrase, change: Callable[..., Part], inside: Callable[[Clause], Clause], *, pronoun: bool
) -> Phrase:
    return tuple(
        part._replace(clause=inside(part.clause))
        if isinstance(part, Inner)
        else change(part, pronoun=pronoun, alone=_alone(phrase, place), whole=_whole(phrase, place))
        for place, part in enumerate(phrase)
    )


def _alone(phrase: Phrase, place: int) -> bool:
    """Say whether nothing is joined to a part: not *the lid of the box*, not *the hen and a dog*."""
    before = phrase[place - 1] if place else None
    joins = before in (Text("and"), Text("or"), Text(","), Text("all"), Text("both"))
    return not joins and not _followed(phrase, place, (*_BELONGING, "and", "or", ","))


def _whole(phrase: Phrase, place: int) -> bool:
    """Say whether a part says all: neither *the lid* of the box nor all *the chairs*."""
    of_all = place > 0 and phrase[place - 1] in (Text("all"), Text("both"), Text("half"))
    return not of_all and not _followed(phrase, place, _BELONGING)


def _followed(phrase: Phrase, place: int, by: tuple[str, ...]) -> bool:
    after = phrase[place + 1] if place + 1 < len(phrase) else None
    return isinstance(after, Text) and after.word in by


_BELONGING = ("of", "with", "in", "on", "from", "for", "near", "under", "behind")
# With these, "it" may stand for nothing.
_NOBODY_DOES = words(
    """be rain snow hail become get happen seem take hurt freeze begin start stop smell look sound cost"""
)


_LEANING = frozenset(
    words(
        """it them they him her he she its their his others other another one ones there then both this
        these those again too also that instead else some none"""
    )
)
_EXPECTED = frozenset(
    words(
        """rain snow hail freeze thunder sunday monday tuesday wednesday thursday friday saturday time dark
        light late early cold warm hot windy sunny rainy snowy foggy cloudy misty stormy frosty chilly
        mild wet dry summer winter spring autumn morning evening night noon midnight afternoon birthday
        day quiet week weather o'clock"""
    )
)


def leans(clauses: Sequence[Clause]) -> bool:
    """Say whether clauses need others before them, as *he tied it to a tree* does."""
    return any(_leans(clause) for clause in clauses)


def stands_for_one(clauses: Sequence[Clause]) -> bool:
    """Say whether an *it* or a *one* of the clauses stands for something that they speak of.

    Examples
    --------
    >>> from bertviz_lite.world.grammar.notation import read_clause
    >>> [stands_for_one([read_clause(text)]) for text in ("A | eat | it", "it | rain", "A | buy | a new one")]
    [True, False, True]
    """
    return any(
        (isinstance(part, Noun) and part.words[-1] == "one")
        or (part in (Text("it"), Text("one")) and (part not in clause.subject or _leans(clause)))
        for clause in clauses
        for part in parts_of(clause)
    )


def _leans(clause: Clause) -> bool:
    first = clause.subject[0]
    words = {part.word for part in parts_of(clause) if isinstance(part, Text)}
    heads = {part.words[-1].lower() for part in parts_of(clause) if isinstance(part, Noun)}
    if any(
        isinstance(part, Noun)
        and part.determiner in ("its", "their", "his", "her", "another", "other", "these", "those")
        for part in parts_of(clause)
    ):
        return True
    if first == Text("it") and (clause.verb.lemma in ("rain", "snow", "hail") or (words | heads) & _EXPECTED):
        words -= {"it"}
    if first == Text("there"):
        words -= {"there"}
    return bool(words & _LEANING) or bool(heads & {"other", "others", "one", "ones"})


__all__ = ["leans", "linked", "stands_for_one"]
