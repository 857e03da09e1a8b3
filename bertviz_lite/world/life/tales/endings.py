"""How a story ends, and what a thing in it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.town import COLOURS, THINGS
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot, read_clause
from bertviz_lite.world.grammar.tokens import written
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.tales.joining import Joining
from bertviz_lite.world.life.tales.news import unlucky
from bertviz_lite.world.life.tales.openings import SAD_WORDS, TIME_WORDS, title_of
from bertviz_lite.world.life.tales.plans import Plan
from bertviz_lite.world.life.tales.players import Players
from bertviz_lite.world.life.tales.present import close_in_present

_clause = cache(read_clause)
_IN_PRESENT = 0.17  # how often a story of the past ends with what is so since then, where that fits
_SHOWS = frozenset(words("find buy get have make take build see choose wear"))
_COLOURS_OF_THINGS = words("red blue green yellow white brown")


def describe(telling: Telling, plan: Plan, seen: set[int], clause: Clause) -> None:
    """Perhaps say of a thing that has just come into the story what colour it has, or that it is old."""
    if plan.words & set(COLOURS) or clause.verb.lemma not in _SHOWS or clause.verb.negated:
        return
    for part in clause.phrases[0] if clause.phrases else ():
        letter = part.label if isinstance(part, Noun) else part.letter if isinstance(part, Slot) else ""
        one = telling.bindings.get(letter)
        if one is None or one.chain in seen or one.kind != "thing" or one.many or one.mass:
            continue
        thing = THINGS.get(one.noun)
        if thing is None or one.adjectives or not telling.dice.chance(0.4):
            continue
        looks = [telling.dice.pick(_COLOURS_OF_THINGS)] * 3 if thing.coloured else []
        if clause.verb.lemma in ("find", "see", "wear") and not plan.words & {"old", "new", "small"}:
            looks.append("old")
        if looks:
            telling.bindings["T9"] = one
            Joining(telling).say((_clause(f"T9 | be | {telling.dice.pick(looks)}"),))
        return


def close_story(
    telling: Telling, plan: Plan, players: Players, last: Clause | None, told: Sequence[Clause] = ()
) -> None:
    """Perhaps say a closing sentence that fits whatever has happened."""
    dice = telling.dice
    happy = last is not None and not _is_sad(last) and bool(told)
    wanted = happy and telling.tense == "past" and not plan.now and dice.chance(_IN_PRESENT)
    if wanted and close_in_present(telling, plan, players, told):
        return
    if plan.steps[-1].now or not dice.chance(0.17) or last is None or _is_sad(last) or not players.by_letter:
        return
    past = telling.tense == "past"
    way = dice.pick(_ways(plan, players, past=past) or ["none"])
    if way == "story" and str(telling.sentences[0]).startswith("This is"):
        way = "none"
    title = title_of(plan)
    if way == "story":
        start = f"that {'was' if past else 'is'} the story of"
        telling.say([*written(start, "PRON", "AUX", "DET"), *written(title, "DET", "ADJ", "NOUN")])
    elif way == "day":
        look = dice.pick(words("good good lovely fine long"))
        telling.say(written(f"it {'was' if past else 'is'} a {look} day", "PRON", "AUX", "DET", "ADJ"))
    elif way != "none":
        first, *others = (player.referent for player in players.by_letter.values())
        telling.bindings["L9"] = first
        if way == "talked":
            pair = sorted((first, others[0]), key=lambda one: telling.narrator is one)
            telling.bindings["L9"] = group = telling.cast.group(*pair)
            telling.memory.gather(group)
        Joining(telling).say((_clause(_LAST_SENTENCES[way]),))


_LAST_SENTENCES = {
    "slept": "L9 | sleep | well + that night",
    "talked": "L9 | talk | about it + for a long time",
    "told": "L9 | tell | L9's mother + about it + in the evening",
    "never": "L9 | never forget | that day",
}


def _ways(plan: Plan, players: Players, *, past: bool) -> list[str]:
    """Return the closing sentences that fit a story."""
    lead, *others = players.by_letter.values()
    ways = ["story"] if title_of(plan) else []
    calm = not plan.words & SAD_WORDS
    if not past:
        return ways
    if calm and not plan.words & TIME_WORDS:
        ways += ["day"]
    ways.append("never")
    at_night = plan.words & {"evening", "night", "sleep", "bed", "asleep"}
    if lead.age == "child" and not lead.referent.many and not at_night and "mother" not in plan.words:
        ways += ["told", "told"]
    if others and not lead.referent.many and not others[0].referent.many and calm and not at_night:
        ways += ["talked"]
    if calm and not plan.words & TIME_WORDS and lead.referent.noun not in ("thief", "robber"):
        ways += ["slept"]
    return ways


def _is_sad(clause: Clause) -> bool:
    found = {clause.verb.lemma} | {getattr(part, "word", "") for phrase in clause.phrases for part in phrase}
    return unlucky(clause) or bool(found & SAD_WORDS)
