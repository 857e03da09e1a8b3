"""How a story begins: who it is about, where they live, what the weather is like, when it happens."""

from __future__ import annotations

from functools import cache

from bertviz_lite.world.english.grammar import article, plural
from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import THINGS
from bertviz_lite.world.grammar.lexicon.words import read_word
from bertviz_lite.world.grammar.notation import Clause, read_clause
from bertviz_lite.world.grammar.tokens import Token, literal, mark, written
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.tales.joining import Joining
from bertviz_lite.world.life.tales.plans import Plan
from bertviz_lite.world.life.tales.players import Player, Players
from bertviz_lite.world.life.tales.present import habit, present_tense

WEATHER_WORDS = frozenset(
    words(
        """rain snow sun sunny storm wind windy fog foggy cloud cold hot warm ice icy wet dry frozen freeze
        summer winter autumn spring snowy rainy thunder frost beach swim skate sledge umbrella hay washing
        shade"""
    )
)
TIME_WORDS = frozenset(
    words(
        """morning evening night afternoon bed moon star supper breakfast lunch dark candle lantern Sunday
        Monday tomorrow yesterday o'clock early late asleep sleep wake dinner school day week year day time
        today tonight before bedroom bat owl party"""
    )
)
SAD_WORDS = frozenset(
    words("cry sad angry ill hurt afraid lonely ashamed break die worried sorry lose thief robber")
)
_WEATHERS = words("sunny cloudy warm mild windy cold fine lovely grey")
_ANY_DAY = entries(
    "one day, one day, last week, one Saturday, one fine day, one day last week, on Sunday, on Saturday"
)
_DAYTIMES = entries(
    """one morning, one afternoon, early one morning, yesterday, yesterday afternoon, one fine morning,
    last Friday, on Monday morning, on Wednesday, one quiet afternoon, on Saturday morning, last Sunday"""
)
_SOME_DAY = entries("one day, one day, one day, last week, this week, once, one day last week")
_SOME_TIME = entries(
    """one day, one day, this week, yesterday, last Monday, last Friday, last week, this morning,
    last Saturday, one morning, one evening, once, on Tuesday, yesterday evening"""
)
_IN_PRESENT = 0.12  # how often a story of the past begins with what is always so, where that fits
_LIKED = frozenset(
    noun
    for noun, thing in THINGS.items()
    if thing.kind in ("toy", "music")
    or noun in words("book picture map shell flower rose stamp bicycle raft")
) | frozenset(words("dog cat bird horse rabbit pony kitten puppy animal duck bee"))
_OF_FAIRY_TALES = words("king queen prince princess witch wizard robber thief")
_clause = cache(read_clause)


def open_story(telling: Telling, plan: Plan, players: Players, *, timely: bool = False) -> list[Token]:
    """Perhaps say who the story is about, or what weather it is; return the time of its first sentence.

    Now and then, where a time may stand before that sentence (``timely``), it is a habit told in the present.
    """
    dice = telling.dice
    if timely and telling.tense == "past" and players.by_letter and dice.chance(_IN_PRESENT):
        said = len(telling.sentences)
        with present_tense(telling):
            AboutTheFirst(telling, plan, players).say(habits=True)
        if len(telling.sentences) > said:
            return after_habit(telling, plan)
    choice = dice.random()
    if choice < 0.33 and players.by_letter:
        AboutTheFirst(telling, plan, players).say()
    elif choice < 0.4 and not plan.words & (WEATHER_WORDS | TIME_WORDS):
        _weather(telling)
        return []
    elif choice < 0.43 and title_of(plan):
        start = "this is the story of" if dice.chance(0.6) else "this is a story about"
        telling.say([*written(start, "PRON", "AUX", "DET"), *written(title_of(plan), "DET", "ADJ", "NOUN")])
    if telling.tense == "present" or dice.chance(0.45):
        return []
    any_day = bool(plan.words & (WEATHER_WORDS | TIME_WORDS)) or dice.chance(0.3)
    time = written(dice.pick(_ANY_DAY if any_day else _DAYTIMES), "ADP", "DET", "NUM", "ADV", "ADJ")
    return [*time, mark(",")] if dice.chance(0.45) else time


