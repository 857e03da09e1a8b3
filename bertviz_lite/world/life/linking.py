"""A cause and its effect, in many constructions: because, so, when, if, two sentences, questions, relative clauses."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.grammar.clauses import replace_verb
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot
from bertviz_lite.world.grammar.tokens import Token, literal, mark, written
from bertviz_lite.world.life.knowledge import Link
from bertviz_lite.world.life.telling import PASSIVES, Telling, has_time, is_event, with_modal

# How often each construction is drawn.
_WAYS = (
    ("because", 14), ("so", 16), ("because_first", 9), ("when", 12), ("two_sentences", 16), ("and", 8),
    ("if", 9), ("that_is_why", 4), ("why", 5), ("relative", 5), ("after_ing", 5), ("as_soon_as", 5),
    ("since", 4), ("says", 12), ("whenever", 4), ("knows", 4), ("cause_alone", 5), ("effect_alone", 6),
)  # fmt: skip
_WHEEL = tuple(name for name, weight in _WAYS for _ in range(weight))
_KNOWING = ("know", "see", "think", "hear", "say", "forget", "remember", "believe", "hope")


def tell_link(telling: Telling, link: Link) -> None:
    """Tell a cause and its effect in one or two sentences."""
    telling.bind([*link.cause, *link.effect])
    cause, effect = link.cause, link.effect
    name = telling.dice.pick(_WHEEL)
    makers = {
        "because": _because, "so": _so, "because_first": _because_first, "when": _when, "two_sentences": _two,
        "and": _and, "if": _if, "that_is_why": _that_is_why, "why": _why, "relative": _relative,
        "after_ing": _after_ing, "as_soon_as": _as_soon_as, "since": _since, "says": _says, "whenever": _whenever,
        "knows": _knows, "cause_alone": _cause_alone, "effect_alone": _effect_alone,
    }  # fmt: skip
    if not makers[name](telling, cause, effect):
        telling.dice.pick((_because, _so, _two, _because_first))(telling, cause, effect)


Clauses = tuple[Clause, ...]


def timed(telling: Telling, clauses: Clauses, kind: str = "") -> list[Token]:
    """Tell clauses, now and then with a time phrase first or last."""
    dice = telling.dice
    kind = kind or ("past" if telling.tense == "past" else "")
    if not kind or not dice.chance(0.22) or any(map(has_time, clauses)):
        return single(telling, clauses)
    if dice.chance(0.6):
        time = telling.times(kind)
        return [*time, *([mark(",")] if dice.chance(0.6) else []), *single(telling, clauses)]
    if len(clauses) == 1 and clauses[0].verb.lemma != "be":
        return [*telling.tell(clauses[0]), *telling.times(kind)]
    return single(telling, clauses)


def single(telling: Telling, clauses: Clauses, tense: str = "") -> list[Token]:
    """Tell clauses together, now and then in the passive or with a phrase first."""
    clause = clauses[0]
    if len(clauses) == 1 and may_be_passive(telling, clause) and telling.dice.chance(0.12):
        return telling.tell(clause, tense, passive=True)
    if len(clauses) == 1:
        number = may_come_first(telling, clause)
        if number >= 0 and telling.dice.chance(0.12):
            return telling.tell(clause, tense, fronted=number)
        return telling.tell(clause, tense)
    return telling.join(clauses, tense)


def may_be_passive(telling: Telling, clause: Clause) -> bool:
    """Say whether the object may become the subject: it is another's, and of the third person."""
    verb, thing = clause.verb, clause.object
    if verb.lemma not in PASSIVES or verb.passive or verb.progressive or verb.tail or verb.modal:
        return False
    if isinstance(thing, Slot):
        referent = telling.bindings[thing.letter]
        return telling.phrases.person(referent).person == 3 and not thing.owner and referent.owner is None
    return isinstance(thing, Noun) and not thing.owner and thing.determiner not in ("my", "your", "our")


