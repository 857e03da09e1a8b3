"""What happens against what one expects (but, although), and while something else goes on (while, when)."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.grammar.clauses import replace_verb
from bertviz_lite.world.grammar.notation import Clause, Slot
from bertviz_lite.world.grammar.tokens import literal, mark, written
from bertviz_lite.world.life.making.sentences import conjunction, inside, single, timed, within
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.ways.causes import Pair

_HOW = ("but", "but", "but", "although", "although", "after", "two", "yet", "still")


def tell_contrast(telling: Telling, pair: Pair) -> None:
    """Tell two things of which the second is not what the first makes one expect."""
    dice = telling.dice
    how = dice.pick(_HOW)
    if how == "after" and not pair.leaning:
        word = dice.pick(("although", "though", "even though"))
        telling.say(
            [*single(telling, pair.effect), *conjunction(word), *inside(telling, pair.cause)], "although"
        )
    elif how in ("although", "after"):
        word = dice.pick(("although", "although", "though", "even though"))
        start = [*conjunction(word), *inside(telling, pair.cause), mark(",")]
        telling.say([*start, *within(telling, pair.effect)], "although")
    elif how == "two":
        telling.say(timed(telling, pair.cause, plain=pair.leaning))
        telling.say([literal("but", "CCONJ"), *within(telling, pair.effect)], "but")
    elif how == "still" and _may_be_still(pair.effect[0]):
        telling.say(timed(telling, pair.cause, plain=pair.leaning))
        first = pair.effect[0]
        told = replace(first, verb=replace_verb(first.verb, adverb="still"))
        telling.say(telling.join((told, *pair.effect[1:])), "still")
    else:
        joining = literal("yet" if how == "yet" else "but", "CCONJ", "ADV")
        telling.say(
            [
                *timed(telling, pair.cause, plain=pair.leaning),
                mark(","),
                joining,
                *within(telling, pair.effect),
            ],
            "but",
        )


def _may_be_still(clause: Clause) -> bool:
    verb = clause.verb
    return isinstance(clause.subject[0], Slot) and not (
        verb.adverb or verb.negated or verb.perfect or verb.lemma == "be"
    )


def tell_meanwhile(telling: Telling, pair: Pair) -> None:
    """Tell *Tom was walking home when it began to rain*; *While Tom was walking home, it began to rain*."""
    dice = telling.dice
    first = pair.cause[0]
    going_on = first.verb.lemma != "be"
    told = (replace(first, verb=replace_verb(first.verb, progressive=True)),) if going_on else pair.cause
    choice = dice.random()
    if choice < 0.4 and going_on:
        telling.say(
            [*timed(telling, told), literal("when", "SCONJ"), *inside(telling, pair.effect)], "meanwhile"
        )
    elif choice < 0.55 and not pair.leaning:
        telling.say(
            [*single(telling, pair.effect), literal("while", "SCONJ"), *inside(telling, told)], "meanwhile"
        )
    elif choice < 0.7 and going_on:
        telling.say(timed(telling, told))
        telling.say(
            [*(written("suddenly", "ADV") if dice.chance(0.3) else []), *within(telling, pair.effect)]
        )
    else:
        word = literal("while" if dice.chance(0.7) or not going_on else "when", "SCONJ")
        telling.say([word, *inside(telling, told), mark(","), *within(telling, pair.effect)], "meanwhile")