def after_habit(telling: Telling, plan: Plan) -> list[Token]:
    """Return the time of what happened once, after what is always so."""
    dice = telling.dice
    time = dice.pick(_SOME_DAY if plan.words & (WEATHER_WORDS | TIME_WORDS) else _SOME_TIME)
    tokens = written(time, "ADP", "DET", "NUM", "ADV", "ADJ")
    return [*tokens, mark(",")] if dice.chance(0.35) else tokens


def title_of(plan: Plan) -> str:
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
    telling.say(written(f"it {verb} a {dice.pick(_WEATHERS)} {day}", "PRON", "AUX", "DET", "ADJ"))


class AboutTheFirst:
    """A sentence about the first person of a story, before anything happens.

    Where she lives, what his job is, what they like, or who the second person is.
    """

    def __init__(self, telling: Telling, plan: Plan, players: Players) -> None:
        self.telling = telling
        self.dice = telling.dice
        self.plan = plan
        (_, self.lead), *others = players.by_letter.items()
        self.one = self.lead.referent
        self.home = players.home(self.lead.person)
        self.second: Player | None = None
        self.habit: Clause | None = None
        if others:
            second = others[0][1]
            referent = second.referent
            if referent.kin is self.one and referent.name and not referent.many:
                self.second = second

    def say(self, *, habits: bool = False) -> None:
        """Say one of the sentences that fit, also what somebody of the first's job does every day."""
        if self.one.many or self.telling.memory.mentioned(self.one):
            return
        job = self.lead.person.job if self.lead.person is not None else None
        if habits and job and job not in self.plan.words:
            self.habit = habit(self.telling, job)
        ways = self._ways()
        if ways:
            bindings = self.telling.bindings
            bindings["L9"], bindings["H9"] = self.one, self.home
            if self.second is not None:
                bindings["S9"] = self.second.referent
            getattr(self, f"_{self.dice.pick(ways)}")()

    def _ways(self) -> list[str]:
        one, lead, plan = self.one, self.lead, self.plan
        noun = self.second.referent.noun if self.second is not None else ""
        family = noun not in ("", "friend", "neighbour")
        younger = noun in ("brother", "sister", "son", "daughter")
        if one is self.telling.narrator:
            return ["has"] if younger else []
        if not one.name and one.noun in _OF_FAIRY_TALES:
            return ["there"]
        ways = ["lives", "lives"]
        if lead.person is not None and lead.person.job and lead.person.job not in plan.words:
            ways += ["job", "job"]
        if self.habit is not None:
            ways += ["habit"] * 4
        if one.name and lead.age == "child":
            ways.append("there")
        if self.second is not None:
            ways += ["has", "with"] if younger else ["with"] if family else ["friends"]
        if plan.words & _LIKED and not plan.words & SAD_WORDS:
            ways += ["likes", "likes"]
        return ways

    def _tell(self, text: str, front: list[Token] | None = None) -> None:
        Joining(self.telling).say((_clause(text),), front)

    def _has(self) -> None:
        assert self.second is not None
        self.second.referent.intro = "called"
        self._tell("L9 | have | S9")

    def _with(self) -> None:
        self._tell(f"L9 | live | {self._at()} H9 + with S9")

    def _friends(self) -> None:
        assert self.second is not None
        self.second.referent.intro = "name"
        self._tell(f"L9 and S9 | be | {self.second.referent.noun}s")

    def _there(self) -> None:
        if self.one.name:
            self.one.intro = "called"
        self.one.determiner = "a"
        once = self.telling.tense == "past" and (not self.one.name or self.dice.chance(0.4))
        place = " + in the town" if self.dice.chance(0.2) else ""
        self._tell(f"there | be | L9{place}", [literal("once", "ADV")] if once else [])

    def _lives(self) -> None:
        self.one.determiner = "a"
        self.one.details = []
        self._tell(f"L9 | live | {self._at()} H9")

    def _job(self) -> None:
        assert self.lead.person is not None
        job = self.lead.person.job or ""
        if self.one.intro in ("job", "called"):
            self.one.intro = "name"
        self._tell(f"L9 | be | {article(job)} {job}")

    def _habit(self) -> None:
        assert self.habit is not None
        if self.one.name:
            self.one.intro = "job"
        Joining(self.telling).say((self.habit,))

    def _likes(self) -> None:
        self.one.determiner = "a"
        noun = self.dice.pick(sorted(self.plan.words & _LIKED))
        self._tell(f"L9 | {self.dice.pick(('love', 'like'))} | {plural(noun)}")

    def _at(self) -> str:
        return "on" if "Farm" in self.home.name else "in"
