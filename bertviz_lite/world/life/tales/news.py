"""Good and bad news: what a clause tells, and whether it goes against the one before it."""

from __future__ import annotations

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.notation import Clause, Noun, Phrase, Slot, Text
from bertviz_lite.world.life.making.telling import has_time
from bertviz_lite.world.life.tales.traits import PERSON_NOUNS

_BAD_NEWS = frozenset(words("broken empty locked gone lost missing wrong still nothing nobody only"))
BUT = Text("but")
_BAD_SUBJECTS = frozenset(words("nobody nothing none"))
_AFTER_TOO = frozenset(
    words(
        """big small short long heavy thin late early dark cold hot loud weak tired shy young old high deep
        full narrow sour sweet salty hard far dear busy wet sleepy slow few soon"""
    )
)
# What people do in order to get somewhere; that it fails is told with "but".
_TRIES = frozenset(
    words(
        """
        want try look search pull push call shout cry ask wait jump climb run go put give take open turn
        throw knock ring fly listen hope wish hold bring fetch walk drink eat taste sing play draw paint cut
        dig count blow warm shake find come smile laugh strike light hide bite kick feel beg borrow choose
        grow chase read promise invite hit pick work save lie think fit find
"""
    )
)
_STARTS = ("come", "begin", "blow", "fall")
_SILENT = frozenset(words("say tell answer speak move wake know see notice stop"))
_READY = frozenset(words("hungry thirsty tired ready strong brave fast full bright sunny kind clever"))
_TIMES = frozenset(words("night noon summer winter autumn spring Sunday Monday last next later once twice"))


def timed(clause: Clause) -> bool:
    """Say whether a clause says when it happens."""
    texts = {part.word for phrase in clause.phrases for part in phrase if isinstance(part, Text)}
    return has_time(clause) or bool(texts & _TIMES)


def unlucky(clause: Clause) -> bool:
    """Say whether a clause tells that something fails, lacks or is too much."""
    if clause.verb.negated or clause.verb.adverb in ("only", "hardly"):
        return True
    if clause.verb.passive and clause.verb.lemma in ("break", "lock", "close", "shut"):
        return True
    if clause.verb.adverb == "still" and clause.verb.lemma == "be":
        return True
    subject = clause.subject[0]
    if isinstance(subject, Text) and subject.word in _BAD_SUBJECTS:
        told = {getattr(part, "word", "") for phrase in clause.phrases for part in phrase}
        return not told & {"hurt", "angry", "afraid"} and clause.verb.lemma != "want"
    if isinstance(subject, Noun) and subject.determiner == "no":
        return True
    if (Text("little"),) in clause.phrases:
        return True
    return any(map(_has_bad_words, clause.phrases))


def _has_bad_words(phrase: Phrase) -> bool:
    """Say whether a phrase says *empty*, *too big*, *no bread*."""
    for part, following in zip(phrase, (*phrase[1:], None), strict=True):
        if isinstance(part, Text):
            if part.word in _BAD_NEWS:
                return True
            if part.word == "too" and isinstance(following, Text) and following.word in _AFTER_TOO:
                return True
        elif getattr(part, "determiner", "") == "no" or (isinstance(part, Noun) and part.words[0] == "wrong"):
            return True

    return False


def contrasts(first: Clause, second: Clause) -> bool:
    """Say whether the second clause goes against what the first leads one to expect."""
    if second.subject[0] == BUT:
        return True
    again = first.verb.negated and not second.verb.negated and first.verb.lemma == second.verb.lemma
    if again and same_subject(first, second):
        return True
    if unlucky(first) or not unlucky(second) or second.verb.perfect or _no_longer(second):
        return False
    verb = first.verb
    subject = first.subject[0]
    if isinstance(subject, Noun) and subject.words[-1] not in PERSON_NOUNS and verb.lemma in _STARTS:
        return False
    if same_subject(first, second) and second.verb.lemma in _SILENT:
        return False
    if verb.lemma == "be":
        adjectives = {part.word for phrase in first.phrases for part in phrase if isinstance(part, Text)}
        return bool(adjectives & _READY) or verb.progressive
    if verb.lemma == "have" and not verb.perfect:
        return not same_subject(first, second) or second.verb.lemma == "have"
    return verb.lemma in _TRIES and not verb.passive


def _no_longer(clause: Clause) -> bool:
    texts = [part.word for phrase in clause.phrases for part in phrase if isinstance(part, Text)]
    return "more" in texts and "any" in texts


def is_excess(clause: Clause) -> bool:
    """Say whether something is *too loud*, *too big*."""
    if clause.verb.lemma != "be" or clause.verb.negated:
        return False
    texts = [part.word for phrase in clause.phrases for part in phrase if isinstance(part, Text)]
    return "too" in texts


def same_subject(first: Clause, second: Clause) -> bool:
    """Say whether two clauses have the same subject, which is one slot or label."""
    if len(first.subject) != 1 or len(second.subject) != 1:
        return False
    one, other = first.subject[0], second.subject[0]
    if isinstance(one, Text):
        return one == other and one.word in ("everybody", "everyone", "they", "both", "all")
    if isinstance(one, Noun) and not one.label:
        return one == other and one.determiner == "the"
    return letter_of(first) == letter_of(second)


def letter_of(clause: Clause) -> str:
    """Return the letter or label of a subject, else nothing."""
    subject = clause.subject[0]
    if isinstance(subject, Slot):
        return subject.letter
    return subject.label if isinstance(subject, Noun) else ""
