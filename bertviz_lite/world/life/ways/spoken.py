"""A cause and its effect in the mouth of the one to whom it happens, or of somebody who gives advice."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.grammar.clauses import replace_verb
from bertviz_lite.world.grammar.tokens import Token, literal, mark
from bertviz_lite.world.life.making.sentences import Clauses, earlier, may_be_meant, now
from bertviz_lite.world.life.making.telling import Telling, with_modal
from bertviz_lite.world.life.talk.lines import tense_of
from bertviz_lite.world.life.talk.talking import Speaking, quote, said_by
from bertviz_lite.world.life.ways.causes import Pair


def say_link(telling: Telling, pair: Pair) -> bool:
    """Let A say it, or let somebody give A advice."""
    one = telling.bindings.get("A")
    if one is None or one.many or one.kind != "person" or telling.narrator is not None:
        return False
    if any(tense_of(clause) == "past" for clause in pair.clauses):
        return False
    dice = telling.dice
    choice = dice.random()
    if choice < 0.5:
        with Speaking(telling, one, None):
            words = _spoken(telling, pair)
        says = said_by(telling, one, "say", asked=False)[0]
        telling.say([mark('"'), *words, mark(","), mark('"'), *says()], "quote")
        return True
    if choice < 0.75:
        quote(telling, now(pair.cause), one, "say")
        telling.say(telling.join(pair.effect))
        return True
    return _advises(telling, pair)


def _spoken(telling: Telling, pair: Pair) -> list[Token]:
    """Return *I've lost my key, so I can't open the door*."""
    cause, effect = now(pair.cause), _will(telling, pair.effect)
    if telling.dice.chance(0.5) or pair.leaning:
        start = telling.join(cause, "present")
        return [*start, mark(","), literal("so", "CCONJ"), *telling.join(effect, "present")]
    start = telling.join(effect, "present")
    return [*start, literal("because", "SCONJ"), *telling.join(cause, "present", inside=True)]


def _will(telling: Telling, clauses: Clauses) -> Clauses:
    """Return what one says of what comes of it: *I'll light a candle*, but *I have cut my finger*."""
    return tuple(
        with_modal(clause, "will") if may_be_meant(telling, clause) else earlier((clause,))[0]
        for clause in clauses
    )


def _advises(telling: Telling, pair: Pair) -> bool:
    """Tell A what to do: *You have lost your key. You should look in your bag*."""
    effect = pair.effect[0]
    if len(pair.effect) > 1 or getattr(effect.subject[0], "letter", "") != "A":
        return False
    if not may_be_meant(telling, effect):
        return False
    one = telling.bindings["A"]
    told = replace(
        effect, verb=replace_verb(effect.verb, modal=telling.dice.pick(("should", "should", "must", "can")))
    )
    with Speaking(telling, None, one):
        first = telling.join(now(pair.cause), "present")
        if telling.dice.chance(0.3):
            words = [literal("if", "SCONJ"), *telling.join(pair.cause, "present", inside=True), mark(",")]
            first = [*words, *telling.tell(told, "present")]
            telling.say([mark('"'), *first, mark("."), mark('"')], "quote")
            return True
        second = telling.tell(told, "present")
    telling.say([mark('"'), *first, mark("."), *second, mark("."), mark('"')], "quote")
    return True
