"""What may happen in the town: an episode is a few events that belong together.

Each episode takes the scene, with its hero A and other person B, draws who and what else takes part, and adds
its events. The number above it is its weight: how many times as often it is drawn as an episode of weight 1.

As everywhere outside ``english``, strings are identifiers, even where one reads like a phrase: ``"a brave
king"`` is a hero of stories, ``"carrot cake"`` a dish, ``"raspberries"`` a fruit, ``"a hammer"`` a tool.
Left out: which episodes make a story (``plot``), and all wording (``english``).

>>> from bertviz_lite.world.events.dice import Dice
>>> from bertviz_lite.world.events.scene import Setting
>>> dice = Dice("example")
>>> scene = Scene(dice, Setting.drawn(dice), PERSON["Anna"], PERSON["Tom"])
>>> mending(scene)
>>> [event.kind for event in scene.events][:2]
['break', 'mood']
"""

from __future__ import annotations

from collections.abc import Callable

from bertviz_lite.world.events.scene import Move, Referent, Scene
from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import COLOURS, PERSON, SENSES, places

Episode = Callable[[Scene], None]

# All episodes with their weights, in the order of this file.
EPISODES: list[tuple[Episode, int]] = []

_NEEDS = words("hungry hungry thirsty thirsty tired cold wet dirty ill hot frightened bored lonely")
_WARM = words("coat scarf jumper cloak")
_GOOD_MOODS = words(
    """happy glad proud cheerful hopeful surprised merry delighted thankful excited lucky pleased calm"""
)
_BAD_MOODS = words("sad angry worried unhappy sorry ashamed upset nervous unlucky gloomy lonesome")
_QUALITIES_OF_PEOPLE = words("tall old strong brave kind young")
_LOOKS = words(
    """modern ancient charming precious remarkable perfect sturdy unusual handsome elegant curious magnificent
    ordinary beautiful useful shiny dusty smooth special lovely strange wonderful plain heavy round old new"""
)
_OPPOSITES = entries(
    """old new, plain beautiful, rough smooth, useless useful, dusty clean, heavy hollow, cheap expensive,
    round square, thin thick"""
)
_HEROES = entries(
    """a hungry wolf, a shy mermaid, a wise wizard, two naughty twins, a sleepy bear, an honest thief,
    a flying carpet, a proud knight, a lonely lighthouse, a snowman, an unlucky prince, a silver horse,
    a clumsy elf, a blind painter, a brave king, a clever queen, a friendly giant, a pirate, a dragon,
    an old witch, a talking fox, a lost sailor, a golden bird, a kind robber, a white elephant, a princess,
    a tiny mouse"""
)
_SMALL_ANIMALS = words(
    """lizard hare sparrow bumblebee dragonfly grasshopper kitten mouse butterfly squirrel hen frog crow
    rabbit duck"""
)
_PLANTS = words(
    """lettuces radishes daisies cabbages beans carrots potatoes sunflowers tomatoes strawberries pumpkins
    onions"""
)
_FRUIT = words(
    """raspberries grapes apricots blackberries walnuts apples pears plums cherries berries peaches nuts
    strawberries"""
)
_DISHES = entries(
    """trifle, tart, gingerbread, plum cake, carrot cake, cake, pie, pudding, apple pie, honey cake,
    cheese cake, cherry pie"""
)
_TOOLS = entries(
    """tape, pliers, a thread, a screw, a hammer, a needle, glue, a spanner, string, wire, a screwdriver"""
)
_SHARP_TOOLS = entries("a saw, a needle, a knife, an axe, a rake")
_INSTRUMENTS = words("harp organ violin banjo clarinet flute fiddle drum trumpet guitar horn")


def _weighing(weight: int) -> Callable[[Episode], Episode]:
    """Enter a function into the table of episodes."""

    def enter(episode: Episode) -> Episode:
        EPISODES.append((episode, weight))
        return episode

    return enter


def cheer(s: Scene, a: Referent) -> None:
    """Put A into a good mood."""
    s.add("mood", {"A": a}, mood=s.dice.pick(_GOOD_MOODS))


def _talk_about(s: Scene, a: Referent, b: Referent, t: Referent) -> None:
    """Let A, with B, be busy with T, or let T be described."""
    if s.dice.chance(0.5):
        s.add("enjoy", {"A": a, "B": b, "T": t})
    else:
        look, other_look = s.dice.sample(_LOOKS, 2)
        this, that = s.dice.pick(_OPPOSITES).split()
        s.add("describe", {"T": t}, look=look, other_look=other_look, this=this, that=that)


