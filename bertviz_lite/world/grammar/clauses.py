"""Clauses as words: statements, questions, negations, passives, relative clauses, in any tense."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.distributing import distributed
from bertviz_lite.world.grammar.manner import Bindings, Manner, contract, replace_verb
from bertviz_lite.world.grammar.notation import Clause, Inner, Noun, Part, Phrase, Slot, Text, Verb
from bertviz_lite.world.grammar.referents import Detail, Memory, Referent
from bertviz_lite.world.grammar.subjects import Subjects
from bertviz_lite.world.grammar.tokens import Token, literal, mark
from bertviz_lite.world.grammar.verb_groups import Agreement, bare, verb_group

__all__ = ["Bindings", "Clauses", "Manner", "replace_verb"]
_WH = ("what", "who", "where", "when", "why", "how", "which", "whose", "whom")
_PARTICLES = frozenset(["on", "off", "up", "down", "out", "in", "away", "back", "over", "open"])
_ASKED_AFTER = (Text("whom"), Text("where"), Text("what"), Text("who"))


class Clauses(Subjects):
    """Turns clauses into words.

    Attributes
    ----------
    tense_is_known
        The tense of the text, once a sentence has shown it.
    tenses
        That were told so far.
    """

    def __init__(self, dice: Dice, memory: Memory) -> None:
        super().__init__(dice, memory)
        self.phrases.relative = self._relative
        self.tense_is_known = ""
        self.tenses: set[str] = set()

    def tell(self, clause: Clause, bindings: Bindings, manner: Manner) -> list[Token]:
        """Return the words of a clause, without the mark at its end."""
        if manner.passive:
            return self._passive(clause, bindings, manner)
        if manner.tense == "present" and clause.verb.lemma not in _OF_THE_PAST and _when_past(clause):
            manner = replace(manner, tense="past")
        if manner.tense == "present" and manner.form not in _NOT_FINITE and _of_yesterday(clause):
            clause = replace(clause, verb=replace_verb(clause.verb, perfect=False))
            manner = replace(manner, tense="past")
        if manner.tense == "past" and manner.form not in _NOT_FINITE:
            clause = replace(clause, verb=_of_the_past(clause))
        if not self.as_written and manner.skipped < 0:
            clause = distributed(clause, bindings, self.memory)
        outer, self._tense = self._tense, manner.tense
        try:
            return self._active(clause, bindings, manner)
        finally:
            self._tense = outer

    def _active(self, clause: Clause, bindings: Bindings, manner: Manner) -> list[Token]:
        start, phrases = (
            self._wh_first(clause, bindings)
            if manner.form in ("question", "reported")
            else ([], clause.phrases)
        )
        if manner.skipped >= 0:
            phrases = tuple(phrase for number, phrase in enumerate(phrases) if number != manner.skipped)
        front: list[Token] = []
        if manner.fronted >= 0:
            front = self.phrase(phrases[manner.fronted], bindings)
            phrases = tuple(phrase for number, phrase in enumerate(phrases) if number != manner.fronted)
            front.append(mark(","))
        asks = manner.form == "question"
        subject, agreement = self._subject(
            clause, bindings, told=manner.subject and manner.form not in _NOT_FINITE
        )
        if manner.form in _NOT_FINITE:
            verb = bare(clause.verb, manner.form)
            return [*front, *verb, *self._rest(clause.verb, phrases, bindings)]
        agreement = manner.agreement or agreement
        group = verb_group(clause.verb, manner.tense, agreement, question=asks, contracted=manner.contracted)
        self._determine(clause.verb, group.finite, manner)
        rest = self._rest(clause.verb, phrases, bindings)
        if clause.verb.negated:
            _with_any(rest)
        if (
            agreement.head is None and group.finite.form is not None
        ):  # "there are two boxes" agrees with boxes
            group.finite.subject = next((token for token in rest if token.pos in ("NOUN", "PRON")), None)
        if asks:
            return [*front, *start, group.finite, *subject, *group.middle, *group.rest, *rest]
        if manner.contracted:
            subject = contract(subject, group.finite, self.dice)
            finite = [] if subject and subject[-1] is group.finite else [group.finite]
        else:
            finite = [group.finite]
        if group.inverts:
            words = [*start, *subject, *finite, *group.middle, *group.rest]
        else:
            words = [*start, *subject, *group.middle, *finite, *group.rest]
        return [*front, *words, *rest]

    def _determine(self, verb: Verb, finite: Token, manner: Manner) -> None:
        """Mark an auxiliary that only the number of its subject leaves open."""
        helps = (finite.lemma == "be" and (verb.progressive or verb.passive)) or (
            finite.lemma == "have" and verb.perfect
        )
        if (
            helps
            and finite.subject is not None
            and manner.tense == self.tense_is_known
            and finite.determined is None
        ):
            finite.determined = "agreement"
        self.tenses.add(manner.tense)

    def _passive(self, clause: Clause, bindings: Bindings, manner: Manner) -> list[Token]:
        thing = clause.phrases[0]
        verb = replace_verb(clause.verb, passive=True)
        words = self.tell(
            Clause(thing, verb), bindings, replace(manner, passive=False, fronted=-1, skipped=-1)
        )
        agent = self.phrase(clause.subject, bindings)
        if agent and agent[0].pos != "PRON":
            words += [literal("by", "ADP"), *agent]
        return [*words, *(token for phrase in clause.phrases[1:] for token in self.phrase(phrase, bindings))]

    def _rest(self, verb: Verb, phrases: tuple[Phrase, ...], bindings: Bindings) -> list[Token]:
        """Return what follows the verb: its tail and its phrases, *put it on* and *put on the hat*."""
        tail = self._texts(verb.tail)
        if not phrases:
            return tail
        first = self.phrase(self.in_some_number(verb, phrases[0]), bindings)
        others = [token for phrase in phrases[1:] for token in self.phrase(phrase, bindings)]
        particle = bool(tail) and verb.tail[-1] in _PARTICLES and (len(tail) == 1 or verb.tail[0] == "to")
        if particle and len(phrases[0]) == 1 and not isinstance(phrases[0][0], Text):
            pronoun = len(first) == 1 and first[0].pos == "PRON"
            if pronoun or (len(first) <= 2 and self.dice.chance(0.3)):
                return [*tail[:-1], *first, tail[-1], *others]
        return [*tail, *first, *others]

    def after_verb(self, clause: Clause, bindings: Bindings) -> list[Token]:
        """Return what follows the verb of a clause, "to plant a tree" of "wants to plant a tree"."""
        return self._rest(clause.verb, clause.phrases, bindings)

    def _wh_first(self, clause: Clause, bindings: Bindings) -> tuple[list[Token], tuple[Phrase, ...]]:
        """Take the question word, with its phrase, out of a clause and return it with what is left."""
        if clause.verb.lemma == "know" and clause.phrases == ((Text("why"),),):
            return [], clause.phrases
        for number, phrase in enumerate(clause.phrases):
            first = phrase[0]
            if (
                len(phrase) > 1
                and phrase[-1] in _ASKED_AFTER
                and isinstance(phrase[-2], Text)
                and first not in _ASKED_AFTER
            ):
                start = self.phrase((Text("who"),) if phrase[-1] == Text("whom") else phrase[-1:], bindings)
                left = () if first == Text("at") else (phrase[:-1],)
                return start, (*clause.phrases[:number], *left, *clause.phrases[number + 1 :])
            if len(phrase) == 2 and isinstance(first, Text) and _asks_which(phrase[1]):
                asked = self.phrase(phrase[1:], bindings)
                return asked, (*clause.phrases[:number], phrase[:1], *clause.phrases[number + 1 :])
            word = first.word if isinstance(first, Text) else getattr(first, "determiner", "")
            if word in _WH:
                if isinstance(phrase[-1], Inner) and len(phrase) > 1:
                    rest = (*clause.phrases[:number], phrase[-1:], *clause.phrases[number + 1 :])
                    return self.phrase(phrase[:-1], bindings), rest
                rest = tuple(other for place, other in enumerate(clause.phrases) if place != number)
                return self.phrase(phrase, bindings), rest
        return [], clause.phrases

    # Relative clauses.

    def _relative(self, detail: Detail, referent: Referent) -> list[Token]:
        """Return a relative clause: the referent is the clause's subject or its object."""
        clause: Clause = detail.clause
        bindings = {**(detail.bindings or {}), detail.role: referent}
        happened = clause.verb.lemma in _HAPPENED and not clause.verb.perfect
        tense = detail.tense or ("past" if happened else self._tense or "past")
        manner = Manner(tense, "relative", subject=False)
        first = clause.subject[0]
        if isinstance(first, Slot) and first.letter == detail.role and len(clause.subject) == 1:
            who = (
                "who"
                if referent.kind in ("person", "group")
                else "which"
                if self.dice.chance(0.3)
                else "that"
            )
            words = self._with_agreement(clause, bindings, manner, referent)
            return [Token(who, who, "PRON", entity=referent.chain), *words]
        number = next(
            place
            for place, phrase in enumerate(clause.phrases)
            if len(phrase) == 1 and isinstance(phrase[0], Slot) and phrase[0].letter == detail.role
        )
        words = self.tell(clause, bindings, replace(manner, form="statement", subject=True, skipped=number))
        if self.dice.chance(0.45):
            return words
        who = "that" if referent.kind not in ("person", "group") or self.dice.chance(0.5) else "whom"
        return [Token(who, who, "PRON", entity=referent.chain), *words]

    def _with_agreement(
        self, clause: Clause, bindings: Bindings, manner: Manner, referent: Referent
    ) -> list[Token]:
        head = Token("who", "who", "PRON", entity=referent.chain)  # finish() finds the noun
        agreement = Agreement(3, referent.many, head)
        group = verb_group(clause.verb, manner.tense, agreement, contracted=manner.contracted)
        return [*group.words, *self._rest(clause.verb, clause.phrases, bindings)]


