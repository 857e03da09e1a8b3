"""How a clause within a clause is read, *that the milk boils*, *when A was small*: plain words, inflected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.lexicon.words import MODALS, can_be, readings, split_sense
from bertviz_lite.world.grammar.reading.parts import Clause, Inner, Noun, Part, Phrase, Slot, Text
from bertviz_lite.world.grammar.reading.verbs import ADVERBS, read_verb

ReadPart = Callable[[Sequence[str], int], tuple[Part, int]]

_CONJUNCTIONS = frozenset(
    words(
        """that when until before after if because while since although unless whether till though whenever
        as than"""
    )
)
_ASKED = frozenset(["what", "who", "where", "how", "which", "whose", "why", "when"])
_RELATIVE = ("that", "who", "which")
_IT_IS = {
    "am": "be", "is": "be", "are": "be", "was": "be", "were": "be", "has": "have", "had": "have",
    "does": "do", "did": "do", "could": "can", "would": "will", "might": "may",
}  # fmt: skip
_PAST = ("was", "were", "had", "did", "could", "would", "might")
_AUXILIARIES = frozenset((*_IT_IS, "cannot", "be", "been", "have", "do", *MODALS))
_SUBJECT_FORMS = frozenset(
    words(
        """it there this that these those I you we he she they nobody somebody everybody nothing something
        everything everyone someone anybody anyone one"""
    )
)


def begins_inner(word: str) -> bool:
    """Say whether a clause may follow this word."""
    return word in _CONJUNCTIONS or word in _ASKED


def read_inner(
    tokens: Sequence[str],
    at: int,
    before: Part | None,
    read_part: ReadPart,
    read_rest: Callable[[str], Phrase],
) -> Inner | None:
    """Return the clause that begins at a token and goes on to the end, or None where there is none.

    Parameters
    ----------
    tokens
        Of the phrase.
    at
        Where the clause begins: a conjunction, a question word, *who* or *that*.
    before
        What stands before it.
    read_part, read_rest
        Read one part of a phrase, and a phrase.
    """
    word = tokens[at]
    if at + 1 == len(tokens) or tokens[at + 1] == "to":
        return None
    if word == "that" and before is None and _verb_at(tokens, at + 1):
        return None
    after = _noun_before(before)
    if after and word in _RELATIVE and _verb_at(tokens, at + 1):
        return _clause((word,), (Text(word),), tokens, at + 1, read_rest, relative=True)
    if word in ("that", "as", "than") and before is None and word != "that":
        return None
    words, start = _opening(tokens, at)
    if start < len(tokens) and "to" in tokens[start : start + 2]:
        return None
    if word in _ASKED and word != "when" and _verb_at(tokens, start):
        subject: Phrase = tuple(read_part(tokens, place)[0] for place in range(at, at + 1))
        if len(words) > 1:
            subject = (Noun(words[1:], words[0]),) if can_be(words[-1], "NOUN") else tuple(map(Text, words))
        if len(words) == 1:
            subject = (Text(word),)
        return _clause((), subject, tokens, start, read_rest)
    found = _subject(tokens, start, read_part)
    if found is None:
        return None
    subject, start = found
    return _clause(words, subject, tokens, start, read_rest)


_ANYBODY = words("somebody something everything everybody someone nobody nothing those one us")


def _noun_before(part: Part | None) -> bool:
    if isinstance(part, Text):
        return part.word in _ANYBODY
    return isinstance(part, Noun | Slot)


def _opening(tokens: Sequence[str], at: int) -> tuple[tuple[str, ...], int]:
    """Return the words before the subject, "how late", "which way", and where it begins."""
    word, end = tokens[at], at + 1
    if (word == "how" and can_be(tokens[end], "ADJ")) or (word == "how" and can_be(tokens[end], "ADV")):
        end += 1
        if tokens[end - 1] in ("many", "much") and end < len(tokens) and can_be(tokens[end], "NOUN"):
            end += 1
    elif word in ("which", "whose", "what") and can_be(tokens[end], "NOUN") and not _verb_at(tokens, end):
        end += 1
    return tuple(tokens[at:end]), end


def _verb_at(tokens: Sequence[str], at: int) -> bool:
    """Say whether a finite verb, or an adverb before one, stands here."""
    if at < len(tokens) and tokens[at] in ADVERBS:
        at += 1
    if at >= len(tokens):
        return False
    word = split_sense(tokens[at].replace("!", ""))[0]
    if word in _AUXILIARIES:
        return word != "been"
    entries = readings().get(word, ())
    return (
        any(entry.pos == "VERB" and entry.form in ("base", "s", "past") for entry in entries)
        and not any(entry.pos in ("DET", "PRON", "ADJ", "ADP", "ADV", "SCONJ") for entry in entries)
        and (entries[0].pos == "VERB" or not any(entry.pos == "NOUN" for entry in entries) or _third(entries))
    )


def _third(entries: Sequence[object]) -> bool:
    return any(getattr(entry, "form", "") in ("s", "past") for entry in entries)


def _subject(tokens: Sequence[str], at: int, read_part: ReadPart) -> tuple[Phrase, int] | None:
    """Read noun phrases up to a finite verb."""
    parts: list[Part] = []
    while at < len(tokens):
        word = tokens[at]
        if parts and parts[-1] != Text("and") and _starts_verb(tokens, at):
            return tuple(parts), at
        if not parts and at + 2 == len(tokens) and can_be(word, "DET") and can_be(tokens[at + 1], "NOUN"):
            return None  # "before the show"
        if word == ",":
            return None
        if not parts and word not in _SUBJECT_FORMS and can_be(word, "ADP"):
            return None
        if word in _SUBJECT_FORMS and not can_be(word, "DET"):
            parts.append(Text(word))
            at += 1
            continue
        part, after = read_part(tokens, at)
        if isinstance(part, Noun) and len(part.words) > 1 and not part.label:
            split = _verb_in(part)
            if split:
                part, after = part._replace(words=part.words[:split]), after - (len(part.words) - split)
        parts.append(part)
        at = after
    return None


def _starts_verb(tokens: Sequence[str], at: int) -> bool:
    if tokens[at] in ADVERBS:
        return at + 1 < len(tokens) and _starts_verb(tokens, at + 1)
    word = split_sense(tokens[at].replace("!", ""))[0]
    return can_be(word, "VERB") or word in _AUXILIARIES


def _verb_in(noun: Noun) -> int:
    """Return where a noun phrase ends that was read too far: *the children / play*."""
    for place in range(1, len(noun.words)):
        plural = any(
            entry.pos == "NOUN" and entry.form == "plural"
            for entry in readings().get(noun.words[place - 1], ())
        )
        if plural and can_be(noun.words[place], "VERB"):
            return place
    return 0


def _clause(
    words: tuple[str, ...],
    subject: Phrase,
    tokens: Sequence[str],
    at: int,
    read_rest: Callable[[str], Phrase],
    *,
    relative: bool = False,
) -> Inner | None:
    """Read the verb group at a token and what follows it."""
    group: list[str] = []
    past = False
    while at < len(tokens):
        word = tokens[at].replace("!", "")
        auxiliary = word in _AUXILIARIES or word in ("not", "cannot") or (word in ADVERBS and word != "still")
        if group and not auxiliary:
            break
        if not group and not auxiliary:
            break
        if word == "cannot":
            group += ["can", "not"]
        elif word not in ADVERBS and word != "not" and not [one for one in group if one not in ADVERBS]:
            past = past or word in _PAST
            group.append(_IT_IS.get(word, word))
        else:
            group.append(word)
        at += 1
    helper = [word for word in group if word not in ADVERBS and word != "not"]
    if at < len(tokens) and _continues(helper, tokens[at]):
        word = tokens[at]
        at += 1
        if not helper:
            reading = _finite(split_sense(word.replace("!", ""))[0])
            if reading is None:
                return None
            lemma, form = reading
            sense = "." + word.partition(".")[2] if "." in word else ""
            past, word = form == "past", lemma + sense
        group.append(word)
    elif not helper:
        return None
    if "do" in group and len(helper) == 1 and group[-1] != "do":
        group.remove("do")
    verb, moved = read_verb(" ".join(group))
    rest = " ".join((moved, *tokens[at:])).strip()
    phrases = (read_rest(rest),) if rest else ()
    return Inner(words, Clause(subject, verb, phrases), "past" if past else "", relative)


def _continues(helper: list[str], word: str) -> bool:
    """Say whether a word is the main verb after these auxiliaries."""
    text = split_sense(word.replace("!", ""))[0]
    forms = {entry.form for entry in readings().get(text, ()) if entry.pos == "VERB"}
    if not helper:
        return bool(forms & {"base", "s", "past"})
    last = helper[-1]
    if last in ("be", "been"):
        return bool(forms & {"ing", "participle"}) and not can_be(text, "ADJ")
    if last == "have":
        return "participle" in forms and not can_be(text, "NOUN")
    return "base" in forms


def _finite(word: str) -> tuple[str, str] | None:
    for wanted in ("s", "base", "past"):
        for entry in readings().get(word, ()):
            if entry.pos == "VERB" and entry.form == wanted:
                return entry.lemma, wanted
    return None
