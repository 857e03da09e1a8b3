"""What a script says of itself: who its people are, what it speaks of again, its words and its tense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.lexicon.words import read_word, words_of
from bertviz_lite.world.grammar.notation import Clause, Inner, Noun, Self, Slot, Text, parts_of
from bertviz_lite.world.life.knowledge.reading import Asked, Line, Script, Step, Words

GENERAL = ("person", "people", "child", "adult", "old", "woman", "man", "boy", "girl", "")
PERSON_NOUNS = frozenset(noun for gender in "fmn" for noun in words_of("NOUN", f"person {gender}"))
_PLACES = frozenset(words_of("NOUN", "place"))
# Nouns that are not spoken of again as "it" or "he": times, weather, what there is only one of, stuff.
_NEVER_AGAIN = frozenset(
    words(
        """
        day night morning evening afternoon week year time winter summer autumn spring sun moon sky wind
        rain snow fog ice sea water air world town village street road way house room kitchen wood floor
        ground grass mud sand middle end top side corner front home school bed garden word name light dark
        door fire other others one first second third same right left shade river money hair flour bread
        milk supper breakfast lunch dinner
"""
    )
)
_ONE_OF_SEVERAL = frozenset(words("same other next first second third last whole own new another"))
_OF_ONE = words("alone first second last only he she him her")
_MINE = frozenset(words("I me my mine myself"))
GROUP = "+"


def clauses_of(step: Step) -> Iterator[Clause]:
    """Yield all clauses of a step, also what is said."""
    yield from step.causes
    yield from step.clauses
    if step.speech is not None:
        if step.speech.who is not None:
            yield step.speech.who
        for line in step.speech.lines:
            if isinstance(line, Asked):
                yield line.clause
            elif isinstance(line, Clause):
                yield line


def kinds_of(script: Script) -> dict[str, str]:
    """Return the type of every letter that is a person's, in the order in which they come."""
    kinds: dict[str, str] = {}
    labels = set()
    for step in script.steps:
        for clause in clauses_of(step):
            for part in parts_of(clause):
                if isinstance(part, Noun):
                    labels.add(part.label)
                    letter, kind = part.owner, ""
                elif isinstance(part, Slot):
                    letter, kind = part.letter, part.type
                    if part.owner and part.owner not in kinds and part.owner not in labels:
                        kinds[part.owner] = ""
                elif isinstance(part, Self):
                    letter, kind = part.letter, ""
                else:
                    continue
                if letter and letter not in labels and not kinds.get(letter):
                    kinds[letter] = kind
        if step.speech is not None and len(step.speech.speaker) <= 2:
            kinds.setdefault(step.speech.speaker, "")
    return {
        letter: kind
        for letter, kind in kinds.items()
        if letter not in labels and _is_person(kind.partition(".")[0])
    }


def _is_person(kind: str) -> bool:
    return kind in GENERAL or kind in PERSON_NOUNS


def _with_inner(clause: Clause) -> Iterator[Clause]:
    yield clause
    yield from (part.clause for part in parts_of(clause) if isinstance(part, Inner))


def number_of(script: Script, letter: str, kind: str, groups: list[str]) -> str:
    """Return the number of a role: one, where the script says something that only one can do or be."""
    stem, _, number = kind.partition(".")
    if number or stem == "people":
        return number or "pl"
    if stem not in GENERAL or any(letter in group.split(GROUP) for group in groups):
        return "sg"
    for step in script.steps:
        if step.speech is not None and step.speech.speaker == letter and _says_i(step.speech.lines):
            return "sg"
        for clause in (one for outer in clauses_of(step) for one in _with_inner(outer)):
            if any(isinstance(part, Self) and part.letter == letter for part in parts_of(clause)):
                return "sg"
            subject = clause.subject[0]
            if not (isinstance(subject, Slot) and subject.letter == letter):
                continue
            told = [part for phrase in clause.phrases for part in phrase]
            if clause.verb.lemma in ("be", "become") and any(isinstance(part, Noun) for part in told):
                return "sg"
            if any(isinstance(part, Text) and part.word in _OF_ONE for part in told):
                return "sg"
    return ""


