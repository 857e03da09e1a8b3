"""How a story begins and ends, and what a thing in it looks like."""

from __future__ import annotations

from functools import cache

from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import COLOURS, THINGS
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot, read_clause
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, literal, mark, written
from bertviz_lite.world.grammar.words import read_word, words_of
from bertviz_lite.world.life.tales.joining import Joining
from bertviz_lite.world.life.tales.plans import Plan
from bertviz_lite.world.life.tales.players import Player, Players
from bertviz_lite.world.life.telling import Telling

_WEATHER_WORDS = frozenset(
    words(
        """rain snow sun sunny storm wind windy fog foggy cloud cold hot warm ice icy wet dry frozen freeze summer
        winter autumn spring snowy rainy thunder frost beach swim skate sledge umbrella hay washing shade"""
    )
)
_TIME_WORDS = frozenset(
    words(
        """morning evening night afternoon bed moon star supper breakfast lunch dark candle lantern Sunday Monday
        tomorrow yesterday o'clock early late asleep sleep wake dinner school day week year day time today
        tonight before bedroom bat owl party"""
    )
)
_SEASONLESS = words("sunny cloudy warm mild windy cold fine lovely grey")
_ANY_DAY = entries(
    "one day, one day, last week, one Saturday, one fine day, one day last week, on Sunday, on Saturday"
)
_DAYTIMES = entries(
    """one morning, one afternoon, early one morning, yesterday, yesterday afternoon, one fine morning, last Friday,
    on Monday morning, on Wednesday, one quiet afternoon, on Saturday morning, last Sunday"""
)
_SAD = frozenset(words("cry sad angry ill hurt afraid lonely ashamed break die worried sorry lose"))
_LIKED = frozenset(
    noun
    for noun, thing in THINGS.items()
    if thing.kind in ("toy", "music")
    or noun in ("book", "picture", "map", "shell", "flower", "rose", "stamp", "bicycle", "raft")
) | frozenset(words("dog cat bird horse rabbit pony kitten puppy animal duck bee"))
_PEOPLE = frozenset(noun for gender in "fmn" for noun in words_of("NOUN", f"person {gender}"))
_clause = cache(read_clause)


def open_story(telling: Telling, plan: Plan, players: Players) -> list[Token]:
    """Perhaps say who the story is about, or what weather it is; return the time of its first sentence, if any."""
    dice = telling.dice
    choice = dice.random()
    if choice < 0.3 and players.by_letter:
        _about_lead(telling, plan, players)
    elif choice < 0.38 and not plan.words & (_WEATHER_WORDS | _TIME_WORDS):
        _weather(telling)
        return []
    elif choice < 0.41 and _title(plan):
        start = written(
            "this is the story of" if dice.chance(0.6) else "this is a story about", "PRON", "AUX", "DET"
        )
        telling.say([*start, *written(_title(plan), "DET", "ADJ", "NOUN")])
    if telling.tense == "present" or dice.chance(0.45):
        return []
    times = _ANY_DAY if plan.words & (_WEATHER_WORDS | _TIME_WORDS) or dice.chance(0.3) else _DAYTIMES
    time = written(dice.pick(times), "ADP", "DET", "NUM", "ADV", "ADJ")
    return [*time, mark(",")] if dice.chance(0.45) else time


def _title(plan: Plan) -> str:
    """Return the title where it is a noun phrase with an article and simple words."""
    parts = plan.title.split()
    if parts[0] not in ("the", "a", "an") or len(parts) > 5 or {"that", "who", "of", "A", "B"} & set(parts):
        return ""
    if parts[-1] in ("on", "over", "out") or any(not word.isalpha() for word in parts):
        return ""
    try:
        readings = [read_word(word, "NOUN", "ADJ", "DET") for word in parts]
    except (ValueError, KeyError):
        return ""
    return plan.title if readings[-1].pos == "NOUN" else ""


def _weather(telling: Telling) -> None:
    dice = telling.dice
    day = dice.pick(("day", "morning", "afternoon"))
    verb = "was" if telling.tense == "past" else "is"
    telling.say(written(f"it {verb} a {dice.pick(_SEASONLESS)} {day}", "PRON", "AUX", "DET", "ADJ"))


def _about_lead(telling: Telling, plan: Plan, players: Players) -> None:
    """Say where the first of the story lives, what he or she is or likes, or who the second is."""
    dice = telling.dice
    (letter, lead), *others = players.by_letter.items()
    one = lead.referent
    if telling.memory.mentioned(one) or one.kind != "person":
        return
    joining = Joining(telling)
    ways: list[str] = []
    second = others[0] if others else None
    related = second is not None and second[1].referent.kin is one and not second[1].referent.many
    if one is telling.narrator:
        ways = ["has"] if related and second is not None and second[1].referent.name else []
    elif one.many:
        ways = []
    else:
        one.determiner = "a"
        ways = ["lives", "lives"]
        if lead.person is not None and lead.person.job and lead.person.job not in plan.words:
            ways += ["job", "job"]
        if not one.name and one.noun in (
            "king",
            "queen",
            "prince",
            "princess",
            "witch",
            "wizard",
            "robber",
            "thief",
        ):
            ways = ["there"]
        elif one.name and lead.age == "child":
            ways.append("there")
        if related and second is not None and second[1].referent.name:
            ways += ["has", "with" if second[1].referent.noun not in ("friend", "neighbour") else "friends"]
        if plan.words & _LIKED and not plan.words & _SAD:
            ways += ["likes", "likes"]
    if not ways:
        return
    way = dice.pick(ways)
    bindings = telling.bindings
    bindings["H9"] = players.home(lead.person)
    at = "on" if "Farm" in bindings["H9"].name else "in"
    if way in ("has", "with", "friends") and second is not None:
        other = second[0]
        second[1].referent.intro = "called" if way == "has" else "kin" if way == "with" else "name"
        if way == "has" and second[1].referent.noun == "neighbour":
            way = "friends"
            second[1].referent.intro = "name"
        text = {
            "has": f"{letter} | have | {other}",
            "with": f"{letter} | live | {at} H9 + with {other}",
            "friends": f"{letter} and {other} | be | {second[1].referent.noun}s",
        }[way]
        if way == "friends" and telling.narrator in (one, second[1].referent):
            return
        joining.say((_clause(text),))
    elif way == "there":
        if one.name:
            one.intro = "called"
        one.determiner = "a"
        once = (
            [literal("once", "ADV")] if telling.tense == "past" and (not one.name or dice.chance(0.4)) else []
        )
        joining.say(
            (_clause(f"there | be | {letter}" + (" + in the town" if dice.chance(0.2) else "")),), once
        )
    elif way == "lives":
        if not one.name:
            one.details = []
        joining.say((_clause(f"{letter} | live | {at} H9"),))
    elif way == "job" and lead.person is not None:
        one.intro = "name" if one.intro in ("job", "called") else one.intro
        joining.say(
            (_clause(f"{letter} | be | {'an' if lead.person.job[0] in 'aeiou' else 'a'} {lead.person.job}"),)
        )
    elif way == "likes":
        noun = dice.pick(sorted(plan.words & _LIKED))
        verb = dice.pick(("love", "like"))
        joining.say((_clause(f"{letter} | {verb} | {_plural(noun)}"),))


