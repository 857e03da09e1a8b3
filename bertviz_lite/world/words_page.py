"""The page of the town's words by kind, for readers who type sentences of their own.

``python -m bertviz_lite.world.words_page docs/words.md`` writes it. Left out: what a word means, but
for the words with two meanings.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from bertviz_lite.world.english.grammar import IRREGULAR, plural
from bertviz_lite.world.events.tables import entries
from bertviz_lite.world.events.town import PEOPLE, PETS, SENSES, THINGS, Person
from bertviz_lite.world.grammar.lexicon.words import comparison, kinds, words_of

_WIDTH = 110
_BEGINNING = """\
# The words of the town

The model of the town has read texts in these words and no others. Use them for sentences of your own, in any
of their forms: *kite, kites*; *open, opens, opened, opening*; *tall, taller, tallest*. A word that is not on
this page is unknown to the model: it is cut into word pieces, about which little was learned.
"""
_PEOPLE = {"person f": "Women and girls", "person m": "Men and boys", "person n": "Women or men"}
_NOUNS = {
    "place": "Places",
    "animal": "Animals",
    "part": "Parts of the body",
    "wear": "What people wear",
    "toy": "Toys",
    "tool": "Tools",
    "box": "Boxes and bags",
    "house": "Things of the house",
    "furniture": "Furniture",
    "vehicle": "What is ridden and pulled",
    "build": "What is built",
    "small": "Small things",
    "paper": "Things of paper",
    "music": "Instruments",
    "nature": "Things found outdoors",
    "food": "Food",
    "mass": "Not counted (*some bread, much snow*)",
    "plural": "Always plural",
    "thing": "Other nouns",
    "day": "Days",
    "season": "Seasons",
    "timeword": "Times of day, used as nouns",
}
_ADJECTIVES = {
    "colour": "Colours",
    "size": "Sizes",
    "material": "Materials",
    "weather": "Weather",
    "quality": "What things are like",
    "feeling": "What people are like and how they feel",
    "other": "Degrees and amounts",
}
_ADVERBS = {
    "time": "When",
    "freq": "How often",
    "manner": "How",
    "place": "Where",
    "degree": "How much, and the rest",
    "wh": "To ask",
}
_SMALL = {
    "DET": "Articles and other words before a noun",
    "PRON": "Pronouns",
    "AUX": "Auxiliaries and modal verbs",
    "ADP": "Prepositions",
    "CCONJ": "Conjunctions, between equals",
    "SCONJ": "Conjunctions, before a clause",
    "NUM": "Numbers",
    "ORD": "Ordinal numbers",
    "PART": "Particles",
    "INTJ": "Answers and greetings",
}
CONTRACTIONS = entries(
    """isn't, aren't, wasn't, weren't, haven't, hasn't, hadn't, don't, doesn't, didn't, can't, couldn't,
    won't, wouldn't, mustn't, shouldn't, I'm, you're, he's, she's, it's, we're, they're, I've, you've, we've,
    they've, I'll, you'll, he'll, she'll, it'll, we'll, they'll"""
)
_MORE_THAN_A_WORD = {"course": "of course", "thank": "thank you", "upside": "upside down"}
EXAMPLES = {
    "bank.river": "We sat on the bank of the river.",
    "bank.money": "She took her coins to the bank.",
    "bat.animal": "A bat flew out of the cave at night.",
    "bat.game": "He hit the ball with a wooden bat.",
    "bark.dog": "The loud bark of the dog woke me.",
    "bark.tree": "The bark of the old tree is rough.",
    "spring.season": "The birds build their nests in spring.",
    "spring.metal": "The clock stopped because its spring was broken.",
    "light.lamp": "There was a light in the window.",
    "light.weight": "The empty basket is light.",
    "ring.jewel": "She wears a gold ring on her finger.",
    "ring.sound": "The bells ring every Sunday.",
    "letter.mail": "The postman brought me a letter.",
    "letter.alphabet": "The word has four letters.",
    "match.game": "Our team won the match.",
    "match.fire": "He lit the candle with a match.",
    "nail.finger": "He bites his nails.",
    "nail.metal": "Hang the picture on a nail.",
    "trunk.tree": "The trunk of the tree was thick.",
    "trunk.elephant": "The elephant drinks with its trunk.",
    "wave.sea": "A big wave hit the boat.",
    "wave.hand": "The children wave to their friends.",
    "watch.clock": "My watch is slow.",
    "watch.look": "We watch the birds in the garden.",
}
"""A sentence for each meaning of the words with two."""


def page() -> str:
    """Return the page, in Markdown."""
    blocks = [
        _BEGINNING,
        "## People\n\nEach family has a home and a pet.\n",
        *_families(),
        *_lists(_PEOPLE, "NOUN"),
        "## Nouns\n",
        *_nouns(),
        "## Adjectives\n",
        *_lists(_ADJECTIVES, "ADJ"),
        *_comparisons(),
        "## Verbs\n",
        *_verbs(),
        "## Adverbs\n",
        *_lists(_ADVERBS, "ADV"),
        "## Small words\n",
        *_small_words(),
        "## Words with two meanings\n",
        *_meanings(),
    ]
    return "\n".join(blocks).rstrip() + "\n"


def _families() -> Iterator[str]:
    rows = []
    for family in sorted({person.family for person in PEOPLE}):
        people = [person for person in PEOPLE if person.family == family]
        pets = [f"{pet.name} the {pet.kind} ({_pronoun(pet.gender)})" for pet in PETS if pet.family == family]
        mother, father = ([one for one in people if one.job and one.gender == gender] for gender in "fm")
        children = [one for one in people if one.age == "child"]
        old = [one for one in people if one.age == "old"]
        cells = (
            _with_jobs(mother), _with_jobs(father), _with_pronouns(children), _with_pronouns(old),
            ", ".join(pets),
        )  # fmt: skip
        rows.append((family, people[0].home, *cells))
    yield from _table(("Family", "Home", "Mother", "Father", "Children", "Grandparent", "Pet"), rows)


def _pronoun(gender: str) -> str:
    return {"f": "she", "m": "he"}[gender]


def _with_jobs(people: Sequence[Person]) -> str:
    return ", ".join(f"{one.name}, {one.job}" for one in people)


def _with_pronouns(people: Sequence[Person]) -> str:
    return ", ".join(f"{one.name} ({_pronoun(one.gender)})" for one in people)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _paragraph(name: str, words: Iterable[str]) -> str:
    text = f"**{name}:** {', '.join(_MORE_THAN_A_WORD.get(word, word) for word in words)}"
    return "\n".join(wrap(text, _WIDTH, break_on_hyphens=False, break_long_words=False)) + "\n"


def _sorted(words: Iterable[str]) -> list[str]:
    return sorted(set(words), key=str.lower)


def _lists(names: dict[str, str], pos: str) -> Iterator[str]:
    for kind, name in names.items():
        yield _paragraph(name, _sorted(words_of(pos, kind)))


def _nouns() -> Iterator[str]:
    """Yield the nouns by kind; the table's many things by what the town knows them to be for."""
    shown: set[str] = set()
    for kind, name in _NOUNS.items():
        if kind in ("day", "season"):
            yield _paragraph(name, words_of("NOUN", kind))
            continue
        listed = words_of("NOUN", kind) or [
            word for word in words_of("NOUN", "thing") if word in THINGS and THINGS[word].kind == kind
        ]
        words = [word for word in listed if kind != "thing" or word not in shown]
        shown.update(words)
        yield _paragraph(name, _sorted(words))
    irregular = [
        f"{word} {plural(word)}" for word in _sorted(_counted()) if plural(word) not in _regular(word)
    ]
    yield _paragraph("Irregular plurals", irregular)


