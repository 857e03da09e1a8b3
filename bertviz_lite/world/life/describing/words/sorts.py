"""Sorts of people, animals, places and things that a scene is made of: tables of their nouns."""

from __future__ import annotations

from bertviz_lite.world.events.tables import lines, words
from bertviz_lite.world.events.town import THINGS
from bertviz_lite.world.grammar.lexicon.words import words_of

MASS = ("dish", "drink")
THING_SORTS = words("toy tool box clothes pairs food paper small music nature house furniture vehicle build")
# a part or a side of something, and the whole to which it belongs
PARTS = dict(
    lines(
        """leaf: tree bush flower
branch: tree
wheel: cart bicycle wagon
door: house barn cupboard
roof: house barn church
window: house school church
wing: bird butterfly swan
ear: rabbit donkey dog
tail: cat fox horse
page: book diary notebook
handle: pot bucket broom
lid: pot box jar chest
button: coat jacket shirt
sleeve: coat shirt jumper
pocket: coat jacket apron
wall: house castle school
key: door chest gate
corner: page room table
leg: table chair bed
smell: flower cake sausage pancake onion
sound: bell drum trumpet
song: bird boy girl sailor
name: street cat child teacher
colour: wall door flower shirt
picture: horse ship flower child
story: king pirate wolf
end: story street song
shadow: tree house
voice: singer child bird
box: apple pencil toy egg
bag: potato nut onion carrot
basket: egg plum flower apple
sack: potato nut
bowl: cherry nut plum
plate: biscuit sandwich
jar: cherry biscuit button
nest: bird swan stork
step: house church
map: island road forest
pair: shoe boot glove sock slipper
pile: book plate stone leaf
row: tree house chair
line: page song
part: story game
top: tree hill
side: box street"""
    )
)
WHOLES_OF_MANY = words("box bag basket sack bowl plate jar pair pile row")
ALWAYS_ONE = words("smell sound colour end top")
# what looks neither old nor new
UNSEEN = words("smell sound voice song name colour end story part")

WOMEN, MEN = words_of("NOUN", "person f"), words_of("NOUN", "person m")
ROLES = words(
    """girl boy woman man child girl boy woman man child baker farmer teacher sailor doctor nurse cook painter
    singer neighbour friend witch thief wizard princess prince gardener driver"""
)
# everybody without a name who may walk, wait, buy or win; each noun once
PEOPLE_AT_WORK = words(
    """girl boy woman man child baker beekeeper builder carpenter clerk cook customer dancer doctor driver
    farmer fisher gardener giant guest king knight librarian mayor miller neighbour nurse painter
    pirate player postman prince princess pupil queen robber runner sailor singer stranger tailor
    teacher thief twin visitor witch wizard writer"""
)
# animals that go on their feet, side by side with others
MOVERS = words(
    """badger bear beaver calf cat cow deer dog donkey duck elephant foal fox frog goat goose hare hedgehog
    hen horse kitten lamb lion lizard mole monkey mouse otter pig pony puppy rabbit sheep squirrel
    toad turtle weasel wolf"""
)
# things that one can take in one's hands
OBJECTS = tuple(
    noun
    for noun, thing in THINGS.items()
    if thing.kind in words("toy tool clothes paper small music house nature")
    and not (thing.mass or thing.pair or noun in words("nest leaf twig stick top rope rug pinecone acorn"))
)
PERSON_NOUNS = frozenset(word for kind in ("f", "m", "n") for word in words_of("NOUN", f"person {kind}"))
ANIMALS = frozenset(words_of("NOUN", "animal"))
SORTS_OF_ANIMALS = {
    "pet": words("dog cat puppy kitten rabbit"),
    "farm": words("horse cow pig sheep goat hen donkey goose pony chick lamb foal calf"),
    "bird": words("bird crow robin owl pigeon stork eagle"),
    "water": words("fish frog toad swan duck heron otter beaver turtle seal"),
    "small_animal": words("snail beetle butterfly ladybird bee worm spider fly"),
}
CHILDREN = frozenset(words("boy girl child twin pupil sister brother friend"))
HOMES = words("house house house castle")
BUILDINGS = words("shop house church barn school house castle bakery")
LAND = words("room street garden road field bridge town village cave beach kitchen bedroom")
# for whom some clothes are
WORN_BY = {
    **dict.fromkeys(words("dress skirt bonnet necklace brooch"), "f"),
    **dict.fromkeys(words("tie waistcoat"), "m"),
}


PLACES = frozenset(words_of("NOUN", "place")) - {"bank", "house"}  # a house of the tables is a thing in it
