"""What happens against what one expects: but, although, though, even though, yet, still."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.grammar.clauses import replace_verb
from bertviz_lite.world.grammar.tokens import literal, mark, written
from bertviz_lite.world.life.link_ways import Pair
from bertviz_lite.world.life.sentences import conjunction, single, timed, within
from bertviz_lite.world.life.telling import Telling

_HOW = ("but", "but", "but", "although", "although", "after", "two", "yet", "still")


def tell_contrast(telling: Telling, pair: Pair) -> None:
    """Tell two things of which the second is not what the first makes one expect."""
    dice = telling.dice
    how = dice.pick(_HOW)
    if how == "after" and not pair.leaning:
        word = dice.pick(("although", "though", "even though"))
        telling.say([*single(telling, pair.effect), *conjunction(word), *within(telling, pair.cause)], "although")
    elif how in ("although", "after"):
        word = dice.pick(("although", "although", "though", "even though"))
        start = [*conjunction(word), *within(telling, pair.cause), mark(",")]
        telling.say([*start, *within(telling, pair.effect)], "although")
    elif how == "two":
        telling.say(timed(telling, pair.cause, plain=pair.leaning))
        telling.say([literal("but", "CCONJ"), *within(telling, pair.effect)], "but")
    elif how == "still" and not pair.effect[0].verb.adverb and not pair.effect[0].verb.negated:
        telling.say(timed(telling, pair.cause, plain=pair.leaning))
        first = pair.effect[0]
        told = replace(first, verb=replace_verb(first.verb, adverb="still"))
        telling.say(telling.join((told, *pair.effect[1:])), "still")
    else:
        word = written("yet", "CCONJ", "ADV") if how == "yet" else [literal("but", "CCONJ")]
        telling.say([*timed(telling, pair.cause, plain=pair.leaning), mark(","), *word, *within(telling, pair.effect)], "but")
