"""How two clauses of a story go together: but, when, while, after, before, and, or in two sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.clauses import replace_verb
from bertviz_lite.world.grammar.notation import Clause, Slot, Text, Verb
from bertviz_lite.world.grammar.tokens import Token, literal, mark
from bertviz_lite.world.life.making.telling import Telling, is_event
from bertviz_lite.world.life.tales.news import BUT, contrasts, is_excess, letter_of, same_subject, timed
from bertviz_lite.world.life.ways.linking import may_be_passive, may_come_first

_ARRIVALS = frozenset(words("come arrive wake reach return open look find see hear enter"))
_ARRIVALS_OF_ONE = frozenset(words("come arrive wake hear see return reach"))
_LASTING = frozenset(
    words("sit sleep play wait work cook read lie walk sing swim dance paint knit stand fish rest talk bake")
)
_MADE_READY = frozenset(words("wash close shut lock take light clean dry write drink eat feed pay"))
_SUDDEN = frozenset(
    words("come fall hear begin knock ring jump run fly see break bark shout start blow rain call")
)
_STANDING = frozenset(words("lie stand sit hang"))
_SENSES = frozenset(words("see hear smell feel know think believe want like love hate need hope wish"))


def _related(first: Clause, second: Clause) -> bool:
    """Say whether the second clause goes on with the first's subject: by "it", or by something of it."""
    other = second.subject[0]
    if isinstance(other, Text) and other.word in ("it", "he", "she", "they"):
        return True
    return getattr(other, "owner", "") != "" and getattr(other, "owner", "") == letter_of(first)