def _plural(noun: str) -> str:
    from bertviz_lite.world.english.grammar import plural

    return plural(noun)


# What a thing looks like.


def describe(telling: Telling, plan: Plan, seen: set[int], clause: Clause) -> bool:
    """Perhaps say of a thing that has just come into the story what colour it is, how old, of what."""
    dice = telling.dice
    if plan.words & set(COLOURS) or clause.verb.lemma not in _SHOWS or clause.verb.negated:
        return False
    for phrase in clause.phrases[:1]:
        for part in phrase:
            letter = part.label if isinstance(part, Noun) else part.letter if isinstance(part, Slot) else ""
            one = telling.bindings.get(letter)
            if one is None or one.chain in seen or one.kind != "thing" or one.many or one.mass:
                continue
            seen.add(one.chain)
            thing = THINGS.get(one.noun)
            if thing is None or one.adjectives or not dice.chance(0.4):
                continue
            looks = [
                *(
                    ["old"]
                    if clause.verb.lemma in ("find", "see", "wear")
                    and not plan.words & {"old", "new", "small"}
                    else []
                )
            ]
            if thing.coloured:
                looks += [dice.pick(words("red blue green yellow white")) for _ in range(3)]
            if not looks:
                continue
            if isinstance(part, Noun) and len(part.words) > 1:
                continue
            first = dice.pick(looks)
            text = f"{{}} | be | {first}"
            joining = Joining(telling)
            telling.bindings["T9"] = one
            joining.say((_clause(text.format("T9")),))
            return True
    return False


_SHOWS = frozenset(words("find buy get have make take build see choose wear"))


# How it ends.


def close_story(telling: Telling, plan: Plan, players: Players, last: Clause | None) -> None:
    """Perhaps say a closing sentence that fits whatever has happened."""
    dice = telling.dice
    if not dice.chance(0.16) or last is None or _is_sad(last):
        return
    (letter, lead), *others = players.by_letter.items() if players.by_letter else [("", None)]
    if lead is None:
        return
    ways = ["forget"]
    if (
        lead.age == "child"
        and not lead.referent.many
        and not plan.words & {"mother", "evening", "night", "sleep", "bed", "asleep"}
    ):
        ways += ["tell", "tell"]
    alone = not lead.referent.many
    alone = alone and not plan.words & {"sleep", "asleep"}
    if alone and others and not others[0][1].referent.many and not plan.words & _SAD:
        ways += ["laugh"]
    if not plan.words & (_TIME_WORDS | _SAD):
        ways += ["day", "slept"]
    if _title(plan):
        ways += ["story"]
    way = dice.pick(ways)
    joining = Joining(telling)
    past = telling.tense == "past"
    if way == "story":
        start = written(f"that {'was' if past else 'is'} the story of", "PRON", "AUX", "DET")
        telling.say([*start, *written(_title(plan), "DET", "ADJ", "NOUN")])
    elif way == "day":
        telling.say(
            written(
                f"it {'was' if past else 'is'} a {dice.pick(('good', 'good', 'lovely', 'fine', 'long'))} day",
                "PRON",
                "AUX",
                "DET",
                "ADJ",
            )
        )
    elif way == "slept" and past:
        joining.say((_clause(f"{letter} | sleep | well + that night"),))
    elif way == "laugh" and past:
        other = others[0][0]
        group = telling.cast.group(
            *sorted((lead.referent, others[0][1].referent), key=lambda one: one is telling.narrator)
        )
        telling.bindings["A+B9"] = group
        telling.memory.gather(group)
        clause = _clause("G9 | talk | about it + for a long time")
        telling.bindings["G9"] = group
        joining.say((clause,))
    elif way == "tell" and past:
        telling.bindings["A"] = lead.referent
        joining.say((_clause("A | tell | A's mother + about it + in the evening"),))
    elif past:
        joining.say((_clause(f"{letter} | never forget | that day"),))


def _is_sad(clause: Clause) -> bool:
    from bertviz_lite.world.life.tales.joining import unlucky

    found = {clause.verb.lemma} | {getattr(part, "word", "") for phrase in clause.phrases for part in phrase}
    return unlucky(clause) or bool(found & _SAD)


__all__ = ["Player", "Referent", "close_story", "describe", "open_story"]
