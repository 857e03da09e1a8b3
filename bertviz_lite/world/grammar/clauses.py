"""Clauses as words: statements, questions, negations, passives, relative clauses, in any tense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bertviz_lite.world.english.grammar import plural
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.notation import Clause, Inner, Noun, Part, Phrase, Self, Slot, Text, Verb
from bertviz_lite.world.grammar.noun_phrases import NounPhrases
from bertviz_lite.world.grammar.referents import Detail, Memory, Referent
from bertviz_lite.world.grammar.tokens import Token, genitive_of, literal, mark
from bertviz_lite.world.grammar.verb_groups import Agreement, bare, verb_group
from bertviz_lite.world.grammar.words import MANY, can_be, words_of

Bindings = Mapping[str, Referent]
_WH = ("what", "who", "where", "when", "why", "how", "which", "whose", "whom")
_CHANGES_WITH_NUMBER = frozenset((*words_of("NOUN", "part"), *words_of("NOUN", "wear")))
_PARTICLES = frozenset(["on", "off", "up", "down", "out", "in", "away", "back", "over", "open"])
_KIN_NAMES = ("mother", "father", "grandmother", "grandfather")  # without a determiner they are names
_ASKED_AFTER = (Text("whom"), Text("where"), Text("what"), Text("who"))
_GENDERS = {noun: gender for gender in "fm" for noun in words_of("NOUN", f"person {gender}")} | dict.fromkeys(
    words_of("NOUN", "person n"), "fm"
)
_PARTITIVES = ("all", "both", "half", "most", "some", "many", "none", "few", "enough", "any", "several")
_ALIKE = ("sheep", "fish", "deer")  # in the plural as in the singular
_SPEAKERS_WORDS = {"I": 0, "me": 1, "my": 2, "myself": 3, "mine": 4}


@dataclass(frozen=True, slots=True)
class Manner:
    """How a clause is told.

    Attributes
    ----------
    tense
        ``"past"`` or ``"present"``, of the finite verb.
    form
        statement, question, reported (a question in the order of a statement), relative (its subject is the relative pronoun before it), or without a finite
        verb: base, ing, participle.
    subject
        Whether the subject is told.
    fronted
        Number of the phrase that comes first, or -1.
    contracted
        Whether *not* and the auxiliary may be one word.
    passive
        Whether the object becomes the subject.
    skipped
        Number of a phrase that is left out, or -1.
    agreement
        What the verb agrees with where its subject does not tell it, as in "people who are ill".
    """

    tense: str = "past"
    form: str = "statement"
    subject: bool = True
    fronted: int = -1
    contracted: bool = False
    passive: bool = False
    skipped: int = -1
    agreement: Agreement | None = None


class Clauses:
    """Turns clauses into words.

    Parameters
    ----------
    dice
        The story's source of chance.
    memory
        What has been mentioned.
    """

    def __init__(self, dice: Dice, memory: Memory) -> None:
        self.dice = dice
        self.memory = memory
        self.phrases = NounPhrases(dice, memory)
        self.phrases.relative = self._relative
        self.tense_is_known = ""
        self._tense = ""
        self.tenses: set[str] = set()

    # Whole clauses.

    def tell(self, clause: Clause, bindings: Bindings, manner: Manner) -> list[Token]:
        """Return the words of a clause, without the mark at its end."""
        if manner.passive:
            return self._passive(clause, bindings, manner)
        if manner.tense == "present" and clause.verb.lemma not in _OF_THE_PAST and _when_past(clause):
            manner = replace(manner, tense="past")
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
            clause, bindings, told=manner.subject and manner.form not in ("base", "ing", "participle")
        )
        if manner.form in ("base", "ing", "participle"):
            verb = bare(clause.verb, manner.form)
            return [*front, *verb, *self._rest(clause.verb, phrases, bindings)]
        agreement = manner.agreement or agreement
        group = verb_group(clause.verb, manner.tense, agreement, question=asks, contracted=manner.contracted)
        self._determine(clause.verb, group.finite, manner)
        if asks:
            inside = [*subject, *group.middle, *group.rest]
            return [*front, *start, group.finite, *inside, *self._rest(clause.verb, phrases, bindings)]
        if manner.contracted:
            subject = _contract(subject, group.finite, self.dice)
            finite = [] if subject and subject[-1] is group.finite else [group.finite]
        else:
            finite = [group.finite]
        if group.inverts:
            words = [*start, *subject, *finite, *group.middle, *group.rest]
        else:
            words = [*start, *subject, *group.middle, *finite, *group.rest]
        return [*front, *words, *self._rest(clause.verb, phrases, bindings)]

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

    def _subject(self, clause: Clause, bindings: Bindings, *, told: bool) -> tuple[list[Token], Agreement]:
        """Return the words of a subject and what the verb agrees with; after *there* it is what follows."""
        subject, clause_phrases = clause.subject, clause.phrases
        words: list[Token] = []
        agreement: Agreement | None = None
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
        if isinstance(first, Text) and first.word in _PARTITIVES and len(subject) > 1:
            agreement = self._of_several(subject, agreement, bindings)
        self.memory.note_subject(_referent_of(subject, bindings))
        if isinstance(first, Text) and first.word in ("there", "here"):
            agreement = Agreement(3, self._many_after(clause_phrases, bindings), None)
        return (words if told else []), agreement

    def _of_several(self, subject: Phrase, agreement: Agreement, bindings: Bindings) -> Agreement:
        """Return what *half of them*, *all A's friends*, *none of the milk* agree with: with what follows."""
        last = subject[-1]
        many = agreement.many
        if isinstance(last, Slot):
            many = bindings[last.letter].many
        elif isinstance(last, Noun):
            many = literal(last.words[-1], "NOUN", "PRON").form == "plural"
        elif isinstance(last, Text):
            many = last.word in ("them", "us", "you", "these", "those")
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
        first = self.phrase(phrases[0], bindings)
        others = [token for phrase in phrases[1:] for token in self.phrase(phrase, bindings)]
        particle = len(verb.tail) == 1 and verb.tail[0] in _PARTICLES
        if particle and len(phrases[0]) == 1 and not isinstance(phrases[0][0], Text):
            pronoun = len(first) == 1 and first[0].pos == "PRON"
            if pronoun or (len(first) <= 2 and self.dice.chance(0.3)):
                return [*first, *tail, *others]
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
            word = first.word if isinstance(first, Text) else getattr(first, "determiner", "")
            if word in _WH:
                if isinstance(phrase[-1], Inner) and len(phrase) > 1:
                    rest = (*clause.phrases[:number], phrase[-1:], *clause.phrases[number + 1 :])
                    return self.phrase(phrase[:-1], bindings), rest
                rest = tuple(other for place, other in enumerate(clause.phrases) if place != number)
                return self.phrase(phrase, bindings), rest
        return [], clause.phrases

    # Phrases and their parts.

    def phrase(self, phrase: Phrase, bindings: Bindings) -> list[Token]:
        """Return the words of a phrase."""
        words: list[Token] = []
        for place, part in enumerate(phrase):
            following = phrase[place + 1] if place + 1 < len(phrase) else None
            if part == Text("in") and isinstance(following, Slot):
                there = bindings[following.letter]
                if there.kind == "place" and not there.name:  # on the hill, at the station
                    words.append(literal(there.preposition, "ADP"))
                    continue
            words += self.part(part, bindings, "object", words)[0]
        return words

    def part(
        self, part: Part, bindings: Bindings, case: str, before: list[Token]
    ) -> tuple[list[Token], Agreement | None]:
        """Return the words of a part of a phrase, and what a verb agrees with if it is a noun phrase."""
        if isinstance(part, Text):
            return self._text(part, before)
        if isinstance(part, Inner):
            return self._inner(part, bindings, before), None
        if isinstance(part, Self):
            return self.phrases.refer(bindings[part.letter], "self")
        if isinstance(part, Slot):
            return self.phrases.refer(bindings[part.letter], case, determined=part.determined)
        aside = bool(before) and before[-1].pos == "ADP"
        return self._noun(part, bindings, case, aside=aside)

    def _inner(self, part: Inner, bindings: Bindings, before: list[Token]) -> list[Token]:
        """Return a clause within the clause that is being told, in its tense."""
        start: list[Token] = []
        for word in part.words:
            start.append(literal(word, *_OPENS.get(word, ("SCONJ", "ADV", "PRON", "ADJ"))))
        tense = part.tense or self._tense
        if not part.relative:
            return [*start, *self.tell(part.clause, bindings, Manner(tense))]
        head = next((token for token in reversed(before) if token.pos in ("NOUN", "PRON", "PROPN")), None)
        many = head is not None and (head.form == "plural" or head.lemma in ("those", "they", "them", "us"))
        words = self.tell(
            part.clause,
            bindings,
            Manner(tense, "relative", subject=False, agreement=Agreement(3, many, head)),
        )
        if head is not None:
            start[0].pos, start[0].entity = "PRON", head.entity
        return [*start, *words]

    def _text(self, part: Text, before: list[Token]) -> tuple[list[Token], Agreement | None]:
        word = part.word
        if word in _SPEAKERS_WORDS or word in (
            "you",
            "your",
            "yourself",
            "yours",
            "we",
            "us",
            "our",
            "ourselves",
        ):
            return self._person(word)
        if word == "tomorrow" and self._tense == "past":
            return [literal("the"), literal("next", "ADJ"), literal("day", "NOUN")], None
        previous = before[-1] if before else None
        if previous is not None and previous.lemma == "to" and can_be(word, "VERB"):
            previous.pos = "PART"
            token = literal(word, "VERB")
        else:
            token = literal(word, *_expected(previous))
        if part.determined:
            token.determined = "mention" if token.lemma in self.memory.lemmas else "consequence"
        if token.pos in ("NOUN", "ADJ", "VERB"):
            self.memory.lemmas.add(token.lemma)
        number = {
            "it": False,
            "he": False,
            "she": False,
            "this": False,
            "that": False,
            "they": True,
            "these": True,
            "those": True,
        }.get(word)
        if token.pos in ("PRON", "DET") or number is not None:
            many = bool(number) or word in ("both", "all", "many", "few", "some", "others", "most")
            return [token], Agreement(3, many, token)
        return [token], None

    def _person(self, word: str) -> tuple[list[Token], Agreement | None]:
        """Return *I*, *you*, *we* and their other cases, which people say of themselves in dialogue."""
        row, person, many = ("I", 1, False) if word in _SPEAKERS_WORDS else ("you", 2, False)
        if word in ("we", "us", "our", "ourselves"):
            row, person, many = "we", 1, True
        token = literal(word, "PRON")
        token.lemma = row
        referent = self.phrases.speaker if row == "I" else self.phrases.addressee if row == "you" else None
        if referent is not None and row != "we":
            if referent.chain < 0:
                self.memory.enter(referent)
            token.entity = referent.chain
            if row == "you" and referent.many:
                many = True
        token.form = "plural" if many else "singular"
        return [token], (Agreement(person, many, token) if word in ("I", "you", "we") else None)

    def _noun(
        self, part: Noun, bindings: Bindings, case: str, *, aside: bool = False
    ) -> tuple[list[Token], Agreement | None]:
        referent = bindings.get(part.label) if part.label else None
        if referent is not None and self.memory.mentioned(referent):
            return self.phrases.refer(referent, case, determined=part.determined)
        words: list[Token] = []
        owner = bindings[part.owner] if part.owner else None
        if owner is not None:
            words += self.phrases.owner(owner)
        elif part.determiner in ("my", "your", "our"):
            words += self._person(part.determiner)[0]
        elif part.determiner:
            words.append(literal(part.determiner, "DET", "NUM"))
        for place, text in enumerate(part.words):
            if text.endswith("'s") and len(text) > 2:
                words += genitive_of(literal(text[:-2], "NOUN", "PRON"))
                continue
            wanted = ("NOUN", "PROPN", "PRON") if place == len(part.words) - 1 else ("ADJ", "NUM", "NOUN")
            words.append(literal(text, *wanted))
        head = words[-1]
        many = head.form == "plural" or part.determiner in MANY or head.text in ("ones", "others")
        if head.lemma in _ALIKE and part.determiner == "" and owner is None:
            many = True
        if many and head.pos == "NOUN":
            head.form = "plural"
        if head.text in _KIN_NAMES and len(words) == 1:
            head.text, head.pos, head.name = head.text.capitalize(), "PROPN", "person"
        if (
            owner is not None
            and owner.many
            and not many
            and head.lemma in _CHANGES_WITH_NUMBER
            and part.determiner == ""
        ):
            head.text, head.form, many = plural(head.lemma), "plural", True
            if referent is not None:
                referent.many = True
        if part.determined:
            head.determined = "mention" if head.lemma in self.memory.lemmas else "consequence"
        self.memory.lemmas.add(head.lemma)
        if referent is None:
            if head.pos != "PROPN" and not aside:
                self.memory.mention_noun(many=many, genders=_GENDERS.get(head.lemma, "n"))
        else:
            self.memory.mention(referent)
            head.entity = referent.chain
        return words, Agreement(3, many, head)

    def _texts(self, words: tuple[str, ...]) -> list[Token]:
        tokens: list[Token] = []
        for word in words:
            tokens += self._text(Text(word.removesuffix("!"), word.endswith("!")), tokens)[0]
        return tokens

    # Relative clauses.

    def _relative(self, detail: Detail, referent: Referent) -> list[Token]:
        """Return a relative clause: the referent is the clause's subject or its object."""
        clause: Clause = detail.clause
        bindings = {**(detail.bindings or {}), detail.role: referent}
        happened = clause.verb.lemma in _HAPPENED and not clause.verb.perfect
        manner = Manner(
            detail.tense or ("past" if happened else self._tense or "past"), "relative", subject=False
        )
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
        agreement = Agreement(3, referent.many)
        group = verb_group(clause.verb, manner.tense, agreement, contracted=manner.contracted)
        words = (
            [group.finite, *group.middle, *group.rest]
            if group.inverts
            else [*group.middle, group.finite, *group.rest]
        )
        return [*words, *self._rest(clause.verb, clause.phrases, bindings)]


