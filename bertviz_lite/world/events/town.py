"""The town: who lives there, the places, the things and the animals.

Facts only: no wording and no events. Every string here is an *identifier*. Identifiers are plain English
words because they have to be called something; the English renderer writes them as they stand, a renderer for
another language has its own words for each. ``bank.river`` and ``bank.money`` are two identifiers: one
English word, two senses. What is known of English alone (plurals, prepositions, articles) is in ``english``.

>>> PERSON["Anna"]
Person(name='Anna', gender='f', age='child', family='Bell', home='Rose Street', job=None)
>>> THINGS["kite"]
Thing(noun='kite', kind='toy', materials=('paper', 'silk'), coloured=True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bertviz_lite.world.events.tables import lines, words


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the town.

    Attributes
    ----------
    name
        First name; no two people share it.
    gender
        ``"f"`` or ``"m"``.
    age
        ``"child"``, ``"adult"`` or ``"old"``.
    family, home
        The family's name, and the street or farm where it lives.
    job
        Only adults have one.
    """

    name: str
    gender: str
    age: str
    family: str
    home: str
    job: str | None


@dataclass(frozen=True, slots=True)
class Pet:
    """A pet with a name, its kind (``"dog"``), its gender, and the family that it lives with."""

    name: str
    kind: str
    gender: str
    family: str


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the town; ``sort`` is room, shop, work, public, open, wild, money or river."""

    noun: str
    sort: str


@dataclass(frozen=True, slots=True)
class Thing:
    """A sort of thing: what it is for, what it may be made of, and whether it comes in many colours."""

    noun: str
    kind: str
    materials: tuple[str, ...] = ()
    coloured: bool = False

    @property
    def pair(self) -> bool:
        """Whether it comes in pairs, like shoes."""
        return self.kind == "pairs"

    @property
    def mass(self) -> bool:
        """Whether it comes by the measure, like soup by the bowl, and is not counted."""
        return self.kind in ("dish", "drink")


# family, home | mother job | father job | children gender | grandparents gender | pets kind gender
_FAMILIES = """
Bell: Rose Street | Nora baker | Hugo teacher | Anna f, Tom m | Martha f | Rex dog m
Reed: Mill Lane | Clara doctor | Simon builder | Lucy f, Ben m | Walter m | Misty cat f
Stone: Hill Street | Helen gardener | Frank farmer | Emma f, Jack m | Edith f | Biscuit dog m
Brook: River Lane | Julia painter | Oscar fisher | Mia f, Leo m | Arthur m | Pepper cat f
Field: Willow Farm | Alice farmer | George farmer | Ruby f, Sam m | Agnes f | Daisy goat f
Wood: Forest Lane | Laura singer | Peter carpenter | Zoe f, Max m | Victor m | Sooty cat m
Marsh: Harbour Street | Sarah sailor | Daniel postman | Ella f, Finn m | Olga f | Buster dog m
Hill: Castle Street | Diana dancer | Robert driver | Lily f, Adam m | Henry m | Snowy rabbit f
Frost: Station Street | Eva nurse | Paul painter | Grace f, Noah m | Irene f | Hazel hen f
Lake: Garden Street | Kate librarian | Martin cook | Maya f, Oliver m | Albert m | Bella dog f
Rivers: Church Lane | Tina tailor | David writer | Ivy f, Luke m | Rosa f | Whiskers cat m
Moss: Orchard Farm | Vera beekeeper | Carl miller | Nina f, Toby m | Ernest m | Clover pony f
"""

# the sort of place, and the places of that sort
_PLACES = """
room: kitchen attic cellar hall bedroom bathroom
shop: bakery bookshop toyshop market café
work: library school museum theatre hospital church workshop barn stable mill
public: station harbour
open: garden park playground orchard square yard bridge hill
wild: forest field meadow cave beach island pond lake well
money: bank.money
river: bank.river
"""

# the kind of thing, and the things of that kind with their materials; * comes in many colours
_THINGS = """
toy: skateboard* hoop(wooden,plastic)* sailboat* teddy(cloth)* rattle(tin,wooden)* kite(paper,silk)*
    ball(leather,rubber)* doll(wooden,cloth) drum(tin,wooden)* puzzle(wooden) boat(wooden,paper)*
    yoyo(plastic,wooden)* marble(glass)* robot(tin,plastic)* balloon* top(tin,wooden)* whistle(tin,silver)
tool: hammer(iron) saw(iron) rope bucket(tin,wooden,plastic)* broom(wooden) spade(iron) brush(wooden)
    needle(silver,steel) hook(iron) axe(iron) rake(iron,wooden) spanner(steel)
box: box(wooden,tin,paper)* basket(wicker) bag(leather,cloth,paper)* drawer(wooden) cupboard(wooden)
    jar(glass) chest(wooden) sack(cloth) suitcase(leather)*
clothes: skirt(cotton)* waistcoat(silk,woollen)* jacket(leather,woollen)* nightshirt(cotton)*
    bonnet(straw,silk)* tie(silk)* coat(woollen,leather)* hat(straw,woollen,silk)* scarf(woollen,silk)*
    jumper(woollen)* shirt(cotton,silk)* cap(cotton,leather)* dress(cotton,silk)* belt(leather)*
    cloak(woollen)* apron(cotton)*
pairs: gloves(leather,woollen)* boots(leather,rubber)* shoes(leather)* socks(woollen,cotton)*
    slippers(woollen)* glasses
