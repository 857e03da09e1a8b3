"""Sentences from a cause and its effect with when, while, if, unless, until, as soon as."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.clauses import replace_verb
from bertviz_lite.world.grammar.notation import Clause, Inner, Noun, Slot, Text, parts_of
from bertviz_lite.world.grammar.tokens import literal, mark
from bertviz_lite.world.life.making.sentences import (
    DURATIVE,
    conjunction,
    earlier,
    inside,
    may_be_meant,
    single,
    within,
)
from bertviz_lite.world.life.making.telling import Telling, has_time, is_event, with_modal
from bertviz_lite.world.life.ways.causes import Pair


def when(telling: Telling, pair: Pair) -> bool:
    """Tell *When the lamp went out, Tom lit a candle*; *while* where it lasts."""
    first = pair.cause[0]
    if first.verb.perfect or not _tells_when(telling, pair):
        return False
    word = "while" if first.verb.progressive and telling.dice.chance(0.5) else "when"
    if telling.dice.chance(0.65) or pair.leaning:
        words = [
            literal(word, "SCONJ"),
            *inside(telling, pair.cause),
            mark(","),
            *within(telling, pair.effect),
        ]
    else:
        words = [*single(telling, pair.effect), literal(word, "SCONJ"), *inside(telling, pair.cause)]
    telling.say(words, "when")
    return True


def _tells_when(telling: Telling, pair: Pair) -> bool:
    """Say whether a cause tells a time: what happens, goes on, the hour, the weather, a feeling."""
    first = pair.cause[0]
    adverb = first.verb.adverb in ("always", "never", "often", "usually", "still")
    if len(pair.cause) > 2 or first.verb.lemma in _LASTING or first.subject[0] == Text("there") or adverb:
        return False
    if first.verb.lemma not in ("be", "have", "seem") or first.verb.progressive:
        return True
    somebody = isinstance(first.subject[0], Slot) and first.verb.lemma == "be"
    told = first.phrases[0] if first.phrases else ()
    felt = all(isinstance(part, Text) for part in told) and told[:1] not in ((Text("too"),), (Text("so"),))
    return first.subject[0] == Text("it") or (somebody and felt and telling.tense == "present")


_LASTING = words("""like love know live belong need want cost own hate have believe""")


def if_will(telling: Telling, pair: Pair) -> bool:
    """Tell *If the lamp goes out, Tom will light a candle*."""
    dice = telling.dice
    if any(clause.verb.modal == "will" for clause in pair.clauses):
        return False
    willing = all(may_be_meant(telling, clause) for clause in pair.effect)
    modals = ("will", "will", "will", "can", "must", "should", "may") if willing else ("will", "will", "may")
    modal = dice.pick(modals) if dice.chance(0.8) else ""
    effect = tuple(with_modal(clause, modal) if modal else clause for clause in pair.effect)
    if len(pair.cause) > 2:
        return False
    word = "if" if dice.chance(0.75) or not _tells_when(telling, pair) else "when"
    condition = [literal(word, "SCONJ"), *telling.join(pair.cause, "present", inside=True)]
    if dice.chance(0.7) or pair.leaning:
        telling.say([*condition, mark(","), *telling.join(effect, "present")], "if")
        return True
    telling.memory.forget()
    start = telling.join(effect, "present")
    telling.say([*start, literal(word, "SCONJ"), *telling.join(pair.cause, "present", inside=True)], "if")
    return True


def if_would(telling: Telling, pair: Pair) -> bool:
    """Tell *If the lamp went out, Tom would light a candle*, *If he had not lost it, he could open it*."""
    first, second = pair.cause[0], pair.effect[0]
    if (
        len(pair.clauses) != 2
        or first.verb.modal == "will"
        or second.verb.modal in ("will", "must", "may", "should")
    ):
        return False
    if second.verb.perfect or second.verb.adverb:
        return False
    if first.verb.perfect or first.verb.negated:
        if first.verb.perfect != (not first.verb.negated) or not second.verb.negated:
            return False
        if said_of_none(first):
            return False
        first = replace(first, verb=replace_verb(first.verb, negated=not first.verb.negated))
        second = replace(second, verb=replace_verb(second.verb, negated=False))
    second = with_modal(second, "will")
    words = [literal("if", "SCONJ"), *telling.tell(first, "past"), mark(","), *telling.tell(second, "past")]
    telling.say(words, "if_would")
    return True


def whenever(telling: Telling, pair: Pair) -> bool:
    """Tell *When the lamp goes out, Tom always lights a candle*."""
    if any(clause.verb.modal == "will" or clause.verb.perfect or has_time(clause) for clause in pair.clauses):
        return False
    if not is_event(pair.effect[0]) or not _tells_when(telling, pair):
        return False
    dice = telling.dice
    first = pair.effect[0]
    word = "whenever" if dice.chance(0.3) else "when"
    adverb = (
        "always" if word == "whenever" else dice.pick(("always", "always", "often", "usually", "sometimes"))
    )
    effect = pair.effect
    if not (first.verb.negated or first.verb.modal or first.verb.adverb):
        effect = (replace(first, verb=replace_verb(first.verb, adverb=adverb)), *effect[1:])
    tokens = [literal(word, "SCONJ"), *telling.join(pair.cause, "present", inside=True), mark(",")]
    telling.say([*tokens, *telling.join(effect, "present")], "whenever")
    return True


def unless(telling: Telling, pair: Pair) -> bool:
    """Tell *The rose will lose its leaves unless Tom waters it*."""
    first = pair.cause[0]
    if len(pair.cause) > 1 or not first.verb.negated or first.verb.perfect or said_of_none(first):
        return False
    if first.verb.modal in ("will", "must"):
        return False
    told = replace(first, verb=replace_verb(first.verb, negated=False))
    effect = tuple(with_modal(clause, "will") for clause in pair.effect)
    if pair.leaning:
        words = [
            literal("unless", "SCONJ"),
            *telling.tell(told, "present"),
            mark(","),
            *telling.join(effect, "present"),
        ]
    else:
        words = [*telling.join(effect, "present"), literal("unless", "SCONJ"), *telling.tell(told, "present")]
    telling.say(words, "unless")
    return True


def not_until(telling: Telling, pair: Pair) -> bool:
    """Tell *Tom did not light a candle until the lamp went out*."""
    second = pair.effect[0]
    if len(pair.clauses) != 2 or not is_event(pair.cause[0]) or not is_event(second) or pair.leaning:
        return False
    if _things(pair.cause[0]) & _things(second) or any(map(_lasts, pair.clauses)):
        return False
    if isinstance(second.subject[0], Text) or said_of_none(second):
        return False
    told = replace(second, verb=replace_verb(second.verb, negated=True))
    telling.say([*telling.tell(told), literal("until", "SCONJ"), *telling.tell(pair.cause[0])], "until")
    return True


def _lasts(clause: Clause) -> bool:
    """Say whether a clause tells what goes on for a time or again and again."""
    within_it = any(isinstance(part, Inner) for part in parts_of(clause))
    return within_it or has_time(clause) or clause.verb.lemma in DURATIVE


def said_of_none(clause: Clause) -> bool:
    """Say whether a clause has words that go with *not* alone, or *only*: *any more*, *so far*."""
    words = {part.word for part in parts_of(clause) if isinstance(part, Text)}
    determiners = {part.determiner for part in parts_of(clause) if isinstance(part, Noun)}
    return bool(
        (words | determiners) & {"any", "more", "so", "yet", "much", "only", "once", "at", "long", "well"}
    )


def _things(clause: Clause) -> set[str]:
    """Return the letters and labels of what is told of, but for the subject."""
    parts = [part for phrase in clause.phrases for part in phrase]
    letters = {part.letter for part in parts if isinstance(part, Slot)}
    return letters | {part.label for part in parts if isinstance(part, Noun) and part.label}


def as_soon_as(telling: Telling, pair: Pair) -> bool:
    """Tell *As soon as the lamp went out, Tom lit a candle*; *after* and *once*."""
    first = pair.cause[0]
    if not is_event(first) or len(pair.cause) > 1 or not is_event(pair.effect[0]) or _lasts(first):
        return False
    name = telling.dice.pick(("as soon as", "after", "after"))
    if telling.dice.chance(0.6):
        first = earlier(pair.cause)[0]
    words = [*conjunction(name), *telling.tell(first), mark(","), *within(telling, pair.effect)]
    telling.say(words, "as_soon_as")
    return True