@_weighing(3)
def lost_and_found(s: Scene) -> None:
    """Let A lose a thing; the two look for it, B finds it and gives it back."""
    a, b = s.hero, s.other
    t = s.thing("toy", "small", "paper", "clothes", "pairs", "music", owner=a)
    s.add("lose", {"A": a, "T": t, "P": s.place(s.dice.pick(places("open", "wild", "shop")))}, joins=True)
    s.add("search" if s.dice.chance(0.6) else "search_with", s.both() | {"T": t})
    s.find(b, t, s.spot())
    s.give(b, a, t, "give_back")
    if s.dice.chance(0.6):
        s.add("thank", s.both())


@_weighing(3)
def gift(s: Scene) -> None:
    """Let A make or buy a present for B and wrap it, and B unwrap it."""
    a, b = s.hero, s.other
    t = s.thing("toy", "clothes", "small", "music", "house", "paper")
    s.add("wish", s.both())
    if s.dice.chance(0.5):
        s.add("make", {"A": a, "B": b, "T": t}, moves=(Move(t, None, a),))
    else:
        shop = s.dice.pick(("toyshop", "market", "harbour", "square", "bookshop"))
        s.add("buy", {"A": a, "B": b, "T": t, "P": s.place(shop)}, moves=(Move(t, None, a),))
    s.add(
        "wrap",
        {"A": a, "B": b, "T": t},
        joins=True,
        colour=s.dice.pick(COLOURS),
        moves=(Move(t, a, a),),
    )
    s.give(a, b, t, "give_present")
    s.add("unwrap", {"A": b, "T": t}, joins=True, moves=(Move(t, b, b),))
    if s.dice.chance(0.5):
        _talk_about(s, b, a, t)
    else:
        cheer(s, b)


@_weighing(12)
def need(s: Scene) -> None:
    """Let A have a need and do what that need asks for."""
    kind = s.dice.pick(_NEEDS)
    roles = {"A": s.hero}
    moves: tuple[Move, ...] = ()
    if kind in ("hungry", "thirsty"):
        t = s.thing("food", "dish") if kind == "hungry" else s.thing("drink")
        roles["T"] = t
        moves = (Move(t, None, None),)
    s.add(f"need_{kind}", roles, moves=moves, warm=s.dice.pick(_WARM))


@_weighing(3)
def mending(s: Scene) -> None:
    """Let a thing of A's break, and B mend it."""
    a, b = s.hero, s.other
    t = s.thing("toy", "music", "house", "vehicle", "tool", many=False, owner=a)
    s.own(a, t)
    s.add("break", {"A": a, "T": t}, moves=(Move(t, a, a),))
    if s.dice.chance(0.5):
        s.add("mood", {"A": a}, mood=s.dice.pick(_BAD_MOODS))
    s.give(a, b, t)
    s.add("mend", {"A": b, "T": t}, joins=True, tool=s.dice.pick(_TOOLS), moves=(Move(t, b, b),))
    if s.dice.chance(0.6):
        s.add("as_new", {"T": t})
    s.give(b, a, t, "give_back")
    s.add("pay" if s.dice.chance(0.3) and b.job else "thank", s.both())


@_weighing(2)
def rain(s: Scene) -> None:
    """Let it rain on A."""
    a = s.hero
    s.add("rain", {"A": a, "P": s.place(s.dice.pick(places("open", "wild")))})
    if s.dice.chance(0.5):
        s.add("umbrella", s.both())
    else:
        s.add("shelter", {"A": a}, joins=True)
    if s.dice.chance(0.5):
        s.add("need_wet", {"A": a})
    s.add("rainbow", {"A": a}, where=s.dice.pick(words("lake hill forest bridge church harbour")))


@_weighing(3)
def wild_animal(s: Scene) -> None:
    """Let A meet a wild animal, perhaps hurt, and help it."""
    x = s.animal()
    roles = {"A": s.hero, "X": x}
    s.add("animal_in", roles | {"P": s.place(s.dice.pick(places("wild", "open")))})
    if not x.many and s.dice.chance(0.5):
        s.add("animal_hurt", roles)
        s.add("help_animal", roles)
    else:
        s.add("animal_do", roles)
        s.add("feed", roles, joins=True)
    if s.dice.chance(0.4):
        s.add(s.dice.pick(("animal_do", "animal_leave")), roles)