# In a relative clause: earlier than what is told.
_HAPPENED = words("""buy make find lose give bring put meet paint see draw write build bake""")
_OF_THE_PAST = ("remember", "forget", "know", "tell")


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


# Parts of speech of words that begin a clause within a clause.
_OPENS = {
    "that": ("SCONJ",),
    "who": ("PRON",),
    "what": ("PRON",),
    "which": ("PRON",),
    "when": ("SCONJ", "ADV"),
    "where": ("ADV",),
    "how": ("ADV",),
    "why": ("ADV",),
}


def _referent_of(subject: Phrase, bindings: Bindings) -> Referent | None:
    """Return who or what a subject is, where it is one slot or labelled noun phrase."""
    part = subject[0]
    if len(subject) > 1:
        return None
    if isinstance(part, Slot):
        return bindings[part.letter]
    return bindings.get(part.label) if isinstance(part, Noun) and part.label else None


def replace_verb(verb: Verb, **changes: object) -> Verb:
    """Return a verb with other auxiliaries."""
    return verb._replace(**changes)  # type: ignore[arg-type]


def _expected(previous: Token | None) -> tuple[str, ...]:
    """Return the parts of speech that are likely after a word."""
    if previous is None:
        return ("ADP", "ADV", "SCONJ", "ADJ")
    if previous.pos in ("DET", "ADJ"):
        return ("NOUN", "ADJ")
    if previous.pos == "SCONJ" and previous.lemma != "than":
        return ("PRON", "DET", "NOUN")
    if previous.lemma in ("very", "too", "so", "quite", "as"):
        return ("ADJ", "ADV")
    return ("ADP", "CCONJ", "ADJ", "ADV", "NOUN", "VERB")


_SHORT = {
    "am": "'m",
    "are": "'re",
    "is": "'s",
    "have": "'ve",
    "has": "'s",
    "will": "'ll",
    "had": "'d",
    "would": "'d",
}
_WITH_SHORT = ("I", "you", "he", "she", "it", "we", "they", "that", "there")


def _contract(subject: list[Token], finite: Token, dice: Dice) -> list[Token]:
    """Join a pronoun and its auxiliary, *it's*, now and then."""
    if (
        len(subject) != 1
        or subject[0].text.lower() not in map(str.lower, _WITH_SHORT)
        or finite.text not in _SHORT
    ):
        return subject
    if finite.text == "are" and subject[0].lemma in ("there", "that"):
        return subject
    if finite.pos != "AUX" or finite.text in ("had", "would") or dice.chance(0.35):
        return subject
    finite.text, finite.glued, finite.determined = _SHORT[finite.text], True, None
    return [*subject, finite]
