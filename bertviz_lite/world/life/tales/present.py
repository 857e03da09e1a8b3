"""What is so before a story and after it, told in the present: habits, where a thing is, who are friends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import THINGS
from bertviz_lite.world.grammar.notation import Clause, Noun, Part, Slot, Text, parts_of, read_clause
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, mark, written
from bertviz_lite.world.life.knowledge.reading import knowledge
from bertviz_lite.world.life.making.telling import STATES, Telling, has_time
from bertviz_lite.world.life.tales.joining import Joining
from bertviz_lite.world.life.tales.plans import Plan
from bertviz_lite.world.life.tales.players import Players

_clause = cache(read_clause)
_HABITS = entries("every day, every day, every morning, every week, every Monday, all year, every Saturday")
_GETS = frozenset(words("get make build find buy keep win"))
_PUTS = frozenset(words("put hang lay set plant keep"))
_STAYS = frozenset(words("live stand hang stay grow"))
_MISHAPS = frozenset(words("break lose forget spill burn"))
_CROWDS = frozenset(words("everybody everyone people town village party market children"))
_QUARRELS = frozenset(words("thief robber steal quarrel fight laugh stranger sell buy pay"))
_ANY = (
    "L9 | still remember | that day",
    "L9 | often think | of that day",
    "L9 | like to tell | the story",
    "L9 | still tell | everybody + about it",
    "L9 | have never forgotten | that day",
)
_OF_TWO = (
    "P9 | still talk | about it",
    "P9 | often talk | about it",
    "P9 | still remember | that day",
    "P9 | have not forgotten | it",
)
_OF_THE_TOWN = (
    "everybody | still talk | about it",
    "everybody in town | know | the story + now",
    "people | still tell | the story",
    "nobody | have forgotten | it",
)
_PLACED = frozenset(words("in on under over beside behind above near"))
_FAMILY_OR_FRIEND = frozenset(
    words("friend mother father grandmother grandfather brother sister son daughter wife husband")
)
_FLEETING = frozenset(words("food dish drink"))
_LONG_AGO = entries("a year ago, long ago, last year, two years ago, many years ago, a month ago")
_LATELY = frozenset(words("yesterday today last this week ago now"))


@contextmanager
def present_tense(telling: Telling) -> Iterator[None]:
    """Tell what follows in the present, whatever the tense of the text; its marks do not count on a tense."""
    clauses = telling.clauses
    before = telling.tense, clauses.tense_is_known, clauses.tenses
    telling.tense, clauses.tense_is_known, clauses.tenses = "present", "", set()
    try:
        yield
    finally:
        telling.tense, clauses.tense_is_known, clauses.tenses = before


# Before.


@cache
def _habits_of(kind: str) -> tuple[Clause, ...]:
    """Return what somebody of a kind always does, that speaks of nobody and nothing else: of L9."""
    found: list[Clause] = []
    for clauses in knowledge().facts:
        first = clauses[0]
        subject = first.subject[0]
        if len(clauses) > 1 or len(first.subject) > 1 or not isinstance(subject, Slot):
            continue
        verb = first.verb
        if subject.type != kind or verb.negated or verb.modal or verb.lemma in STATES:
            continue
        others = [part for phrase in first.phrases for part in parts_of(Clause(phrase, verb))]
        if all(isinstance(part, Text) or _is_plain(part) for part in others):
            found.append(replace(first, subject=(Slot("L9"),)))
    return tuple(found)


def _is_plain(part: Part) -> bool:
    return isinstance(part, Noun) and not part.label and not part.owner


def habit(telling: Telling, job: str) -> Clause | None:
    """Return what somebody of a job does every day, or None where nothing is known of it."""
    habits = _habits_of(job)
    if not habits:
        return None
    clause = telling.dice.pick(habits)
    if has_time(clause) or telling.dice.chance(0.4):
        return clause
    return replace(
        clause, phrases=(*clause.phrases, *_clause(f"L9 | go + {telling.dice.pick(_HABITS)}").phrases)
    )


# After.


def close_in_present(telling: Telling, plan: Plan, players: Players, told: Sequence[Clause]) -> bool:
    """Say what has been so since then; return whether anything fits."""
    dice = telling.dice
    texts = {word.lemma for sentence in telling.sentences for word in sentence.words}
    if texts & {"yesterday", "today"} or not told or not players.by_letter:
        return False
    ways = _ways(telling, plan, players, told)
    if not ways:
        return False
    text = dice.pick(ways)
    if text in _ANY and not dice.chance(0.5):
        return False
    front: list[Token] = []
    if "still" in text and not texts & _LATELY and dice.chance(0.3):
        ago = written(f"that was {dice.pick(_LONG_AGO)}", "PRON", "AUX", "DET", "ADP")
        front = [*ago, mark(","), *written("and", "CCONJ")]
    with present_tense(telling):
        Joining(telling).say((_clause(text),), front)
    return True


def _ways(telling: Telling, plan: Plan, players: Players, told: Sequence[Clause]) -> list[str]:
    lead, *others = players.by_letter.values()
    bindings = telling.bindings
    bindings["L9"] = lead.referent
    mentioned = telling.memory.mentioned
    ways = _of_things(telling, told, lead.referent)
    if mentioned(lead.referent):
        ways.append(telling.dice.pick(_ANY))
        if any(_mishap(telling, clause, lead.referent) for clause in told):
            ways += ["L9 | be | more careful + now", "L9 | will never do | that + again"] * 2
    if plan.words & _CROWDS:
        ways += [telling.dice.pick(_OF_THE_TOWN)] * 2
    if not others or not mentioned(others[0].referent) or not mentioned(lead.referent):
        return ways
    second = others[0]
    if lead.referent.many or second.referent.many:
        return ways
    pair = sorted((lead.referent, second.referent), key=lambda one: telling.narrator is one)
    bindings["P9"] = group = telling.cast.group(*pair)
    telling.memory.gather(group)
    ways.append(telling.dice.pick(_OF_TWO))
    if plan.words & {"laugh", "funny", "smile"}:
        ways += ["P9 | still laugh | about it"] * 2
    if second.referent.noun == "friend" and second.referent.name:
        ways += ["P9 | be | still friends"] * 2
    elif (
        lead.age == second.age
        and not plan.words & _QUARRELS
        and second.referent.noun not in _FAMILY_OR_FRIEND
    ):
        ways += ["P9 | be | good friends + now", "P9 | be | friends + now"]
        if lead.age == "child":
            ways += ["P9 | play | together + every day now"]
    return ways


def _mishap(telling: Telling, clause: Clause, lead: Referent) -> bool:
    verb = clause.verb
    return verb.lemma in _MISHAPS and not verb.negated and _referent(telling, clause.subject[0]) is lead


def _of_things(telling: Telling, told: Sequence[Clause], lead: Referent) -> list[str]:
    """Return what can be said of a thing that is where it was put, or that the first person has got."""
    last = told[-1]
    verb = last.verb
    if verb.negated or verb.modal or verb.perfect or verb.passive or "to" in verb.tail:
        return []
    bindings = telling.bindings
    ways: list[str] = []
    placed = bool(last.phrases) and getattr(last.phrases[-1][0], "word", "") in _PLACED
    thing = _referent(telling, last.object) if last.phrases else None
    subject = _referent(telling, last.subject[0])
    if verb.lemma in _PUTS and placed and not verb.tail and _lasting(thing):
        bindings["T9"] = thing  # type: ignore[assignment]
        ways += ["T9 | be | still there"] * 4
    elif verb.lemma in _STAYS and placed and not verb.tail and subject is not None:
        bindings["T9"] = subject
        ways += [f"T9 | still {verb.lemma} | there"] * 4
    elif verb.lemma in _GETS and not verb.tail and subject is lead and _lasting(thing) and not placed:
        bindings["T9"] = thing  # type: ignore[assignment]
        ways += ["L9 | still have | T9"] * 4
    return ways


def _referent(telling: Telling, part: object) -> Referent | None:
    letter = getattr(part, "label", "") or getattr(part, "letter", "")
    one = telling.bindings.get(letter)
    return one if one is not None and telling.memory.mentioned(one) else None


def _lasting(one: Referent | None) -> bool:
    if one is None or one.kind not in ("thing", "pet", "animal") or one.mass:
        return False
    thing = THINGS.get(one.noun)
    return thing is None or thing.kind not in _FLEETING