@_weighing(3)
def pet(s: Scene) -> None:
    """Let A's pet run off and be found, or stay at home."""
    roles = {"A": s.hero, "D": s.pet(s.hero, PERSON[s.hero.name].family)}
    if s.dice.chance(0.4):
        s.add("pet_care", roles, joins=True)
    if s.dice.chance(0.65):
        s.add("pet_gone", roles, small=s.unused(_SMALL_ANIMALS))
        s.add("pet_search", roles)
        s.add("pet_found", roles | {"C": s.spot(outside=True)}, joins=True)
    else:
        s.add("pet_home", roles, small=s.unused(_SMALL_ANIMALS))
        s.add("pet_care", roles, joins=True)


@_weighing(2)
def baking(s: Scene) -> None:
    """Let A and B bake and eat."""
    roles, dish = s.both(), s.dice.pick(_DISHES)
    s.add("recipe", roles, dish=dish)
    if s.dice.chance(0.6):
        s.add("fetch", roles, joins=True)
    s.add("stir", roles, joins=True, dish=dish)
    s.add("share_food", roles, dish=dish)


@_weighing(2)
def mail(s: Scene) -> None:
    """Let A write a letter to B."""
    roles = s.both()
    s.add("write", roles, joins=True)
    s.add("post", roles, joins=True)
    s.add("get_letter", roles)
    if s.dice.chance(0.5):
        cheer(s, s.other)


@_weighing(2)
def garden(s: Scene) -> None:
    """Let A plant and harvest."""
    roles, fruit = s.both(), s.dice.pick(_PLANTS + _FRUIT)
    plant = s.dice.pick(("plant", "bush", "tree"))
    s.add("plant", roles, joins=True, plant=plant, fruit=fruit)
    s.add("grow", roles, plant=plant, fruit=fruit)
    s.add("harvest", roles, plant=plant, fruit=fruit)


@_weighing(2)
def running(s: Scene) -> None:
    """Let A and B run a race, and A win."""
    roles = s.both()
    s.add("race", roles, where=s.dice.pick(words("school church well barn station library")))
    if s.dice.chance(0.6):
        s.add("race_start", roles)
    s.add("win", roles | {"R": s.place("bridge")})
    s.add("lost_race", roles)


@_weighing(3)
def comparing(s: Scene) -> None:
    """Compare the two people, or two things."""
    if s.dice.chance(0.5):
        quality = s.dice.pick(_QUALITIES_OF_PEOPLE)
        s.add("compare_people", s.both(), quality=quality)
    else:
        t, u = s.thing("toy", "house", "box"), s.thing("small", "nature", "music", many=True)
        s.find(s.hero, t, s.spot())
        s.add("near", {"T": t, "U": u}, look=s.dice.pick(_LOOKS))
        s.add("compare", {"A": s.hero, "T": t, "U": u})


@_weighing(2)
def hiding(s: Scene) -> None:
    """Let A and B play hide-and-seek."""
    roles = s.both()
    roles |= {"C": s.spot(outside=True), "P": s.place(s.dice.pick(places("open", "wild")))}
    s.add("hide", roles)
    s.add("hide_spot", roles)
    s.add("seek", roles)
    if s.dice.chance(0.5):
        s.add("both_happy", roles)


@_weighing(2)
def building(s: Scene) -> None:
    """Let A and B build something."""
    t = s.thing("build", many=False)
    roles = s.both() | {"T": t}
    s.add("build", roles)
    s.add("build_work", roles)
    _talk_about(s, s.hero, s.other, t)


@_weighing(2)
def swapping(s: Scene) -> None:
    """Let A find a thing and swap it with B for another."""
    a, b = s.hero, s.other
    t, u = s.thing("toy", "music", "nature"), s.thing("small", "paper", "clothes")
    s.own(b, u)
    roles = s.both() | {"T": t, "U": u}
    s.find(a, t, s.spot())
    s.add("swap", roles, moves=(Move(t, a, b), Move(u, b, a)))
    s.add("swap_now", roles)
    s.add("both_happy", roles)


@_weighing(2)
def quarrel(s: Scene) -> None:
    """Let A and B want the same thing, quarrel, and make up."""
    t = s.thing("toy", "music", "vehicle", many=False)
    roles = s.both() | {"T": t}
    s.find(s.hero, t, s.spot())
    s.add("quarrel", roles)
    s.add("sorry", roles)
    if s.dice.chance(0.5):
        s.add("sorry", roles)


