"""Clauses of a line as parts of a sentence: earlier than the rest, passive, with a phrase or a time first."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.clauses import replace_verb
from bertviz_lite.world.grammar.lexicon.words import comparison
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot, Text, Verb
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, literal, mark
from bertviz_lite.world.grammar.verb_groups import verb_group
from bertviz_lite.world.life.making.telling import PASSIVES, Telling, has_time, is_event

Clauses = tuple[Clause, ...]
# Prepositions of phrases that may come first, "In the garden, Tom found a coin".
_MAY_COME_FIRST = ("in", "on", "at", "under", "behind", "near", "beside", "after", "before", "by")
_NOT_EARLIER = frozenset(
    words(
        """have be like love want need sit stand lie sleep live stay hang work play wear hold shine blow
        swim sail wait look watch listen walk belong stick lead carry ride drive talk sing rain snow run lean
        follow read"""
    )
)
DURATIVE = words(
    """sit stand lie sleep hang work play wear hold shine blow swim sail wait look watch listen walk sound
    taste smell feel stay live"""
)
_PUTTING = words(
    "put lay hang throw lock pour set drop hide lose spill plant keep leave bring take carry stick"
)
_NOT_PROGRESSIVE = words("sound taste smell feel live look")
_GOING_ON = ("go", *(verb for verb in DURATIVE if verb not in _NOT_PROGRESSIVE))
_DONE_FOR_A_TIME = frozenset(
    (
        *_GOING_ON,
        *words(
            """ring bark run make eat drink read write draw paint cook bake sing dance cry laugh feed pull
            push carry sweep wash clean dig climb fly follow chase rain snow build plant pick iron
            knit sew mend measure look howl creak shake burn grow ride drive row count search stir
            water melt"""
        ),
    )
)
_NOT_MEANT = frozenset(
    words(
        """fall cry laugh fail win lose forget become get grow smile hurt sleep wake break drop miss arrive
        feel happen find understand dream sneeze cough shiver hear see smell jump cut burn spill slip
        like love know need want ask"""
    )
)


def single(telling: Telling, clauses: Clauses, tense: str = "", *, first: bool = True) -> list[Token]:
    """Tell clauses together, now and then in the passive or, at the beginning, with a phrase first."""
    clause = clauses[0]
    if len(clauses) > 1:
        return telling.join(clauses, tense)
    if may_be_passive(telling, clause) and telling.dice.chance(0.2):
        return telling.tell(clause, tense, passive=True)
    thing = clause.object
    known = isinstance(thing, Slot) and telling.memory.mentioned(telling.bindings[thing.letter])
    number = may_come_first(telling, clause) if first and not known else -1
    if number >= 0 and telling.dice.chance(0.12):
        return telling.tell(clause, tense, fronted=number)
    return telling.tell(clause, tense)


def within(telling: Telling, clauses: Clauses, tense: str = "") -> list[Token]:
    """Tell clauses after a conjunction that joins two sentences: *so*, *and*, *but*."""
    return single(telling, clauses, tense, first=False)


def inside(telling: Telling, clauses: Clauses, tense: str = "") -> list[Token]:
    """Tell clauses after a conjunction to which all of them belong: *because*, *when*, *that*."""
    if len(clauses) > 1:
        return telling.join(clauses, tense, inside=True)
    return single(telling, clauses, tense, first=False)


def timed(telling: Telling, clauses: Clauses, *, plain: bool = False) -> list[Token]:
    """Tell clauses of the past, now and then with a time phrase first or last; ``plain``: as they are."""
    dice = telling.dice
    if plain:
        return telling.join(clauses)
    verb = clauses[0].verb
    still = verb.lemma in ("be", "have")
    if (
        still
        or telling.tense != "past"
        or not dice.chance(0.22)
        or any(map(has_time, clauses))
        or verb.perfect
    ):
        return single(telling, clauses)
    if dice.chance(0.6) or len(clauses) > 1:
        time = telling.times("past")
        return [*time, *([mark(",")] if dice.chance(0.6) else []), *within(telling, clauses)]
    return [*telling.tell(clauses[0]), *telling.times("past")]


def earlier(clauses: Clauses) -> Clauses:
    """Return clauses with what happens told as having happened: *had lost*."""
    return tuple(
        replace(clause, verb=replace_verb(clause.verb, perfect=True)) if _can_be_earlier(clause) else clause
        for clause in clauses
    )


def scene(telling: Telling, clauses: Clauses) -> Clauses:
    """Return clauses that are told alone: in the present, what goes on or has happened, not *she eats it*."""
    if telling.tense != "present" or any(map(has_time, clauses)):
        return clauses
    return tuple(
        replace(clause, verb=replace_verb(clause.verb, progressive=True))
        if is_event(clause) and clause.verb.lemma in _DONE_FOR_A_TIME and not clause.verb.passive
        else earlier((clause,))[0]
        if not clause.verb.adverb
        else clause
        for clause in clauses
    )


def now(clauses: Clauses) -> Clauses:
    """Return clauses as one says them in the middle of it: *I have lost my key*, *I'm going home*."""
    return tuple(
        replace(clause, verb=replace_verb(clause.verb, progressive=True))
        if is_event(clause) and clause.verb.lemma in _GOING_ON and not clause.verb.passive
        else earlier((clause,))[0]
        for clause in clauses
    )


