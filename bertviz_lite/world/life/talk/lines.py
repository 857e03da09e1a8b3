"""What a line of dialogue is: a request, an offer, a question, of the past or of later."""

from __future__ import annotations

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.clauses import replace_verb
from bertviz_lite.world.grammar.notation import Clause, Text
from bertviz_lite.world.life.making.telling import STATES, Telling

_PAST_WORDS = ("yesterday", "ago", "last", "once")
_FUTURE_WORDS = ("tomorrow", "tonight", "soon", "next", "later")


def first_words(clause: Clause) -> list[str]:
    """Return the words that stand for themselves in the phrases of a clause."""
    return [part.word for phrase in clause.phrases for part in phrase if isinstance(part, Text)]


def simple_past(clause: Clause, *, ago: bool = False) -> Clause:
    """Return *I knew it once* for what the tables write as *I have known it once*.

    ``ago`` says that it is of a time in the past, though no word tells so: *when have you come*.
    """
    if (
        clause.verb.perfect
        and not clause.verb.modal
        and (ago or {"yesterday", "ago", "once", "last"} & {*first_words(clause), *_determiners(clause)})
    ):
        return Clause(clause.subject, replace_verb(clause.verb, perfect=False), clause.phrases)
    return clause


def _determiners(clause: Clause) -> list[str]:
    return [getattr(part, "determiner", "") for phrase in clause.phrases for part in phrase]


def tense_of(clause: Clause) -> str:
    """Return the tense in which a clause is said: past where it tells of yesterday."""
    words = first_words(clause)
    nouns = [getattr(part, "determiner", "") for phrase in clause.phrases for part in phrase]
    verb = clause.verb
    past = any(word in _PAST_WORDS for word in (*words, *nouns)) and not {"every", "a"} & {*nouns[-1:]}
    return "past" if past and not verb.modal and not verb.perfect else "present"


def with_future(clause: Clause) -> Clause:
    """Return a clause of tomorrow with *will*."""
    verb = clause.verb
    nouns = [getattr(part, "determiner", "") for phrase in clause.phrases for part in phrase]
    later = any(word in _FUTURE_WORDS for word in (*first_words(clause), *nouns))
    plain = not (verb.modal or verb.perfect or verb.progressive or verb.lemma in STATES - {"be", "have"})
    subject = clause.subject[0]
    asks_you = isinstance(subject, Text) and subject.word == "you"
    if later and plain and not asks_you:
        return Clause(clause.subject, replace_verb(verb, modal="will"), clause.phrases)
    return clause


def in_progress(telling: Telling, clause: Clause) -> Clause:
    """Return *is standing behind the door* for a thing that stands there, now and then."""
    verb = clause.verb
    still = verb.lemma in ("stand", "lie", "hang", "sit") and not (verb.tail or verb.modal or verb.perfect)
    if not still or verb.progressive or verb.passive or verb.negated or not telling.dice.chance(0.85):
        return clause
    return Clause(clause.subject, replace_verb(verb, progressive=True), clause.phrases)


def offers(clause: Clause) -> bool:
    """Say whether *I* or *we* tell what they do: in speech, what they will do."""
    subject, verb = clause.subject[0], clause.verb
    if not (isinstance(subject, Text) and subject.word in ("I", "we") and len(clause.subject) == 1):
        return False
    plain = not (
        verb.modal or verb.perfect or verb.progressive or verb.passive or verb.adverb or verb.negated
    )
    comes = verb.lemma == "come" and not any(phrase[0] == Text("from") for phrase in clause.phrases)
    return plain and not is_usual(clause) and (comes or verb.lemma not in STATES | FELT)


def is_usual(clause: Clause) -> bool:
    """Say whether a clause tells what is always so: *every day*, *often*, *at school*."""
    words = first_words(clause)
    return any(
        getattr(part, "determiner", "") in ("every", "each") for phrase in clause.phrases for part in phrase
    ) or bool({"often", "always", "usually", "sometimes", "never"} & set(words))


FELT = frozenset(
    words("""feel see hear smell think mean understand remember forget promise play thank come mean agree""")
)


def asks_for_its_subject(clause: Clause) -> bool:
    """Say whether a question asks for its subject: *who broke it*."""
    first = clause.subject[0]
    return (isinstance(first, Text) and first.word in ("who", "what", "which", "how")) or getattr(
        first, "determiner", ""
    ) in ("which", "whose", "what")


def is_request(clause: Clause) -> bool:
    """Say whether a clause tells the other what to do: *open the window*."""
    subject, verb = clause.subject[0], clause.verb
    if not (isinstance(subject, Text) and subject.word == "you" and len(clause.subject) == 1):
        return False
    if verb.lemma == "be":
        words = first_words(clause)
        return bool(words) and words[0] in (
            "careful",
            "quiet",
            "kind",
            "good",
            "brave",
            "quick",
            "ready",
            "patient",
            "gentle",
        )
    return not (
        verb.modal or verb.perfect or verb.progressive or verb.passive or verb.lemma in STATES or verb.adverb
    )


def asked_for(clause: Clause) -> bool:
    """Say whether a question asks for something, not for yes or no."""
    return asks_for_its_subject(clause) or any(
        (phrase[0].word if isinstance(phrase[0], Text) else getattr(phrase[0], "determiner", "")) in _WH
        for phrase in clause.phrases
    )


_WH = ("what", "who", "where", "when", "why", "how", "which", "whose", "whom")