food: bun sandwich turnip cucumber doughnut waffle melon orange apple* pear plum pie egg carrot biscuit
    pancake potato cherry tomato sausage onion muffin peach lemon nut
dish: soup bread cheese porridge cake rice honey jam salad
drink: water milk tea juice lemonade cocoa
paper: painting magazine calendar invitation certificate book* map postcard ticket newspaper picture stamp
    notebook* diary(leather) poster
small: coin(gold,silver,copper) key(iron,brass,silver) necklace(gold,silver) purse(leather,silk)*
    medal(gold,silver,bronze) button(brass,plastic,wooden)* pencil(wooden)* comb(wooden,plastic)
    brooch(silver,gold) pearl
music: harp(golden) violin(wooden) banjo(wooden) accordion tambourine flute(wooden,silver) fiddle(wooden)
    bell(brass,silver) trumpet(brass) guitar(wooden) horn(brass)
nature: pinecone crystal chestnut twig shell stone feather* flower* leaf* acorn stick rose* pebble nest
house: tray(tin,wooden) ladle(iron) jug(glass,tin)* rug(woollen)* cushion(silk,cotton)* bottle(glass)
    lantern(brass,iron) telescope(brass) compass(brass) bowl(wooden,china)* fork(silver) knife(steel)
    lamp(brass,iron) clock(wooden,brass) cup(tin,china)* plate(tin,china)* blanket(woollen)* mirror
    pillow(cotton,silk)* candle* umbrella* spoon(silver,wooden) pot(iron,copper) kettle(copper,iron)
    vase(glass,china)* teapot(china,silver)*
furniture: wardrobe(wooden) armchair(leather)* rocking-chair(wooden) table(wooden) chair(wooden)
    bench(wooden) bed(wooden) shelf(wooden) stool(wooden) sofa* desk(wooden)
vehicle: bicycle* cart(wooden) sledge(wooden) wagon(wooden)*
build: kennel(wooden) raft(wooden) swing(wooden) ladder(wooden) fence(wooden) treehouse(wooden)
"""

ANIMALS = {
    "wild": words(
        """fox hedgehog squirrel crow swan frog robin owl wolf beaver otter toad snail pigeon stork lizard
        mole eagle turtle ladybird hare weasel seal rabbit deer badger mouse heron beetle butterfly duck"""
    ),
    "farm": words("horse cow pig sheep goat hen donkey goose pony"),
}

COLOURS = words(
    "scarlet golden violet turquoise red blue green yellow white black brown grey orange purple pink"
)
SIZES = words("small big little large tiny huge enormous narrow")
QUALITIES = words(
    "old new pretty lovely fine plain strange simple dusty shiny neat odd cheap dear nice smart delicate"
)

# Two identifiers that share one English word; the town has settings for both.
SENSES = {
    "bank": ("bank.river", "bank.money"),
    "bat": ("bat.animal", "bat.game"),
    "bark": ("bark.dog", "bark.tree"),
    "spring": ("spring.season", "spring.metal"),
    "light": ("light.lamp", "light.weight"),
    "ring": ("ring.jewel", "ring.sound"),
    "letter": ("letter.mail", "letter.alphabet"),
    "match": ("match.game", "match.fire"),
    "nail": ("nail.finger", "nail.metal"),
    "trunk": ("trunk.tree", "trunk.elephant"),
    "wave": ("wave.sea", "wave.hand"),
    "watch": ("watch.clock", "watch.look"),
}

SEASONS = words("spring.season summer autumn winter")
WEATHER = words("sunny windy rainy snowy foggy cloudy misty stormy frosty chilly mild")
DAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
TIMES = words("morning afternoon evening")


def _people() -> tuple[tuple[Person, ...], tuple[Pet, ...]]:
    people, pets = [], []
    for family, body in lines(_FAMILIES):
        home, *columns = body.split(" | ")
        mother, father, children, elders, animals = (column.split(", ") for column in columns)
        for gender, (parent,) in (("f", mother), ("m", father)):
            name, job = parent.split()
            people.append(Person(name, gender, "adult", family, home, job))
        for age, relatives in (("child", children), ("old", elders)):
            for relative in relatives:
                name, gender = relative.split()
                people.append(Person(name, gender, age, family, home, None))
        for animal in animals:
            name, kind, gender = animal.split()
            pets.append(Pet(name, kind, gender, family))
    return tuple(people), tuple(pets)


def _things() -> dict[str, Thing]:
    result = {}
    for kind, body in lines(_THINGS):
        for noun, materials, star in re.findall(r"([\w-]+)(?:\(([\w,]+)\))?(\*?)", body):
            result[noun] = Thing(noun, kind, tuple(materials.split(",")) if materials else (), bool(star))
    return result


PEOPLE, PETS = _people()
PLACES = tuple(Place(noun, sort) for sort, nouns in lines(_PLACES) for noun in nouns.split())
THINGS = _things()
PERSON = {person.name: person for person in PEOPLE}


def names(gender: str) -> list[str]:
    """Return the first names of women and girls ("f") or of men and boys ("m"), in the order of the table."""
    return [person.name for person in PEOPLE if person.gender == gender]


def things(*kinds: str) -> list[str]:
    """Return the nouns of all things of these kinds, in the order of the table."""
    return [noun for noun, thing in THINGS.items() if thing.kind in kinds]


def places(*sorts: str) -> list[str]:
    """Return the nouns of all places of these sorts, in the order of the table."""
    return [place.noun for place in PLACES if place.sort in sorts]
