"""Sentences from a cause and its effect: because, so, so … that, to, why, two sentences, relative clauses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bertviz_lite.world.grammar.clauses import Manner
from bertviz_lite.world.grammar.notation import Clause, Inner, Slot, Text
from bertviz_lite.world.grammar.tokens import Token, literal, mark, written
from bertviz_lite.world.life.making.sentences import (
    Clauses,
    earlier,
    gradable,
    inside,
    reason,
    scene,
    single,
    timed,
    within,
)
from bertviz_lite.world.life.making.telling import Telling, is_event


@dataclass(frozen=True, slots=True)
class Pair:
    """A cause and its effect.

    ``leaning`` says whether the effect makes no sense before the cause, ``chosen`` whether the cause names
    several things of which the effect speaks of one: it follows, but it is no consequence.
    """

    cause: Clauses
    effect: Clauses
    leaning: bool = False
    chosen: bool = False

    @property
    def same_subject(self) -> bool:
        """Whether both are of one and the same."""
        first, second = self.cause[0].subject, self.effect[0].subject
        return len(self.cause) == 1 and first == second and len(first) == 1 and isinstance(first[0], Slot)

    @property
    def clauses(self) -> Clauses:
        """All clauses."""
        return (*self.cause, *self.effect)


def because(telling: Telling, pair: Pair) -> bool:
    """Tell *Tom lit a candle because the lamp had gone out*."""
    if pair.leaning:
        return False
    words = single(telling, pair.effect)
    telling.say([*words, literal("because", "SCONJ"), *reason(telling, pair.cause)], "because")
    return True


def because_first(telling: Telling, pair: Pair) -> bool:
    """Tell *Because the lamp had gone out, Tom lit a candle*; also *since* and *as*."""
    if len(pair.cause) > 2:
        return False
    word = telling.dice.pick(("because", "because", "because", "since", "as"))
    tokens = [literal(word, "SCONJ"), *reason(telling, pair.cause), mark(",")]
    telling.say([*tokens, *within(telling, pair.effect)], "because")
    return True


def so(telling: Telling, pair: Pair) -> bool:
    """Tell *The lamp went out, so Tom lit a candle*."""
    follows = is_event(pair.cause[-1]) and is_event(pair.effect[0])
    word = "and" if pair.chosen or (follows and telling.dice.chance(0.25)) else "so"
    words = [*timed(telling, pair.cause, plain=pair.leaning), mark(","), literal(word, "CCONJ")]
    telling.say([*words, *within(telling, pair.effect)], "so")
    return True


def so_that(telling: Telling, pair: Pair) -> bool:
    """Tell *The box was so heavy that Tom could not lift it*."""
    first = pair.cause[0]
    place = gradable(first) if len(pair.cause) == 1 else -1
    if place < 0:
        return False
    adjective = first.phrases[0][place]
    told = replace(first, phrases=((Text("so"), adjective),))
    words = [*telling.tell(told), literal("that", "SCONJ")]
    telling.say([*words, *inside(telling, pair.effect)], "so_that")
    return True


def two_sentences(telling: Telling, pair: Pair) -> bool:
    """Tell *The lamp went out. Tom lit a candle*; now and then the effect first: *The lamp had gone out*."""
    dice = telling.dice
    before = earlier(pair.cause)
    if not pair.leaning and dice.chance(0.25) and (before != pair.cause or not is_event(pair.cause[0])):
        telling.say(single(telling, pair.effect))
        telling.say(within(telling, before))
        return True
    telling.say(timed(telling, pair.cause, plain=pair.leaning))
    events = is_event(pair.cause[-1]) and is_event(pair.effect[0])
    word = dice.pick(("so", "then", "so")) if events else "so"
    start = written(word, "ADV", "CCONJ") if dice.chance(0.2) and not pair.chosen else []
    telling.say([*start, *single(telling, pair.effect, first=not start)])
    return True


def joined(telling: Telling, pair: Pair) -> bool:
    """Tell *Tom fell and hurt his knee*."""
    if not is_event(pair.cause[-1]) or not is_event(pair.effect[0]):
        return False
    telling.say(telling.join(pair.clauses), "and")
    return True


def that_is_why(telling: Telling, pair: Pair) -> bool:
    """Tell *The lamp went out. That was why Tom lit a candle*."""
    telling.say(timed(telling, pair.cause, plain=pair.leaning))
    is_or_was = "is" if telling.tense == "present" or telling.dice.chance(0.2) else "was"
    start = written(f"that {is_or_was} why", "PRON", "AUX", "ADV")
    telling.say([*start, *inside(telling, pair.effect)], "that_is_why")
    return True


def why(telling: Telling, pair: Pair) -> bool:
    """Tell *Why did Tom light a candle? Because the lamp had gone out*."""
    dice = telling.dice
    if len(pair.effect) > 1 or pair.leaning or of_the_narrator(telling, pair.effect[0]):
        return False
    asked = scene(telling, pair.effect)[0]
    if asked.verb.perfect:
        pair = replace(pair, cause=earlier(pair.cause))
    manner = Manner(telling.tense, "question", contracted=dice.chance(0.5))
    question = [literal("why", "ADV"), *telling.clauses.tell(asked, telling.bindings, manner), mark("?")]
    if dice.chance(0.4):
        telling.say([mark('"'), *question, mark('"')], "why")
        start = [mark('"'), literal("because", "SCONJ")]
        telling.say([*start, *reason(telling, pair.cause), mark("."), mark('"')], "because")
        return True
    telling.say(question, "why")
    start = [literal("because", "SCONJ")] if dice.chance(0.6) else []
    telling.say([*start, *reason(telling, pair.cause)], "because")
    return True


def of_the_narrator(telling: Telling, clause: Clause) -> bool:
    """Say whether the one who tells speaks of what they do themselves."""
    part = clause.subject[0]
    return isinstance(part, Slot) and telling.phrases.person(telling.bindings[part.letter]).person == 1


def relative(telling: Telling, pair: Pair) -> bool:
    """Tell *The girl who had lost her key could not open the door*."""
    first, second = pair.cause[0], pair.effect[0]
    slot = first.subject[0]
    if not pair.same_subject or not isinstance(slot, Slot):
        return False
    referent = telling.bindings[slot.letter]
    if telling.phrases.person(referent).person != 3 or referent.members or referent.kin is not None:
        return False
    if referent.name and telling.dice.chance(0.85):
        return False
    referent.details = []
    comma = [mark(",")] if referent.name else []
    tokens, agreement = telling.phrases.refer(referent, "subject")
    who = Token("who" if referent.kind == "person" else "that", "who", "PRON", entity=referent.chain)
    who.lemma = who.text
    told = earlier((first,))[0] if telling.dice.chance(0.5) else first
    inside = telling.without_subject(told)
    outside = telling.without_subject(second)
    more = [token for clause in pair.effect[1:] for token in (literal("and", "CCONJ"), *telling.tell(clause))]
    for token in (*inside, *outside):
        subject = token.subject
        if subject is not None and subject.entity == referent.chain and subject.pos == "PRON":
            token.subject = agreement.head
    telling.say([*tokens, *comma, who, *inside, *comma, *outside, *more], "relative")
    return True


def after_ing(telling: Telling, pair: Pair) -> bool:
    """Tell *She ran home after finding the kite*; *After finding the kite, she ran home*."""
    first = pair.cause[0]
    if (
        not pair.same_subject
        or not is_event(first)
        or not is_event(pair.effect[0])
        or first.verb.lemma == "be"
    ):
        return False
    slot = first.subject[0]
    telling.phrases.subject = telling.bindings[slot.letter] if isinstance(slot, Slot) else None
    if telling.dice.chance(0.5) or pair.leaning:
        if any(isinstance(part, Slot) and part == slot for phrase in first.phrases for part in phrase):
            return False
        referent = telling.bindings[slot.letter] if isinstance(slot, Slot) else None
        if referent is not None and not telling.memory.mentioned(referent):
            return False
        ing = telling.tell(first, form="ing")
        telling.say([literal("after", "ADP"), *ing, mark(","), *telling.join(pair.effect)], "after_ing")
        return True
    before = telling.join(pair.effect)
    telling.say([*before, literal("after", "ADP"), *telling.tell(first, form="ing")], "after_ing")
    return True


def to_do(telling: Telling, pair: Pair) -> bool:
    """Tell *Tom dug a hole to plant a tree*."""
    first = pair.cause[0]
    wants = first.verb.lemma == "want" and not (first.verb.negated or first.verb.modal)
    if not pair.same_subject or not wants or not is_event(pair.effect[0]) or pair.leaning:
        return False
    begins = first.verb.tail[0] if first.verb.tail else getattr(first.phrases[0][0], "word", "")
    if begins != "to" or any(isinstance(part, Inner) for phrase in first.phrases for part in phrase):
        return False
    before = telling.join(pair.effect)
    telling.say([*before, *telling.clauses.after_verb(first, telling.bindings)], "to")
    return True


def cause_alone(telling: Telling, pair: Pair) -> bool:
    """Tell *The lamp went out*."""
    telling.say(timed(telling, scene(telling, pair.cause), plain=pair.leaning))
    return True


def effect_alone(telling: Telling, pair: Pair) -> bool:
    """Tell *Tom lit a candle*."""
    if pair.leaning:
        return False
    telling.say(timed(telling, scene(telling, pair.effect)))
    return True