class Joining:
    """Tells clauses of a story in sentences.

    Parameters
    ----------
    telling
        The text.
    """

    def __init__(self, telling: Telling) -> None:
        self.telling = telling
        self.dice = telling.dice
        self.last_way = ""

    # One clause.

    def tell(self, clause: Clause, **options: Any) -> list[Token]:  # noqa: ANN401
        """Return the words of a clause."""
        self._gather(clause)
        if clause.subject[0] == BUT:
            clause = replace(clause, subject=clause.subject[1:])
        return self.telling.tell(self._past_must(clause), **options)

    def alone(self, clause: Clause) -> list[Token]:
        """Return the words of a sentence of one clause, now and then with a place first or passive."""
        telling, dice = self.telling, self.dice
        number = may_come_first(telling, clause)
        plain = number >= 0 and not any(
            getattr(part, "label", "")
            or getattr(part, "letter", "")
            or getattr(part, "word", "") in ("it", "them", "him", "her", "me", "us")
            for part in clause.phrases[number]
        )
        if plain and dice.chance(0.1) and clause.verb.tail[:1] != ("to",):
            return self.tell(clause, fronted=number)
        turns = may_be_passive(telling, clause) and not clause.verb.negated and not timed(clause)
        if turns and dice.chance(0.12):
            subject = clause.subject[0]
            referent = telling.bindings.get(subject.letter) if isinstance(subject, Slot) else None
            short = len(clause.phrases) == 1 and referent is not None and not referent.details
            if short and referent is not None and not telling.memory.mentioned(referent):
                return self.tell(clause, passive=True)
        return self.tell(clause)

    def _gather(self, clause: Clause) -> None:
        for phrase in (clause.subject, *clause.phrases):
            for part in phrase:
                letter = getattr(part, "letter", "")
                if "+" in letter:
                    self.telling.memory.gather(self.telling.bindings[letter])

    def _past_must(self, clause: Clause) -> Clause:
        """Return a clause with *had to* for *must*, where the story is told in the past."""
        verb = clause.verb
        plain = not (verb.negated or verb.perfect or verb.progressive or verb.passive)
        if verb.modal == "must" and plain and self.telling.tense == "past":
            have = Verb("have", ("to", verb.lemma, *verb.tail), determined=verb.determined)
            return Clause(clause.subject, have, clause.phrases)
        return clause

    # Several.

    def say(self, clauses: tuple[Clause, ...], front: list[Token] | None = None) -> None:
        """Say clauses that belong together, in one sentence or more, the first with its front."""
        if len(clauses) == 1:
            self._finish(self.alone(clauses[0]) if not front else self.tell(clauses[0]), "simple", front)
        elif len(clauses) == 2:
            self._say_two(*clauses, front)
        elif len(clauses) == 3 and all(same_subject(clauses[0], other) for other in clauses[1:]):
            self._finish(self.list_of(clauses), "and", front)
        else:
            size = 2 if self.dice.chance(0.5) else 1
            self.say(clauses[:size], front)
            self.say(clauses[size:])

    def _finish(self, tokens: list[Token], construction: str, front: list[Token] | None = None) -> None:
        self.telling.say([*(front or []), *tokens], construction)

    def list_of(self, clauses: tuple[Clause, ...]) -> list[Token]:
        """Return *she came in, sat down and laughed*, or clauses with *and* between them."""
        tokens = self.tell(clauses[0])
        head = _head(tokens)
        for place, clause in enumerate(clauses[1:], 1):
            if same_subject(clauses[0], clause):
                plain = self.without_subject(clause, head)
                tokens += [literal("and", "CCONJ") if place == len(clauses) - 1 else mark(","), *plain]
            else:
                tokens += [mark(","), literal("and", "CCONJ"), *self.tell(clause)]
        return tokens

    def without_subject(self, clause: Clause, head: Token | None) -> list[Token]:
        """Return a clause without its subject, whose verb agrees with the head of the clause before it."""
        tokens = self.tell(clause, subject=False, contracted=False)
        told = {id(token) for token in tokens}
        for token in tokens:
            if token.subject is not None and id(token.subject) not in told:  # not of a clause within it
                token.subject = head
        return tokens

    def _say_two(self, first: Clause, second: Clause, front: list[Token] | None) -> None:
        way = self._way(first, second)
        if front and way in ("when", "while", "after", "was_when"):
            way = "and" if same_subject(first, second) else "and_other"
        self.last_way = way
        if way == "split":
            self.say((first,), front)
            self.say((second,))
        elif way == "split_but":
            self.say((first,), front)
            self.say((second,), [literal("but", "CCONJ")])
        else:
            self._finish(self.joined(first, second, way), way.removesuffix("_other"), front)

    def _way(self, first: Clause, second: Clause) -> str:
        """Choose how two clauses go together."""
        dice = self.dice
        same = same_subject(first, second)
        if contrasts(first, second):
            return "but" if dice.chance(0.85) else "split_but"
        choice = dice.random()
        if first.verb.negated and is_excess(second):
            return "because" if choice < 0.7 else "split"
        if _may_open(first, second, same=same) and choice < 0.3 and not timed(second):
            return "when"
        going_on = _lasts(first) and is_event(second) and not second.verb.negated and not timed(second)
        going_on = going_on and not timed(first) and second.verb.lemma not in (*_SENSES, first.verb.lemma)
        if going_on and not same and not _related(first, second) and choice < 0.6:
            return "while" if second.verb.lemma not in _SUDDEN or choice < 0.25 else "was_when"
        if same:
            events = is_event(first) and is_event(second) and _is_plain(first) and _is_plain(second)
            if events and choice < 0.07 and self.telling.tense == "past":
                return "after"
            if events and choice < 0.12 and first.verb.lemma in _MADE_READY:
                return "before"
            if events and choice < 0.2 and first.verb.lemma != second.verb.lemma:
                return "then"
            return "split" if choice < 0.28 else "and"
        if self.last_way == "and_other":
            return "split" if choice < 0.65 else "and_other"
        return "split" if choice < 0.36 else "and_other"

    def joined(self, first: Clause, second: Clause, way: str) -> list[Token]:
        """Return two clauses in one sentence."""
        same = same_subject(first, second)
        if way == "when":
            events = is_event(first) and is_event(second)
            if events and second.verb.lemma not in _STANDING and self.dice.chance(0.25):
                start = [literal("as", "SCONJ"), literal("soon", "ADV"), literal("as", "SCONJ")]
                return [*start, *self.tell(first), mark(","), *self.tell(second)]
            return [literal("when", "SCONJ"), *self.tell(first), mark(","), *self.tell(second)]
        if way == "while":
            return [literal("while", "SCONJ"), *self.tell(_going_on(first)), mark(","), *self.tell(second)]
        if way == "was_when":
            return [*self.tell(_going_on(first)), literal("when", "SCONJ"), *self.tell(second)]
        if way == "because":
            return [*self.tell(first), literal("because", "SCONJ"), *self.tell(second)]
        if way == "after":
            earlier = replace(first, verb=replace_verb(first.verb, perfect=True))
            return [literal("after", "SCONJ"), *self.tell(earlier), mark(","), *self.tell(second)]
        if way == "before":
            return [*self.tell(first), literal("before", "SCONJ"), *self.tell(second)]
        tokens = self.tell(first)
        head = _head(tokens)
        if way in ("and", "then") and same and _differ_in_last(first, second) and self.dice.chance(0.75):
            last = self.telling.clauses.phrase(second.phrases[-1], self.telling.bindings)
            return [*tokens, literal("and", "CCONJ"), *last]
        between = [literal("but" if way == "but" else "and", "CCONJ")]
        if way == "then":
            between.append(literal("then", "ADV"))
        if same and (way != "but" or self.dice.chance(0.6)) and second.verb.modal != "will":
            return [*tokens, *between, *self.without_subject(second, head)]
        return [*tokens, mark(","), *between, *self.tell(second)]


