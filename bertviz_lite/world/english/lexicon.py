"""The part of speech and the lemma of every word that English wordings and facts write out.

Only words in use stand here: an unknown word is refused, by name, so that no word goes without its marks.
Forms of verbs in slots such as ``<pick>`` come from ``grammar``.

Left out: a second part of speech for a word; "paper" is always an adjective here. What facts write only in
the plural, such as "lettuces", stands so and counts as singular.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from bertviz_lite.world.english.grammar import plural, verb
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.town import (
    ANIMALS,
    COLOURS,
    DAYS,
    PEOPLE,
    PETS,
    PLACES,
    QUALITIES,
    SENSES,
    SIZES,
    THINGS,
)

# Nouns stand in the singular; their plurals are known, too. What the town itself has is added below.
_WORDS = {
    "NOUN": """
        accident afternoon alphabet answer apricots autumn baby baking bandage basketful bean bear bees
        berry birch bird birthday blackberries bow boy branch breakfast brick brother bumblebee bus bush
        butter cabbages camping care carpet castle chain child circus clarinet class clerk climbing
        cloud cooking crash crowd crumb customer cycling daisies dancing daughter day deck door dough
        dragon dragonfly drawing dream dust ear elephant elf end envelope evening exchange eye family
        farm father finger fire fish fishing flame floor flour foam friend front fun fur game gardening
        gate giant gingerbread girl glue goal granddaughter grandfather grandmother grandson grapes
        grass grasshopper hand heart help hide-and-seek hiking hole homework hour house husband ink
        juggling jumping kindness king kitten knee knight knitting laughing leg lesson lettuces lid
        lighthouse lightning loaf lot man marching mast mattress medicine mermaid middle minute money
        moon morning moss moth mother mud music name net night noise oak organ oven page paint parcel
        party path people piece pirate plank plant player pliers poem present prince princess pudding
        puddle pumpkins puppy queen question queue race radishes rain rainbow raspberries reading reeds
        rest ribbon riding river road robber rock roof room row rowing runner running sailing sand
        scissors screw screwdriver sea seed sewing ship shop silence singing sister skating skiing sky
        sleep sleeve slice smell snow snowman soap son song sound sparrow spoonful stage stairs star
        start storm story strawberries street string stroke sugar summer sun sunflowers supper surprise
        swimming tail tape tart team thief thing thread throat thumb thunder time toe towel tower town
        toy train tree trifle tulips tune turn twin village wall walnuts way weather weaving wedding
        weed week wheel whistling wife wind window wing winter wire witch wizard woman wood wool word
        work wrestling wrist writing year zoo
    """,
    "ADJ": """
        afraid ancient angry ashamed asleep beautiful bigger blind bored brave braver bravest bright
        broken calm charming cheaper cheerful chilly clean clever cloudy clumsy cold cool curious dark
        delicious delighted dirty dry easy elegant empty excited expensive faster fastest favourite
        flying foggy folded fresh friendly frightened frosty full funny glad gloomy good half handsome
        happy heavier heavy hollow honest hopeful hot hungry ill kind kinder kindest lonely lonesome
        longer loose lost loud lucky magic magnificent many merry mild misty modern muddy naughty
        nervous older oldest open ordinary other own perfect pleased precious proud quiet rainy
        remarkable returned ripe rough round rusty sad safe same sharp short shut shy silent sleepy slow
        smooth snowy soft sore sorry sour special square steep stormy strong stronger strongest stuck
        sturdy sunny surprised sweet talking tall taller tallest thankful thick thin thirsty tidy tired
        unhappy unkind unlucky unopened unripe untidy unusual upset useful useless warm washed wet whole
        wild windy wise wonderful worried young younger youngest
    """,
    "ADV": """
        again alone aloud already always anywhere away back best better bravely carefully cheerfully
        early enough even ever everywhere far fast first gently happily hard here high home how kindly
        last late later long loudly more neither never next now nowhere only patiently politely proudly
        quickly quietly rather slowly softly soon still suddenly then there tightly today together
        tomorrow too twice very where why
    """,
    "ADP": """
        about above across against along among around at behind beside between by down for from in
        inside into like near of on onto out over through under up with without
    """,
    "DET": "a all an another any both each every no some that the this what whose",
    "PRON": """
        anything everybody everything her his i it its me mine my myself nobody none nothing one ones
        something their them us who you
    """,
    "NUM": "five four six ten three twelve twenty two",
    "AUX": "am be been is may was will",
    "CCONJ": "and but nor",
    "SCONJ": "after although as because before if once since so than until when whether while",
    "PART": "'s not to",
    "INTJ": "goodbye hello please well",
}
_VERBS = {
    "base": """
        bake build buy carry come cry find fly get hurt leave let lift look make mend play read run see
        stay stop tell thank travel use visit walk want win write
    """,
    "participle": "call feed go learn leave make see",
}
_AUXILIARIES = {"be": "am is are was were been be being", "have": "has have had", "do": "do does did"}


def _parts_of_speech() -> dict[str, str]:
    table = {word: tag for tag, text in _WORDS.items() for word in words(text)}
    adjectives = [*COLOURS, *SIZES, *QUALITIES]
    adjectives += [material for thing in THINGS.values() for material in thing.materials]
    nouns = [*THINGS, *ANIMALS["wild"], *ANIMALS["farm"], *SENSES]
    nouns += [place.noun for place in PLACES] + [pet.kind for pet in PETS]
    nouns += [person.job for person in PEOPLE if person.job]
    for tag, additions in (("ADJ", adjectives), ("NOUN", nouns)):
        for word in additions:
            table.setdefault(word.partition(".")[0], tag)
    return table


POS = _parts_of_speech()
_SINGULARS = {plural(noun): noun for noun, tag in POS.items() if tag == "NOUN" and noun != "stairs"}
_VERB_FORMS = {verb(base, form): (base, form) for form, text in _VERBS.items() for base in words(text)}
_AUXILIARY_OF = {form: base for base, forms in _AUXILIARIES.items() for form in words(forms)}


class Entry(NamedTuple):
    """A word with the marks that do not depend on the sentence; see ``text.Word`` for what they mean."""

    text: str
    lemma: str
    pos: str
    form: str | None = None
    sense: str | None = None


@cache
def look_up(token: str) -> Entry:
    """Return the entry of a word; ``bank.river`` is a word with its sense.

    Raises
    ------
    ValueError
        Where the word has no part of speech, or not this sense.

    Examples
    --------
    >>> look_up("branches")
    Entry(text='branches', lemma='branch', pos='NOUN', form='plural', sense=None)
    >>> look_up("nails.metal")
    Entry(text='nails', lemma='nail', pos='NOUN', form='plural', sense='nail.metal')
    """
    word, _, meaning = token.partition(".") if len(token) > 1 else (token, "", "")
    lemma, pos, form = _analysed(word)
    if not meaning:
        return Entry(word, lemma, pos, form)
    sense = f"{lemma}.{meaning}"
    if sense not in SENSES.get(lemma, ()):
        raise ValueError(f"the word {word!r} has no sense {meaning!r}: see SENSES in town.py")
    return Entry(word, lemma, "ADJ" if sense == "light.weight" else pos, form, sense)


@cache
def look_up_all(text: str) -> tuple[Entry, ...]:
    """Return the entries of all words of a text."""
    return tuple(look_up(word) for word in text.split())


def _analysed(word: str) -> tuple[str, str, str | None]:
    """Return lemma, part of speech and form."""
    lower = word.lower()
    if not lower[0].isalpha() and lower != "'s":
        return word, "PUNCT", None
    if word in DAYS:
        return word, "PROPN", "singular"
    if lower in _SINGULARS:
        return _SINGULARS[lower], "NOUN", "plural"
    if lower in POS:
        tag = POS[lower]
        lemma = "a" if lower == "an" else _AUXILIARY_OF.get(lower, lower)
        return lemma, tag, "singular" if tag == "NOUN" else None
    if lower in _VERB_FORMS:
        base, form = _VERB_FORMS[lower]
        return base, "VERB", form
    raise ValueError(f"the word {word!r} has no part of speech: add it to the lists of lexicon.py")