def _says_i(lines: tuple[Line, ...]) -> bool:
    """Say whether only one can say these lines: *I*, *my* and *me* stand in them."""
    clauses = [line.clause if isinstance(line, Asked) else line for line in lines]
    parts = [part for clause in clauses if isinstance(clause, Clause) for part in parts_of(clause)]
    said = [clause.text for clause in clauses if isinstance(clause, Words)]
    mine = any(
        getattr(part, "word", "") in _MINE or getattr(part, "determiner", "") in _MINE for part in parts
    )
    return mine or any(_MINE & set(text.split()) for text in said)


def labels_of(script: Script) -> dict[tuple[str, tuple[str, ...]], str]:
    """Return a label for every noun phrase without one that comes again: a dog … the dog, A's mother."""
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    labelled: set[tuple[str, ...]] = set()
    barred: set[tuple[str, tuple[str, ...]]] = set()
    speakers: set[tuple[str, tuple[str, ...]]] = set()
    for step in script.steps:
        for clause in clauses_of(step):
            for part in parts_of(clause):
                if not isinstance(part, Noun):
                    continue
                key = (part.owner, part.words)
                if part.label and part.label[0] != "*":
                    labelled.add(part.words)
                elif part.label:
                    speakers.add(key)
                again = key in counts
                if not (part.owner or part.determiner == "the" or (part.determiner == "a" and not again)):
                    barred.add(key)
                counts[key] += 1
    return {
        key: f"{key[0]}*{'_'.join(key[1])}"
        for key, count in counts.items()
        if key in speakers
        or (count > 1 and key not in barred and key[1] not in labelled and _may_come_again(key))
    }


def _may_come_again(key: tuple[str, tuple[str, ...]]) -> bool:
    owner, noun = key
    head = noun[-1].partition(".")[0]
    reading = read_word(head, "NOUN", "PROPN", "PRON")
    if reading.lemma in _NEVER_AGAIN or reading.kind in ("mass", "timeword", "day", "season"):
        return False
    if any(word.endswith("'s") or word in _ONE_OF_SEVERAL for word in noun):
        return False
    return reading.lemma in PERSON_NOUNS if owner else reading.lemma not in _PLACES and reading.pos == "NOUN"


def tense_of(script: Script) -> str:
    """Return "past" for a script that speaks of *last night*, "present" for one that speaks of *tomorrow*.

    A script of which some steps are told in the present is of the past too: its tense changes.
    """
    found: set[str] = set()
    if any(step.now for step in script.steps):
        return "past"
    for step in script.steps:
        for clause in (*step.causes, *step.clauses):
            for part in parts_of(clause):
                if isinstance(part, Text):
                    found.add(part.word)
                elif isinstance(part, Noun) and part.words[-1] in (
                    "night",
                    "week",
                    "summer",
                    "year",
                    "morning",
                ):
                    found.add(part.determiner)
                    found |= {f"{word} {part.words[-1]}" for word in part.words[:-1]}
                elif isinstance(part, Noun):
                    found.add(part.words[-1])
            for phrase in clause.phrases:
                if phrase[0] == Text("last") and len(phrase) > 1:
                    found.add("ago")
    if found & {"ago", "yesterday", "last night", "last week", "last summer", "last year"}:
        return "past"
    return "present" if found & {"today", "tomorrow", "tonight", "this"} else ""


def owners_of(steps: tuple[Step, ...]) -> frozenset[str]:
    """Return the letters of whom something is told before they are mentioned themselves: A's coat."""
    met: set[str] = set()
    owners: set[str] = set()
    for step in steps:
        for clause in clauses_of(step):
            for part in parts_of(clause):
                owner = getattr(part, "owner", "")
                if owner and owner not in met:
                    owners.add(owner)
                met |= {owner, *getattr(part, "letter", "").split(GROUP)}
    return frozenset(owners)


def words_of_script(script: Script) -> frozenset[str]:
    """Return all words of a script, nouns in the singular, verbs in their base form."""
    found: set[str] = set()
    for step in script.steps:
        for clause in clauses_of(step):
            found |= {clause.verb.lemma, *clause.verb.tail}
            for part in parts_of(clause):
                if isinstance(part, Noun):
                    for word in part.words:
                        word = word.partition(".")[0].removesuffix("'s")
                        found |= {word, read_word(word, "NOUN", "ADJ", "PROPN").lemma}
                elif isinstance(part, Text):
                    found.add(part.word)
                elif isinstance(part, Slot) and part.type:
                    found |= {kind for kind in part.type.partition(".")[0].split("/") if not _is_person(kind)}
        if step.speech is not None:
            found |= set(step.speech.speaker.split())
    return frozenset(found)
