"""Subjects as words, and what the verb agrees with."""

from __future__ import annotations

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.grammar.lexicon.words import MANY, can_be
from bertviz_lite.world.grammar.manner import Bindings
from bertviz_lite.world.grammar.notation import Clause, Noun, Part, Phrase, Slot, Text
from bertviz_lite.world.grammar.phrases import Phrases
from bertviz_lite.world.grammar.reading.phrases import LEADS
from bertviz_lite.world.grammar.referents import Memory, Referent
from bertviz_lite.world.grammar.tokens import Token, literal
from bertviz_lite.world.grammar.verb_groups import Agreement

_PARTITIVES = ("all", "both", "half", "most", "some", "many", "none", "few", "enough", "any", "several",
               "neither")  # fmt: skip


class Subjects(Phrases):
    """Turns subjects into words."""

    def __init__(self, dice: Dice, memory: Memory) -> None:
        super().__init__(dice, memory)
        self._heads: dict[Phrase, Token] = {}  # the word with which a verb agrees, of subjects that were told

    def _subject(self, clause: Clause, bindings: Bindings, *, told: bool) -> tuple[list[Token], Agreement]:
        """Return the words of a subject and what the verb agrees with; after *there* it is what follows."""
        subject, clause_phrases = clause.subject, clause.phrases
        self.memory.begin_clause()
        words: list[Token] = []
        agreement: Agreement | None = None
        if len(subject) == 3 and subject[1] == Text("and") and self._is_i(subject[0], bindings):
            subject = subject[::-1]  # she and I
        self.phrases.joined = Text("and") in subject
        for part in subject:
            joined = bool(words) and words[-1].pos == "CCONJ"
            tokens, own = self.part(
                part, bindings, "subject" if agreement is None or joined else "object", words
            )
            words += tokens
            if joined and agreement is not None and own is not None and words[-1].lemma != "or":
                first_person = 1 in (agreement.person, own.person)
                agreement = Agreement(1 if first_person else 3, True, agreement.head)
            speaks = isinstance(part, Text) and part.word in ("I", "you", "we") and not joined
            if own is not None and (agreement is None or (speaks and part == subject[-1])):
                agreement = own
                referent = bindings.get(part.letter) if isinstance(part, Slot) else None
                if isinstance(part, Noun) and part.label:
                    referent = bindings.get(part.label)
                if referent is not None and (self.phrases.subject is None or not told):
                    self.phrases.subject = referent
        self.phrases.joined = False
        agreement = agreement or Agreement(3, False, words[0] if words else None)
        first = subject[0]
        if isinstance(first, Text) and first.word in LEADS and len(subject) > 1:
            first = subject[1]
        if isinstance(first, Text) and first.word in _PARTITIVES and len(subject) > 1:
            agreement = self._of_several(subject, agreement, bindings)
        self.memory.note_subject(_referent_of(subject, bindings))
        if isinstance(first, Text) and first.word in ("there", "here"):
            agreement = Agreement(3, self._many_after(clause_phrases, bindings), None)
        if told and agreement.head is not None:
            self._heads[subject] = agreement.head
        elif subject in self._heads:  # "the frog sat on the step and was wet"
            agreement = agreement._replace(head=self._heads[subject])
        return (words if told else []), agreement

    def _is_i(self, part: Part, bindings: Bindings) -> bool:
        """Say whether a part is the one who speaks."""
        speaks = isinstance(part, Slot) and self.phrases.person(bindings[part.letter])[:2] == (1, False)
        return speaks or part == Text("I")

    def _of_several(self, subject: Phrase, agreement: Agreement, bindings: Bindings) -> Agreement:
        """Return what *half of them*, *all A's friends*, *none of the milk* agree with: with what follows."""
        if getattr(subject[0], "word", "") == "neither":  # neither of the doors is open
            return Agreement(3, False, agreement.head)
        last = subject[-1]
        many = agreement.many
        if isinstance(last, Slot):
            many = bindings[last.letter].many
        elif isinstance(last, Noun):
            many = last.words[-1] == "others" or literal(last.words[-1], "NOUN", "PRON").form == "plural"
        elif isinstance(last, Text):
            many = last.word in ("them", "us", "you", "these", "those", "others") or can_be(last.word, "NUM")
        return Agreement(3, many, agreement.head)

    def _many_after(self, phrases: tuple[Phrase, ...], bindings: Bindings) -> bool:
        """Say whether the first noun phrase after *there is* or *there are* is many."""
        for phrase in phrases:
            for part in phrase:
                if isinstance(part, Slot):
                    return bindings[part.letter].many
                if isinstance(part, Noun):
                    listed = len(phrase) > 1 and isinstance(phrase[1], Text) and phrase[1].word == ","
                    plural_noun = literal(part.words[-1], "NOUN", "PRON").form == "plural"
                    return not listed and (plural_noun or part.determiner in MANY)
                if isinstance(part, Text) and part.word != "one":
                    token = literal(part.word, "NUM", "NOUN")
                    if (
                        token.pos == "NUM"
                        or token.form == "plural"
                        or part.word in ("many", "several", "few")
                    ):
                        return True
        return False


def _referent_of(subject: Phrase, bindings: Bindings) -> Referent | None:
    """Return who or what a subject is, where it is one slot or labelled noun phrase."""
    part = subject[0]
    if len(subject) > 1:
        return None
    if isinstance(part, Slot):
        return bindings[part.letter]
    return bindings.get(part.label) if isinstance(part, Noun) and part.label else None