def _can_be_earlier(clause: Clause) -> bool:
    verb = clause.verb
    return is_event(clause) and verb.lemma not in (*_NOT_EARLIER, *DURATIVE) and not verb.adverb


def reason(telling: Telling, cause: Clauses) -> list[Token]:
    """Tell a cause after *because*: what happened before is often told as earlier."""
    return inside(telling, earlier(cause) if telling.dice.chance(0.45) else cause)


def may_be_meant(telling: Telling, clause: Clause) -> bool:
    """Say whether somebody does this because they want to: one may tell them to, or say that they must."""
    part, verb = clause.subject[0], clause.verb
    if (
        not is_event(clause)
        or verb.lemma in _NOT_MEANT
        or len(clause.subject) > 1
        or not isinstance(part, Slot)
    ):
        return False
    return telling.bindings[part.letter].kind in ("person", "group")


_PARTICLES = frozenset(words("out up off away down back in over on"))  # "was dug by the crow out"


def may_be_passive(telling: Telling, clause: Clause) -> bool:
    """Say whether the object may become the subject: it is another's, and of the third person."""
    verb, thing = clause.verb, clause.object
    if (
        verb.lemma not in PASSIVES
        or verb.passive
        or verb.progressive
        or verb.tail
        or verb.modal
        or verb.negated
    ):
        return False
    if len(clause.phrases) > 1 and not isinstance(clause.phrases[1][0], Text):  # two objects
        return False
    if any(
        isinstance(part, Text) and part.word in _PARTICLES for phrase in clause.phrases for part in phrase
    ):
        return False
    agent = clause.subject[0]
    if isinstance(agent, Text):
        return False
    if isinstance(agent, Slot):
        one = telling.bindings[agent.letter]
        if telling.memory.mentioned(one) or telling.phrases.person(one).person != 3:
            return False  # by me, by them: who does it is what the sentence is about
    if isinstance(thing, Slot):
        referent = telling.bindings[thing.letter]
        return telling.phrases.person(referent).person == 3 and not thing.owner and referent.owner is None
    if not isinstance(thing, Noun) or thing.owner or thing.determiner in ("my", "your", "our", ""):
        return False
    return not thing.label or telling.bindings[thing.label].owner is None


def may_come_first(telling: Telling, clause: Clause) -> int:
    """Return the number of a phrase of place or time that may come first, or -1."""
    number = len(clause.phrases) - 1
    if clause.verb.lemma in ("be", *_PUTTING) or number < 1 or clause.verb.negated:
        return -1
    first, *parts = clause.phrases[number]
    if not (isinstance(first, Text) and first.word in _MAY_COME_FIRST) or len(parts) != 1:
        return -1
    part = parts[0]
    if isinstance(part, Slot):
        return number if telling.bindings[part.letter].kind == "place" else -1
    return number if isinstance(part, Noun) and not part.owner and not part.label else -1


def gradable(clause: Clause) -> int:
    """Return the number of words before the adjective of *be (very) heavy*, or -1 where there is none.

    Examples
    --------
    >>> from bertviz_lite.world.grammar.notation import read_clause
    >>> [gradable(read_clause(text)) for text in ("A | be | too heavy", "A | be | strong", "A | be | open")]
    [1, 0, -1]
    """
    verb = clause.verb
    if (
        verb.lemma != "be"
        or verb.negated
        or verb.modal
        or verb.perfect
        or verb.adverb
        or len(clause.phrases) != 1
    ):
        return -1
    phrase = clause.phrases[0]
    if not all(isinstance(part, Text) for part in phrase) or len(phrase) > 2:
        return -1
    words = [part.word for part in phrase if isinstance(part, Text)]
    if len(words) == 2 and words[0] not in ("very", "too", "so"):
        return -1
    return len(words) - 1 if comparison(words[-1]) is not None and words[-1] not in _ABSOLUTE else -1


_ABSOLUTE = words(
    """open full empty dead shut lost late early ready other last first next best better worse worst
        same"""
)


def conjunction(word: str) -> list[Token]:
    """Return the words of a conjunction."""
    return [literal(part, "SCONJ", "ADV", "CCONJ") for part in word.split()]


def does(telling: Telling, referent: Referent, verb: Verb) -> list[Token]:
    """Return *Anna knew*: somebody and a verb in the text's tense."""
    tokens, agreement = telling.phrases.refer(referent, "subject")
    group = verb_group(verb, telling.tense, agreement, contracted=telling.dice.chance(0.5))
    return [*tokens, group.finite, *group.middle, *group.rest]
