"""Small stories: a script step by step, with an opening, speech, and what is true beside the thread."""

from __future__ import annotations

from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.grammar.notation import Clause
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, literal, mark, written
from bertviz_lite.world.life.knowledge import Script, Speech, Step
from bertviz_lite.world.life.linking import single
from bertviz_lite.world.life.talking import quote
from bertviz_lite.world.life.telling import Telling, has_time, is_event

_OPENINGS = entries(
    """one day, one morning, one evening, on Monday, on Saturday, on Sunday, one afternoon, last week, yesterday,
    last summer, one cold morning, one sunny day, early one morning, last Friday, one rainy day, one winter day,
    on Wednesday, on Tuesday morning, on Thursday, last Sunday, one fine day, last night, late one evening"""
)
_WEATHER = words("sunny windy rainy snowy foggy cloudy misty stormy frosty chilly mild warm cold hot dry wet")
_LINKS = entries(
    "then, then, so, soon, at last, suddenly, after that, a little later, in the end, the next day"
)
_LONGEST = 22  # words of two steps that are told in one sentence


def tell_script(telling: Telling, script: Script) -> None:
    """Tell a script from beginning to end."""
    dice = telling.dice
    steps = _chosen(telling, script)
    speakers = {step.speech.speaker for step in steps if step.speech is not None}
    _bind_all(telling, script, speakers)
    first = True
    place = 0
    if dice.chance(0.14):
        _weather(telling)
        first = False
    while place < len(steps):
        step = steps[place]
        place += 1
        if step.speech is not None:
            _speech(telling, step.speech)
            first = False
            continue
        clauses = step.clauses
        if step.causes:
            _with_cause(telling, step, first=first)
        else:
            following = steps[place] if place < len(steps) else None
            if _may_join(telling, step, following) and dice.chance(0.3) and following is not None:
                clauses = (*clauses, *following.clauses)
                place += 1
            _plain(telling, clauses, first=first, last=place == len(steps))
        first = False


def _chosen(telling: Telling, script: Script) -> list[Step]:
    dice = telling.dice
    steps: list[Step] = []
    decided: set[int] = set()
    for step in script.steps:
        if step.choice:
            if step.choice in decided:
                continue
            options = [other for other in script.steps if other.choice == step.choice]
            decided.add(step.choice)
            step = dice.pick(options)
        if step.optional and dice.chance(0.35):
            continue
        steps.append(step)
    return steps


def _clauses_of(step: Step) -> list[Clause]:
    clauses = [*step.causes, *step.clauses]
    if step.speech is not None:
        if step.speech.who is not None:
            clauses.append(step.speech.who)
        for line in step.speech.lines:
            if isinstance(line, Clause):
                clauses.append(line)
            elif hasattr(line, "clause"):
                clauses.append(line.clause)
    return clauses


def _bind_all(telling: Telling, script: Script, speakers: set[str]) -> None:
    telling.bindings = {}
    clauses = [clause for step in script.steps for clause in _clauses_of(step)]
    telling.one_only = speakers
    telling.bind(clauses, keep=True)


def _weather(telling: Telling) -> None:
    weather = telling.dice.pick(_WEATHER)
    day = telling.dice.pick(("day", "morning", "evening", "afternoon"))
    verb = "was" if telling.tense == "past" else "is"
    telling.say(written(f"it {verb} a {weather} {day}", "PRON", "AUX", "DET", "ADJ"))


def _front(telling: Telling, clauses: tuple[Clause, ...], *, first: bool, last: bool = False) -> list[Token]:
    dice = telling.dice
    if any(map(has_time, clauses)):
        return []
    if first and telling.tense == "past" and dice.chance(0.45):
        time = written(dice.pick(_OPENINGS), "ADP", "DET", "NUM", "ADV", "ADJ")
        return [*time, mark(",")] if dice.chance(0.4) else time
    if not first and is_event(clauses[0]) and dice.chance(0.2):
        word = "at last" if last and dice.chance(0.3) else dice.pick(_LINKS)
        return written(word, "ADV", "ADP")
    return []


def _plain(telling: Telling, clauses: tuple[Clause, ...], *, first: bool, last: bool) -> None:
    front = _front(telling, clauses, first=first, last=last)
    words_told = telling.join(clauses) if front else single(telling, clauses)
    telling.say([*front, *words_told])


def _with_cause(telling: Telling, step: Step, *, first: bool) -> None:
    dice = telling.dice
    cause, effect = step.causes, step.clauses
    choice = dice.random()
    if choice < 0.36:
        telling.say(
            [
                *_front(telling, cause, first=first),
                *telling.join(cause),
                mark(","),
                literal("so", "CCONJ"),
                *telling.join(effect),
            ],
            "so",
        )
    elif choice < 0.56:
        telling.say([*_front(telling, cause, first=first), *telling.join(cause)])
        telling.say(single(telling, effect))
    elif choice < 0.72:
        telling.say(
            [literal("because", "SCONJ"), *telling.join(cause), mark(","), *telling.join(effect)], "because"
        )
    elif choice < 0.86:
        telling.say(
            [literal("when", "SCONJ"), *telling.join(cause), mark(","), *telling.join(effect)], "when"
        )
    else:
        telling.say([*telling.join(effect), literal("because", "SCONJ"), *telling.join(cause)], "because")


def _may_join(telling: Telling, step: Step, following: Step | None) -> bool:
    if (
        following is None
        or following.causes
        or following.speech is not None
        or len(step.clauses) + len(following.clauses) > 3
    ):
        return False
    if not (is_event(step.clauses[-1]) and is_event(following.clauses[0])):
        return False
    length = sum(3 + 3 * len(clause.phrases) for clause in (*step.clauses, *following.clauses))
    return length <= _LONGEST


def _speech(telling: Telling, speech: Speech) -> None:
    bindings = telling.bindings
    speaker = bindings.get(speech.speaker)
    if speaker is None:
        noun = speech.speaker.split()[-1]
        key = f"*{noun}"
        if key not in bindings:
            bindings[key] = (
                telling.cast.labelled((noun,), "the", None)
                if noun[0].islower()
                else telling.cast.someone("person", "sg")
            )
        speaker = bindings[key]
    telling.listener = _listener(telling, speaker)
    quote(telling, speech.lines, speaker, speech.verb if telling.dice.chance(0.8) else "")
    telling.listener = None


def _listener(telling: Telling, speaker: Referent) -> Referent | None:
    """Return to whom somebody speaks: the other of A and B, else another person of the story."""
    for letter in ("A", "B", "C", "D"):
        other = telling.bindings.get(letter)
        if (
            other is not None
            and other is not speaker
            and other.kind in ("person", "group")
            and other not in speaker.members
        ):
            return other
    return None