def _counted() -> Iterator[str]:
    for pos, kind in kinds():
        if pos == "NOUN" and kind not in ("mass", "plural", "day", "season", "timeword"):
            yield from words_of(pos, kind)


def _regular(noun: str) -> tuple[str, ...]:
    with_es = f"{noun}es" if noun.endswith(("s", "sh", "ch", "x")) else f"{noun}s"
    return f"{noun}s", with_es, f"{noun.removesuffix('y')}ies"


def _comparisons() -> Iterator[str]:
    forms = [" ".join((word, *(comparison(word) or ()))) for word in ("good", "bad")]
    yield _paragraph("Irregular comparison", forms)


def _verbs() -> Iterator[str]:
    verbs = _sorted(words_of("VERB"))
    yield _paragraph("Regular", [verb for verb in verbs if verb not in IRREGULAR])
    yield "**Irregular** (base form, past, participle):\n"
    rows = [" ".join((verb, *IRREGULAR[verb])) for verb in verbs if verb in IRREGULAR]
    across = 4
    down = -(-len(rows) // across)
    columns = [rows[start : start + down] for start in range(0, len(rows), down)]
    columns[-1] += [""] * (down - len(columns[-1]))
    yield from _table([" "] * across, zip(*columns, strict=True))


def _small_words() -> Iterator[str]:
    for pos, name in _SMALL.items():
        yield _paragraph(name, words_of(pos))
    yield _paragraph("Contractions", CONTRACTIONS)
    yield _paragraph("Marks", ('. , ? ! : "', "the apostrophe (*Anna's hat, the girls' hats*)"))


def _meanings() -> Iterator[str]:
    rows = [
        (word, sense.partition(".")[2], EXAMPLES[sense])
        for word, senses in SENSES.items()
        for sense in senses
    ]
    yield from _table(("Word", "Meaning", "Example"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page to the file that is named, ``docs/words.md`` where none is."""
    names = sys.argv[1:] if arguments is None else list(arguments)
    Path(names[0] if names else "docs/words.md").write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