# In a relative clause: earlier than what is told.
_HAPPENED = words("""buy make find lose give bring put meet paint see draw write build bake""")
_NOT_FINITE = ("base", "ing", "participle")
_OF_THE_PAST = ("remember", "forget", "know", "tell")


def _of_the_past(clause: Clause) -> Verb:
    """Return *had to wait* for *must wait*, of the past, and *could not get on* for *may not get on*."""
    verb = clause.verb
    forbidden = verb.negated or clause.subject in ((Text("nobody"),), (Text("no one"),))
    if verb.modal == "may" and forbidden and not verb.perfect:
        return replace_verb(verb, modal="can")
    if verb.modal != "must" or verb.negated or verb.perfect or verb.progressive or verb.passive:
        return verb
    main = (verb.sense or verb.lemma) + ("!" if verb.determined else "")
    return Verb("have", ("to", main, *verb.tail), adverb=verb.adverb)


def _asks_which(part: Part) -> bool:
    """Say whether a part is what is asked for: *which tree* of *from which tree*."""
    return isinstance(part, Noun) and part.determiner in ("which", "whose", "what")


def _with_any(rest: list[Token]) -> None:
    """Put *any* for *some* in what follows a negated verb: *did not catch any fish*."""
    if rest and rest[0].text == "some":
        rest[0].text = rest[0].lemma = "any"


def _of_yesterday(clause: Clause) -> bool:
    """Say whether a clause in the perfect has a time that is over: *has lost it yesterday* is *lost it*."""
    parts = [part for phrase in clause.phrases for part in phrase]
    over = any(
        part in (Text("yesterday"), Text("ago")) or (isinstance(part, Noun) and part.determiner == "last")
        for part in parts
    )
    since = any(part == Text("since") for part in parts)
    return clause.verb.perfect and not clause.verb.modal and over and not since


def _when_past(clause: Clause) -> bool:
    """Say whether a clause has a clause of past time within it: *when A was small*."""
    if clause.verb.perfect or clause.verb.modal:
        return False
    return any(
        isinstance(part, Inner)
        and part.words in (("when",), ("until",), ("before",), ("after",))
        and part.tense == "past"
        for phrase in clause.phrases
        for part in phrase
    )
