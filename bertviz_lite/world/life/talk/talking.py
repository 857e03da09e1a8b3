"""Speech: what somebody says, asks and answers, with *I* and *you* for the two who speak."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.grammar.clauses import Manner, replace_verb
from bertviz_lite.world.grammar.notation import Clause, Text, Verb
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, literal, mark, written
from bertviz_lite.world.grammar.verb_groups import Agreement, verb_group
from bertviz_lite.world.life.knowledge.reading import Asked, Line, Talk, Words
from bertviz_lite.world.life.making.several import may_be_several, with_several
from bertviz_lite.world.life.making.telling import STATES, Telling
from bertviz_lite.world.life.talk.echoes import Short, without_echo
from bertviz_lite.world.life.talk.lines import (
    FELT,
    asked_for,
    asks_for_its_subject,
    in_progress,
    is_request,
    is_usual,
    offers,
    simple_past,
    tense_of,
    with_future,
)
from bertviz_lite.world.life.talk.reported_talk import reported

_SEVERAL = 0.6  # how often what may be several is
_SAYING = (*("say",) * 14, "shout", "whisper", "cry")


class Speaking:
    """While it lasts, *I* and *you* are these two; afterwards they are who they were."""

    def __init__(self, telling: Telling, speaker: Referent | None, addressee: Referent | None) -> None:
        self.phrases = telling.phrases
        self.now = speaker, addressee

    def __enter__(self) -> None:
        self.before = self.phrases.speaker, self.phrases.addressee
        self.phrases.speaker, self.phrases.addressee = self.now

    def __exit__(self, *_: object) -> None:
        self.phrases.speaker, self.phrases.addressee = self.before


def spoken(telling: Telling, line: Line | Short) -> tuple[list[Token], str]:
    """Return the words of what is said and the mark at its end."""
    if isinstance(line, Short):
        return telling.clauses.phrase(line.phrase, telling.bindings), "."
    if isinstance(line, Words):
        return _words(line.text), "!" if line.text in ("hello", "goodbye", "hush", "oh") else "."
    clause = line.clause if isinstance(line, Asked) else line
    when = isinstance(line, Asked) and clause.verb.perfect and Text("when") in (*sum(clause.phrases, ()),)
    clause = simple_past(clause, ago=when)
    tense = "past" if when else tense_of(clause)
    clause = in_progress(telling, with_future(clause))
    if offers(clause) and not isinstance(line, Asked) and tense == "present":
        clause = Clause(clause.subject, replace_verb(clause.verb, modal="will"), clause.phrases)
    manner = Manner(tense, contracted=telling.dice.chance(0.75))
    if isinstance(line, Asked):
        if asks_for_its_subject(clause):
            return telling.clauses.tell(clause, telling.bindings, manner), "?"
        manner = Manner(tense, "question", contracted=telling.dice.chance(0.6))
        return telling.clauses.tell(clause, telling.bindings, manner), "?"
    if is_request(clause):
        manner = Manner(tense, "base")
        tokens = telling.clauses.tell(clause, telling.bindings, manner)
        if clause.verb.negated:
            tokens = [Token("don't", "do", "AUX"), *tokens[1:]]
        elif telling.dice.chance(0.15):
            tokens = [literal("please", "INTJ"), *tokens]
        return tokens, "!" if telling.dice.chance(0.3) else "."
    return telling.clauses.tell(clause, telling.bindings, manner), "!" if telling.dice.chance(0.08) else "."


def _words(text: str) -> list[Token]:
    if text.endswith(" please") and "," not in text:  # yes, please
        text = text.replace(" please", " , please")
    short = " , " in text
    return written(
        text if short else text.replace(",", " ,"), "INTJ", "PRON", "AUX" if short else "ADV", "PART"
    )


def quote(telling: Telling, lines: Sequence[Line | Short], speaker: Referent | None, verb: str = "") -> None:
    """Tell what somebody says, with *said Tom* after it, before it, in the middle, or nowhere."""
    dice = telling.dice
    says = (
        said_by(telling, speaker, verb, asked=any(isinstance(line, Asked) for line in lines))
        if speaker is not None
        else None
    )
    listener = telling.listener
    with Speaking(telling, speaker, listener):
        parts = _with_please([(line, spoken(telling, line)) for line in lines])
    if says is None or (not verb and telling.sentences == [] and dice.chance(0.1)):
        telling.say(_quoted(parts), "quote")
        return
    subject_last, subject_first = says
    if dice.chance(0.2):
        telling.say([*subject_first(), mark(","), *_quoted(parts)], "quote")
    elif len(parts) > 1 and dice.chance(0.5):
        (first, end), *rest = parts
        if speaker is not None and (end == "?") != any(isinstance(line, Asked) for line in lines):
            subject_last = said_by(telling, speaker, "ask" if end == "?" else "say", asked=end == "?")[0]
        head = [mark('"'), *first, mark("," if end == "." else end), mark('"'), *subject_last()]
        telling.say(head, "quote")
        telling.say(_quoted(rest), "quote")
    else:
        tokens = _quoted(parts)
        if tokens[-2].text == ".":
            tokens[-2] = mark(",")
        telling.say([*tokens, *subject_last()], "quote")


def _with_please(told: Sequence[tuple[Line | Short, tuple[list[Token], str]]]) -> list[_Part]:
    """Return the parts with *please* after what it belongs to: *Shut the door, please*."""
    parts: list[_Part] = []
    first = told[0][0] == Words("please") and len(told) > 1
    for line, (tokens, end) in told[1:] if first else told:
        if first and not parts and tokens[0].lemma != "please":
            tokens = [literal("please", "INTJ"), *tokens]
        if line == Words("please") and parts:
            before, end = parts.pop()
            tokens = [*before, mark(","), *tokens]
        parts.append((tokens, end))
    return parts


_Part = tuple[list[Token], str]


def _quoted(parts: Sequence[tuple[list[Token], str]]) -> list[Token]:
    tokens = [mark('"')]
    for place, (told, end) in enumerate(parts):
        short = len(told) <= 2 and end == "." and place < len(parts) - 1
        tokens += [*told, mark("," if short else end)]
        if not short and place < len(parts) - 1:
            following = parts[place + 1][0][0]
            if not following.text[0].isupper():
                following.text = following.text[0].upper() + following.text[1:]
    return [*tokens, mark('"')]


Makers = tuple[Callable[[], list[Token]], Callable[[], list[Token]]]


def said_by(telling: Telling, speaker: Referent, verb: str, *, asked: bool) -> Makers:
    """Return two makers of *said Tom*: the verb first, and the subject first."""
    dice = telling.dice
    verb = verb or ("ask" if asked and dice.chance(0.85) else dice.pick(_SAYING))
    if verb in ("think", "tell"):
        verb = "say"

    def subject_first() -> list[Token]:
        tokens, agreement = telling.phrases.refer(speaker, "subject")
        return [*tokens, verb_group(Verb(verb), telling.tense, agreement).finite]

    def subject_last() -> list[Token]:
        tokens, agreement = telling.phrases.refer(speaker, "subject")
        finite = verb_group(Verb(verb), telling.tense, agreement).finite
        if (len(tokens) == 1 and tokens[0].pos == "PRON") or dice.chance(0.25):
            return [*tokens, finite]
        return [finite, *tokens]

    return subject_last, subject_first


def _clauses_of(talk: Talk) -> list[Clause]:
    return [
        line.clause if isinstance(line, Asked) else line
        for line in (*talk.line, *talk.answer)
        if not isinstance(line, Words)
    ]


def _with_several(talk: Talk, labels: set[str], dice: Dice) -> Talk:
    """Return a talk about several things where the table has one."""

    def changed(line: Line) -> Line:
        if isinstance(line, Asked):
            return Asked(with_several(line.clause, labels, dice))
        return line if isinstance(line, Words) else with_several(line, labels, dice)

    return Talk(tuple(map(changed, talk.line)), tuple(map(changed, talk.answer)))


def tell_talk(telling: Telling, talk: Talk) -> None:
    """Tell a line and its answer, as two people say them, or as plain sentences."""
    dice = telling.dice
    clauses = _clauses_of(talk)
    labels = {label for label in sorted(may_be_several(clauses)) if dice.chance(_SEVERAL)}
    if labels:
        talk = _with_several(talk, labels, dice)
        clauses = _clauses_of(talk)
    telling.bind(clauses)
    talk = _of_later(talk)
    answer: tuple[Line | Short, ...] = _with_short_answer(telling, talk)
    if isinstance(talk.line[-1], Asked) and answer and isinstance(answer[0], Clause) and dice.chance(0.85):
        answer = (without_echo(talk.line[-1].clause, answer[0]) or answer[0], *answer[1:])
    if dice.chance(0.3):
        for lines in (talk.line, answer):
            quote(telling, lines, None)
        return
    first = telling.bindings.get("A") or telling.cast.someone("child" if dice.chance(0.5) else "person", "sg")
    second = telling.bindings.get("B") or telling.cast.someone("person", "sg")
    if first.many or second.many or telling.narrator in (first, second):
        first, second = telling.cast.someone("person", "sg"), telling.cast.someone("person", "sg")
    if dice.chance(0.3) and reported(telling, talk, first, second):
        return
    telling.listener = second
    quote(telling, talk.line, first)
    telling.listener = first
    verb = "answer" if dice.chance(0.15) and not isinstance(answer[-1], Asked) else ""
    asked = isinstance(talk.line[-1], Asked)
    quote(telling, answer, None if asked and dice.chance(0.2) else second, verb)
    telling.listener = None


_OTHERS = {"I": "you", "you": "I", "we": "we"}


def _with_short_answer(telling: Telling, talk: Talk) -> tuple[Line, ...]:
    """Return an answer in which *yes* or *no* has its pronoun and auxiliary, now and then."""
    line, answer = talk.line[-1], talk.answer
    start = answer[0]
    if not (isinstance(line, Asked) and isinstance(start, Words) and start.text in ("yes", "no")):
        return answer
    if telling.dice.chance(0.6):
        return answer
    clause = line.clause
    subject = clause.subject[0]
    if (
        len(clause.subject) > 1
        or not isinstance(subject, Text)
        or subject.word not in (*_OTHERS, "it", "there")
    ):
        return answer
    if asked_for(clause) or clause.verb.modal in ("will", "may", "should", "shall", "must", "could"):
        return answer
    word = _OTHERS.get(subject.word, subject.word)
    no = start.text == "no"
    pronoun = literal(word, "PRON")
    agreement = Agreement({"I": 1, "you": 2}.get(word, 3), word == "we", pronoun)
    if subject.word == "there":
        return answer
    verb = replace_verb(clause.verb, negated=no, adverb="", determined=False)
    group = verb_group(verb, tense_of(clause), agreement, question=True, contracted=no)
    text = " ".join((start.text, ",", word, group.finite.text, *(token.text for token in group.middle)))
    if group.finite.text == "am" and no:
        text = "no , I am not"
    return (Words(text), *answer[1:])


def _of_later(talk: Talk) -> Talk:
    """Return a talk in which *do you play?* is *will you play?*, where the answer is a promise."""
    line = talk.line[-1]
    promised = any(not isinstance(one, Words | Asked) and offers(one) for one in talk.answer)
    if not isinstance(line, Asked) or not promised:
        return talk
    clause = line.clause
    subject, verb = clause.subject[0], clause.verb
    asks = isinstance(subject, Text) and subject.word in ("you", "we") and len(clause.subject) == 1
    plain = not (verb.modal or verb.perfect or verb.progressive or verb.passive or verb.adverb)
    if not (asks and plain) or verb.lemma in STATES | FELT - {"play", "come"} or is_usual(clause):
        return talk
    modal = "shall" if subject == Text("we") else "will"
    later = Clause(clause.subject, replace_verb(verb, modal=modal), clause.phrases)
    return talk._replace(line=(*talk.line[:-1], Asked(later)))
