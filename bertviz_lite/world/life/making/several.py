"""What is written of one thing, told of several: *the lamps went out*, of ``the lamp=L | go out``.

The tables mostly write of one thing. Told so, a text would say *is* and *was* far more often than *are* and
*were*, and a reader of it would learn the habit in place of the rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set as AbstractSet
from dataclasses import replace

from bertviz_lite.world.english.grammar import plural
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.town import ANIMALS, PEOPLE, THINGS
from bertviz_lite.world.grammar.lexicon.words import can_be
from bertviz_lite.world.grammar.notation import Clause, Inner, Noun, Part, Phrase, Text, parts_of

_COUNTED = frozenset(
    (
        *(noun for noun, thing in THINGS.items() if not (thing.mass or thing.pair)),
        *ANIMALS["wild"],
        *ANIMALS["farm"],
        *(person.job for person in PEOPLE if person.job),
        *words(
            """dog cat puppy kitten door window wall gate lamp stone branch leaf boat roof tree bush button
            child boy girl guest neighbour twin sailor glove boot shoe sock slipper bird lamb hole wheel seat
            seed candle oven pan pancake story song game question sack cloth thread rope curtain pen note"""
        ),
    )
) - {"top", "yoyo", "china"}
_THINGS_AND_ANIMALS = frozenset(
    (
        *(noun for noun, thing in THINGS.items() if not (thing.mass or thing.pair)),
        *ANIMALS["wild"],
        *ANIMALS["farm"],
        *words(
            """dog puppy kitten window lamp branch bush button glove boot shoe sock bird lamb candle pancake
            door gate wall stone leaf roof hole wheel curtain seed"""
        ),
    )
) - {"top", "yoyo", "china", "note", "letter", "newspaper", "calendar"}
_WEATHER = frozenset(words("late dark cold warm hot early light windy frosty quiet time raining snowing"))
_COUNTS = frozenset(
    words(
        "its itself one whole he she him her his two three four five six ten both two many half pieces middle"
    )
)
_STARTS = {"a": ("two", "three", "some", "some", "four"), "an": ("two", "three", "some"), "the": ("the",)}
_OF_ONE = frozenset(words("it its itself one this that another other whole both all half alone first last"))
_CHANCE = 0.72


def several(dice: Dice, clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return clauses in which some of the things are several, wherever they are spoken of.

    Examples
    --------
    >>> from bertviz_lite.world.grammar.notation import read_clause
    >>> lamp = several(Dice("a"), [read_clause("the lamp=L | go out"), read_clause("A | light | L")])
    >>> lamp[0].subject[0].words in (("lamp",), ("lamps",))
    True
    """
    parts = [part for clause in clauses for part in parts_of(clause)]
    nouns = [part for part in parts if isinstance(part, Noun)]
    of_one = any(isinstance(part, Text) and part.word in _OF_ONE for part in parts)
    if of_one or any(noun.words[-1] in ("one", "ones") or noun.determiner == "its" for noun in nouns):
        return tuple(clauses)
    heads = Counter(noun.words[-1] for noun in nouns)
    subjects = {id(clause.subject[0]) for clause in clauses if not _is_a_thing(clause)}
    chosen = {
        id(noun)
        for noun in nouns
        if heads[noun.words[-1]] == 1
        and noun.words[-1] in _COUNTED
        and can_be(plural(noun.words[-1]), "NOUN")
        and (noun.label or id(noun) in subjects)
        and (noun.determiner in _STARTS or (noun.owner and not noun.determiner))
        and not any(id(clause.subject[0]) == id(noun) and _is_a_thing(clause) for clause in clauses)
        and dice.chance(_CHANCE)
    }
    return tuple(_changed(clause, chosen, dice) for clause in clauses) if chosen else tuple(clauses)


def may_be_several(clauses: Sequence[Clause]) -> frozenset[str]:
    """Return the labels of what is one in these clauses, and could as well be several: things and animals.

    A subject without a label that is mentioned once goes by its noun.
    """
    parts = [part for clause in clauses for part in parts_of(clause)]
    nouns = [part for part in parts if isinstance(part, Noun)]
    for clause in clauses:
        told = {part.word for part in parts_of(clause) if isinstance(part, Text)}
        weather = clause.verb.lemma in ("rain", "snow") or told & _WEATHER
        if told & _COUNTS or ("it" in told and not weather):
            return frozenset()
    fixed = {getattr(clause.subject[0], "label", "") for clause in clauses if _is_a_thing(clause)}
    labels = {noun.label for noun in nouns if noun.label and noun.label[0] != "*"} - fixed
    for noun in nouns:
        head = noun.words[-1]
        fits = head in _THINGS_AND_ANIMALS and can_be(plural(head), "NOUN") and noun.determiner in _STARTS
        if not (fits and noun.label):
            labels -= {other.label for other in nouns if other.words[-1] == head}
    heads = Counter(noun.words[-1] for noun in nouns)
    for clause in clauses:
        first = clause.subject[0]
        if isinstance(first, Noun) and not first.label and len(clause.subject) == 1:
            head = first.words[-1]
            fits = head in _THINGS_AND_ANIMALS and can_be(plural(head), "NOUN")
            if fits and first.determiner in _STARTS and heads[head] == 1 and not _is_a_thing(clause):
                labels |= {head}
    return frozenset(labels)


def with_several(clause: Clause, labels: AbstractSet[str], dice: Dice) -> Clause:
    """Return a clause in which what has one of these labels is several."""
    nouns = [part for part in parts_of(clause) if isinstance(part, Noun)]
    chosen = {id(noun) for noun in nouns if (noun.label or noun.words[-1]) in labels}
    return _changed(clause, chosen, dice) if chosen else clause


def _is_a_thing(clause: Clause) -> bool:
    """Say whether a clause says of its subject what it is: *the box is a present*."""
    if clause.verb.lemma not in ("be", "become") or not clause.phrases:
        return False
    first = clause.phrases[0][0]
    return isinstance(first, Noun) and first.determiner in ("a", "an", "the")


def _changed(clause: Clause, chosen: set[int], dice: Dice) -> Clause:
    def part_of(part: Part) -> Part:
        if isinstance(part, Inner):
            return part._replace(clause=_changed(part.clause, chosen, dice))
        if isinstance(part, Noun) and id(part) in chosen:
            start = dice.pick(_STARTS[part.determiner]) if part.determiner else ""
            return part._replace(words=(*part.words[:-1], plural(part.words[-1])), determiner=start)
        return part

    def phrase_of(phrase: Phrase) -> Phrase:
        return tuple(part_of(part) for part in phrase)

    return replace(clause, subject=phrase_of(clause.subject), phrases=tuple(map(phrase_of, clause.phrases)))
