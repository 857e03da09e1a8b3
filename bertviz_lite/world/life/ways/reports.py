"""What somebody knows, hears or asks of what happens to another: *knew that*, *asked why*, *told Tom to*."""

from __future__ import annotations

from bertviz_lite.world.grammar.notation import Slot, Verb
from bertviz_lite.world.grammar.tokens import literal, written
from bertviz_lite.world.grammar.verb_groups import Agreement, verb_group
from bertviz_lite.world.life.making.sentences import (
    does,
    earlier,
    inside,
    may_be_meant,
    single,
    timed,
    within,
)
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.ways.causes import Pair, of_the_narrator

_KNOWING = ("know", "see", "think", "hear", "say", "say", "remember", "believe")
_BY_HEARSAY = ("know", "say", "hear", "remember", "believe", "think", "see")
_ASKING = ("tell", "tell", "ask", "ask", "want", "help")


def knows(telling: Telling, pair: Pair) -> bool:
    """Tell *Anna saw that the lamp had gone out. Tom lit a candle*."""
    dice = telling.dice
    knower = telling.cast.someone(dice.pick(("child", "adult", "person")), "sg")
    knower.details = []
    verb = dice.pick(_KNOWING)
    told = earlier(pair.cause) if verb in _BY_HEARSAY else pair.cause
    start = does(telling, knower, Verb(verb))
    that = [literal("that", "SCONJ")] if dice.chance(0.75) or verb in ("remember", "see", "hear") else []
    telling.say([*start, *that, *inside(telling, told)], "knows")
    if dice.chance(0.4):
        telling.say(single(telling, pair.effect))
    return True


def nobody_knew_why(telling: Telling, pair: Pair) -> bool:
    """Tell *Nobody knew why Tom lit a candle. The lamp had gone out*; *Anna asked Tom why …*."""
    dice = telling.dice
    if len(pair.effect) > 1 or pair.leaning or of_the_narrator(telling, pair.effect[0]):
        return False
    if dice.chance(0.5):
        who = written(dice.pick(("nobody", "everybody", "no one", "everyone")), "PRON", "DET")
        negated = who[0].text in ("everybody", "everyone")
        verb = dice.pick(("wonder", "ask")) if negated else dice.pick(("know", "know", "understand"))
        finite = verb_group(Verb(verb), telling.tense, Agreement(3, False, who[-1])).finite
        start = [*who, finite]
    else:
        knower = telling.cast.someone("person", "sg")
        knower.details = []
        verb = dice.pick(("know", "know", "understand", "ask", "wonder"))
        start = does(telling, knower, Verb(verb, negated=verb in ("know", "understand") and dice.chance(0.6)))
    telling.say([*start, literal("why", "ADV"), *telling.tell(pair.effect[0])], "why_inside")
    telling.say(within(telling, earlier(pair.cause)))
    return True


def tells_to(telling: Telling, pair: Pair) -> bool:
    """Tell *The lamp went out. Anna told Tom to light a candle*."""
    dice = telling.dice
    effect = pair.effect[0]
    part = effect.subject[0]
    if len(pair.effect) > 1 or not isinstance(part, Slot) or not may_be_meant(telling, effect):
        return False
    if effect.verb.adverb:  # nobody asks her to drink tea who never drinks it
        return False
    doer = telling.bindings[part.letter]
    telling.say(timed(telling, pair.cause))
    asker = telling.cast.someone(dice.pick(("adult", "person", "child")), "sg")
    asker.details = []
    start = does(telling, asker, Verb(dice.pick(_ASKING)))
    whom = telling.phrases.refer(doer, "object")[0]
    telling.phrases.subject = doer
    base = telling.tell(effect, form="base")
    telling.say([*start, *whom, literal("to", "PART"), *base], "tell_to")
    return True