def may_come_first(telling: Telling, clause: Clause) -> int:
    """Return the number of a phrase of place or time that may come first, or -1."""
    if clause.verb.lemma == "be" or len(clause.phrases) < 2:
        return -1
    number = len(clause.phrases) - 1
    first = clause.phrases[number][0]
    if getattr(first, "word", "") not in (
        "in",
        "on",
        "at",
        "under",
        "behind",
        "near",
        "beside",
        "after",
        "before",
        "by",
    ):
        return -1
    parts = clause.phrases[number][1:]
    if any(isinstance(part, Slot) and telling.bindings[part.letter].kind != "place" for part in parts):
        return -1
    return -1 if any(getattr(part, "owner", "") for part in parts) else number


def _lower(tokens: list[Token]) -> list[Token]:
    return tokens


def _because(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    words = single(telling, effect)
    telling.say([*words, literal("because", "SCONJ"), *single(telling, cause)], "because")
    return True


def _so(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    words = [
        *timed(telling, cause),
        mark(","),
        literal(telling.dice.pick(("so", "so", "so", "and")), "CCONJ"),
    ]
    telling.say([*words, *single(telling, effect)], "so")
    return True


def _because_first(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    words = [literal("because", "SCONJ"), *single(telling, cause), mark(",")]
    telling.say([*words, *single(telling, effect)], "because")
    return True


def _since(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    word = telling.dice.pick(("since", "as"))
    telling.say(
        [literal(word, "SCONJ"), *single(telling, cause), mark(","), *single(telling, effect)], "since"
    )
    return True


def _when(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    if telling.dice.chance(0.65):
        words = [literal("when", "SCONJ"), *single(telling, cause), mark(","), *single(telling, effect)]
    else:
        words = [*single(telling, effect), literal("when", "SCONJ"), *single(telling, cause)]
    telling.say(words, "when")
    return True


def _two(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    dice = telling.dice
    if dice.chance(0.12):
        telling.say(single(telling, effect))
        telling.say(single(telling, cause))
        return True
    telling.say(timed(telling, cause))
    start = written(dice.pick(("so", "then", "so")), "ADV", "CCONJ") if dice.chance(0.22) else []
    telling.say([*start, *single(telling, effect)])
    return True


def _and(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    if not is_event(cause[-1]) or not is_event(effect[0]):
        return False
    telling.say(telling.join((*cause, *effect)), "and")
    return True


def _if(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    """What would follow: *if … will*, in the present."""
    dice = telling.dice
    if any(clause.verb.modal == "will" for clause in (*cause, *effect)):
        return False
    modal = dice.pick(("will", "will", "can", "must", "should", "may")) if dice.chance(0.8) else ""
    told = tuple(with_modal(clause, modal) if modal else clause for clause in effect)
    word = "if" if dice.chance(0.75) else "when"
    tokens = [literal(word, "SCONJ"), *telling.join(cause, "present")]
    if dice.chance(0.7):
        telling.say([*tokens, mark(","), *telling.join(told, "present")], "if")
    else:
        telling.say(
            [*telling.join(told, "present"), literal(word, "SCONJ"), *telling.join(cause, "present")], "if"
        )
    return True


def _whenever(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    if any(clause.verb.modal == "will" or clause.verb.perfect for clause in (*cause, *effect)):
        return False
    dice = telling.dice
    first = effect[0]
    adverb = dice.pick(("always", "often", "usually", "sometimes", "never" if dice.chance(0.0) else "always"))
    if not (first.verb.negated or first.verb.modal or first.verb.adverb):
        effect = (replace(first, verb=replace_verb(first.verb, adverb=adverb)), *effect[1:])
    word = "whenever" if dice.chance(0.3) else "when"
    tokens = [literal(word, "SCONJ"), *telling.join(cause, "present"), mark(",")]
    telling.say([*tokens, *telling.join(effect, "present")], "whenever")
    return True


def _as_soon_as(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    if not is_event(cause[0]) or len(cause) > 1 or not is_event(effect[0]):
        return False
    name = telling.dice.pick(("as soon as", "after", "once", "before"))
    if name == "before":
        words = [*single(telling, cause), literal("before", "SCONJ"), *single(telling, effect)]
    else:
        first = cause[0]
        if telling.dice.chance(0.6):
            first = replace(first, verb=replace_verb(first.verb, perfect=True))
        words = [*written(name, "SCONJ"), *telling.tell(first), mark(","), *single(telling, effect)]
    telling.say(words, "as_soon_as")
    return True


def _that_is_why(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    telling.say(timed(telling, cause))
    is_or_was = "is" if telling.tense == "present" or telling.dice.chance(0.2) else "was"
    start = written(f"that {is_or_was} why", "PRON", "AUX")
    telling.say([*start, *single(telling, effect)], "that_is_why")
    return True


def _why(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    if len(effect) > 1:
        return False
    dice = telling.dice
    tokens = telling.clauses.tell(effect[0], telling.bindings, _asking(telling))
    question = [literal("why", "ADV"), *tokens, mark("?")]
    if dice.chance(0.4):
        telling.say([mark('"'), *question, mark('"')], "why")
        telling.say(
            [mark('"'), literal("because", "SCONJ"), *single(telling, cause), mark("."), mark('"')], "because"
        )
        return True
    telling.say(question, "why")
    start = [literal("because", "SCONJ")] if dice.chance(0.6) else []
    telling.say([*start, *single(telling, cause)], "because")
    return True


def _asking(telling: Telling):  # noqa: ANN202
    from bertviz_lite.world.grammar.clauses import Manner

    return Manner(telling.tense, "question", contracted=telling.dice.chance(0.5))


def _relative(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    """*The girl who had lost her key could not open the door.*"""
    first, second = cause[0], effect[0]
    if len(cause) > 1 or first.subject != second.subject or len(first.subject) != 1:
        return False
    slot = first.subject[0]
    if not isinstance(slot, Slot):
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
    inside = _predicate(telling, first)
    outside = _predicate(telling, second)
    more = [token for clause in effect[1:] for token in (literal("and", "CCONJ"), *telling.tell(clause))]
    for token in (*inside, *outside):
        if (
            token.subject is not None
            and token.subject.entity == referent.chain
            and token.subject.pos == "PRON"
        ):
            token.subject = agreement.head
    telling.say([*tokens, *comma, who, *inside, *comma, *outside, *more], "relative")
    return True


def _predicate(telling: Telling, clause: Clause) -> list[Token]:
    """Return a clause without the words of its subject."""
    return telling.without_subject(clause)


def _after_ing(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    """*After finding the kite, she ran home.*"""
    first = cause[0]
    if len(cause) > 1 or not is_event(first) or first.subject != effect[0].subject or not is_event(effect[0]):
        return False
    telling.phrases.subject = telling.bindings.get(getattr(first.subject[0], "letter", ""))
    if telling.phrases.subject is None or first.verb.lemma == "be":
        return False
    before = telling.join(effect)
    ing = telling.tell(first, form="ing")
    telling.say([*before, literal("after", "ADP"), *ing], "after_ing")
    return True


def _says(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    """The one to whom it happens says so."""
    from bertviz_lite.world.life.talking import say_link

    return say_link(telling, cause, effect)


def _knows(telling: Telling, cause: Clauses, effect: Clauses) -> bool:
    """*Tom saw that Anna was hungry. He gave her a bun.*"""
    dice = telling.dice
    knower = telling.cast.someone(dice.pick(("child", "adult", "person")))
    verb = dice.pick(_KNOWING)
    agreement_tokens, agreement = telling.phrases.refer(knower, "subject")
    from bertviz_lite.world.grammar.notation import Verb
    from bertviz_lite.world.grammar.verb_groups import verb_group

    group = verb_group(Verb(verb), telling.tense, agreement)
    that = [literal("that", "SCONJ")] if dice.chance(0.6) else []
    told = dice.pick((cause, effect))
    telling.say([*agreement_tokens, group.finite, *that, *single(telling, told)], "knows")
    return True


def _cause_alone(telling: Telling, cause: Clauses, effect: Clauses) -> bool:  # noqa: ARG001
    telling.say(timed(telling, cause))
    return True


def _effect_alone(telling: Telling, cause: Clauses, effect: Clauses) -> bool:  # noqa: ARG001
    telling.say(timed(telling, effect))
    return True