def _differ_in_last(first: Clause, second: Clause) -> bool:
    """Say whether two clauses differ in their last phrase only: she looked on it, she looked under it."""
    if first.verb != second.verb or not first.phrases or len(first.phrases) != len(second.phrases):
        return False
    one, other = first.phrases[-1][0], second.phrases[-1][0]
    alike = isinstance(one, Text) == isinstance(other, Text)
    return alike and first.phrases[:-1] == second.phrases[:-1] and first.verb.lemma != "be"


def _head(tokens: list[Token]) -> Token | None:
    return next((token.subject for token in tokens if token.subject is not None), None)


def _is_plain(clause: Clause) -> bool:
    return clause.verb.lemma not in _SENSES | _LASTING


def _may_open(first: Clause, second: Clause, *, same: bool) -> bool:
    """Say whether the first may stand with *when*: one opens, looks, comes, and then the second is so."""
    verb = first.verb
    if verb.lemma not in _ARRIVALS or verb.tail[:1] == ("to",) or "for" in verb.tail or not is_event(first):
        return False
    if verb.lemma == second.verb.lemma:
        return False
    if same:
        return verb.lemma in _ARRIVALS_OF_ONE and is_event(second) and second.verb.lemma not in _SENSES
    if verb.lemma == "see" and second.verb.progressive:
        return False
    return is_event(second) or second.verb.progressive or second.verb.lemma in ("be", "lie", "stand", "sit")


def _lasts(clause: Clause) -> bool:
    verb = clause.verb
    if verb.negated or verb.modal or verb.perfect or verb.passive:
        return False
    return verb.progressive or (
        verb.lemma in _LASTING and not {"down", "up", "out"} & set(verb.tail) and not _moves(clause)
    )


def _moves(clause: Clause) -> bool:
    texts = [part.word for phrase in clause.phrases for part in phrase if isinstance(part, Text)]
    return any(
        word in texts
        for word in ("down", "up", "until", "all", "for", "to", "back", "every", "home", "along", "past")
    )


def _going_on(clause: Clause) -> Clause:
    return replace(clause, verb=replace_verb(clause.verb, progressive=True))