@_weighing(2)
def visiting(s: Scene) -> None:
    """Let A visit B, who lives elsewhere and tells a story; where they live together, nothing happens."""
    host = PERSON[s.other.name]
    if PERSON[s.hero.name].family == host.family:
        return
    roles = s.both() | {"H": s.street(host.home)}
    s.add("visit", roles, day=s.setting.day, fruit=s.dice.pick(_FRUIT))
    hero = s.dice.pick(_HEROES)
    s.add("tell_story", roles, hero=hero)
    if s.dice.chance(0.7):
        s.add("story_end", roles)
    if s.dice.chance(0.5):
        s.add("dream", roles, hero=hero)


@_weighing(3)
def helping(s: Scene) -> None:
    """Let A help B, perhaps with B's work."""
    if s.other.job and s.dice.chance(0.8):
        _work(s, s.other)
    s.add("help", s.both())
    if s.dice.chance(0.6):
        s.add("thank", {"A": s.other, "B": s.hero})


@_weighing(3)
def working(s: Scene) -> None:
    """Let A work, or go to school or tidy up where A is a child; then let there be music."""
    a = s.hero
    if a.job:
        _work(s, a)
        if s.dice.chance(0.5):
            _work(s, a)
    elif a.noun in ("girl", "boy"):
        s.add(s.dice.pick(("school", "tidy")), {"A": a})
    s.add("sing", s.both(), music=s.dice.pick(_INSTRUMENTS))


def _work(s: Scene, a: Referent) -> None:
    """Let A do what A's job asks for."""
    s.add(f"work_{a.job}", {"A": a}, joins=True, colour=s.dice.pick(COLOURS))


@_weighing(1)
def pictures(s: Scene) -> None:
    """Let A draw and paint."""
    for joins in (True, False):
        hero, small = s.dice.pick(_HEROES), s.dice.pick(_SMALL_ANIMALS)
        s.add("pictures", {"A": s.hero}, joins=joins, hero=hero, small=small)
    cheer(s, s.hero)


@_weighing(1)
def travelling(s: Scene) -> None:
    """Let A travel."""
    s.add("travel", {"A": s.hero}, joins=True)
    s.add("come_back", {"A": s.hero}, joins=True)


@_weighing(5)
def fetching(s: Scene) -> None:
    """Let A find a thing, and give it to B or put it away."""
    a, b = s.hero, s.other
    t = s.thing("tool", "box", "house", "nature", "small", "paper", "clothes", "pairs")
    s.find(a, t, s.spot())
    if s.dice.chance(0.4):
        s.add("enjoy", {"A": a, "B": b, "T": t})
    if s.dice.chance(0.5):
        s.give(a, b, t)
        _talk_about(s, b, a, t)
    else:
        s.put(a, t, s.spot())


@_weighing(4)
def crowd(s: Scene) -> None:
    """Put A among many things."""
    u = s.thing("toy", "small", "nature", "paper", many=True)
    s.add("among", {"A": s.hero, "U": u}, mood=s.dice.pick(_GOOD_MOODS + _BAD_MOODS))
    if s.dice.chance(0.5):
        alone(s)


@_weighing(2)
def alone(s: Scene) -> None:
    """Let A do something to or for A."""
    s.add("alone", {"A": s.hero}, tool=s.dice.pick(_SHARP_TOOLS))


@_weighing(2)
def trading(s: Scene) -> None:
    """Let A buy a thing and sell it to B, or keep it."""
    a, b = s.hero, s.other
    t = s.thing("vehicle", "furniture", "music", "tool", "house", "small")
    s.add("buy", {"A": a, "T": t, "P": s.place("market")}, moves=(Move(t, None, a),))
    _talk_about(s, a, b, t)
    if s.dice.chance(0.6):
        s.add("sell", {"A": a, "B": b, "T": t}, joins=True, moves=(Move(t, a, b),))


@_weighing(14)
def two_senses(s: Scene) -> None:
    """Let something happen in which a word with two senses has one of them."""
    sense = s.dice.pick(s.dice.pick(tuple(SENSES.values())))
    kind = "sense_" + sense.replace(".", "_")
    s.add(kind, {"A": s.hero}, day=s.setting.day)
    if s.dice.chance(0.45):
        s.add(kind, {"A": s.hero}, day=s.setting.day)
