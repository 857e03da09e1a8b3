"""What makes a story: two people, an opening, a few episodes, and sometimes an ending.

Left out: what happens in an episode (``episodes``), and how any of it is said (``english``).

>>> from bertviz_lite.world.events.dice import Dice
>>> [event.kind for event in happen(Dice("1/1/0")).events][:3]
['at', 'like', 'hide']
"""

from __future__ import annotations

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.episodes import EPISODES, Episode, cheer
from bertviz_lite.world.events.scene import Scene, Setting
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.town import PEOPLE, Person, places

_WHEEL: tuple[Episode, ...] = tuple(episode for episode, weight in EPISODES for _ in range(weight))

_HOBBIES = words(
    """skiing weaving rowing juggling camping sewing cycling writing wrestling jumping marching swimming
    reading painting singing dancing fishing cooking climbing skating sailing gardening baking knitting
    whistling running drawing riding hiking"""
)
# What a relative is to a person, by the age of the one and the other: a woman, or a man.
_KIN = {
    ("child", "child"): {"f": "sister", "m": "brother"},
    ("child", "adult"): {"f": "mother", "m": "father"},
    ("child", "old"): {"f": "grandmother", "m": "grandfather"},
    ("adult", "child"): {"f": "daughter", "m": "son"},
    ("adult", "adult"): {"f": "wife", "m": "husband"},
    ("adult", "old"): {"f": "mother", "m": "father"},
    ("old", "child"): {"f": "granddaughter", "m": "grandson"},
    ("old", "adult"): {"f": "daughter", "m": "son"},
}


def happen(dice: Dice) -> Scene:
    """Let one story happen and return its scene, with all events and referents."""
    setting = Setting.drawn(dice)
    first, second = _two_people(dice)
    scene = Scene(dice, setting, first, second)
    a, b = scene.hero, scene.other
    _open(scene, first, second)
    _go_on(scene)
    scene.hero, scene.other = a, b
    _end(scene)
    return scene


def _two_people(dice: Dice) -> tuple[Person, Person]:
    """Return two people who have to do with each other: family, two children, or neighbours."""
    first = dice.pick(PEOPLE)
    if dice.chance(0.35):
        others = [p for p in PEOPLE if p.family == first.family and p is not first]
    elif first.age == "child" and dice.chance(0.6):
        others = [p for p in PEOPLE if p.age == "child" and p.family != first.family]
    else:
        others = [p for p in PEOPLE if p.family != first.family]
    return first, dice.pick(others)


def _open(scene: Scene, first: Person, second: Person) -> None:
    """Say when and where the story begins, and something of its two people."""
    dice, day = scene.dice, scene.setting.day
    a, b = scene.hero, scene.other
    if dice.chance(0.45):
        scene.add("weather", {}, weather=scene.setting.weather, season=scene.setting.season, day=day)
    where = dice.pick(places("shop", "work", "public", "open", "wild", "room"))
    scene.add("at", {"A": a, "P": scene.place(where)}, day=day)
    if first.family == second.family and dice.chance(0.6):
        scene.add("kin", {"A": a, "B": b}, kin=_KIN[first.age, second.age][second.gender])
    elif dice.chance(0.5):
        scene.add("friends", scene.both(), hobby=dice.pick(_HOBBIES))
    elif dice.chance(0.4):
        scene.add("live", {"A": a, "H": scene.street(first.home)})
    elif dice.chance(0.5):
        scene.add("like", {"A": a}, hobby=dice.pick(_HOBBIES))
    if dice.chance(0.3):
        where = dice.pick(places("open", "public", "shop"))
        scene.add("meet", {"A": a, "B": b, "P": scene.place(where)}, joins=True)
        if dice.chance(0.5):
            scene.add("greet", {"A": a, "B": b})


def _go_on(scene: Scene) -> None:
    """Let different episodes happen until the story is long enough; now and then the two change places."""
    dice = scene.dice
    done: set[Episode] = set()
    goal = 6 + dice.below(4)
    while len(scene.events) < goal:
        episode = dice.pick(_WHEEL)
        if episode in done:
            continue
        if dice.chance(0.2):
            scene.hero, scene.other = scene.other, scene.hero
        done.add(episode)
        episode(scene)
        if dice.chance(0.1):
            cheer(scene, scene.hero)


def _end(scene: Scene) -> None:
    """Bring the story to an end, unless it just stops."""
    dice = scene.dice
    if dice.chance(0.45):
        roles = scene.both()
        if dice.chance(0.3):
            scene.add("end_both", roles)
        else:
            scene.add("night" if dice.chance(0.2) else "end", roles)
