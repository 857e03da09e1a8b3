"""Whom and what a story speaks of, and the words by which each can be called."""

from __future__ import annotations

from dataclasses import dataclass

from bertviz_lite.world.chinese.grammar.drafts import Draft, draft_of
from bertviz_lite.world.chinese.grammar.notation import Slot
from bertviz_lite.world.chinese.grammar.text import Being
from bertviz_lite.world.chinese.lexicon import TITLES, entry, kinship, names, of_class, surnames
from bertviz_lite.world.events.dice import Dice


@dataclass(slots=True)
class Actor:
    """Somebody or something: ``keys`` are the words of its name, ``role`` is the kind it was drawn from."""

    number: int
    kind: str
    gender: str
    keys: tuple[str, ...]
    role: str = ""
    owner: int | None = None
    members: tuple[int, ...] = ()

    @property
    def noun(self) -> str:
        """The word at its head, which a classifier goes by."""
        return self.keys[-1]

    @property
    def pronoun(self) -> str:
        """他, 她, 它, 他们, 她们 or 它们."""
        return self.being().pronoun

    @property
    def noun_again(self) -> bool:
        """Whether it is called by its noun again, rather than by a pronoun: 妈妈, 李老师, 小狗."""
        return self.kind != "group" and entry(self.noun).pos == "NOUN"

    @property
    def shows_gender(self) -> bool:
        """Whether a reader can tell 他 from 她 by its name: 小红 and 爷爷 say it, 李老师 does not."""
        return self.kind != "person" or any(entry(key).classes & {"m", "f"} for key in self.keys)

    def being(self) -> Being:
        """Return it as a story shows it."""
        called = "".join(entry(key).text for key in self.keys)
        return Being(self.number, self.kind, self.gender, called, self.members)

    def drafts(self) -> list[Draft]:
        """Return its name or noun, word by word."""
        return [draft_of(entry(key), self.number) for key in self.keys]


def _alike(name: str, others: set[str]) -> bool:
    """Return whether a child could be mistaken for another: 小丽 and 丽丽."""
    return any(set(name) & set(other) - {"小", "大"} for other in others)


class Cast:
    """Who and what is in one story, by letter and by number."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.actors: list[Actor] = []
        self.labels: dict[str, int] = {}

    def __getitem__(self, number: int) -> Actor:
        return self.actors[number]

    def number_of(self, slot: Slot) -> int:
        """Return the number behind a slot; whoever is new is drawn.

        Raises
        ------
        ValueError
            Where a letter was never introduced.
        """
        if len(slot.letters) > 1:
            return self._group(tuple(self._labelled(letter) for letter in slot.letters))
        (letter,) = slot.letters
        if slot.kind and letter not in self.labels:
            self._draw(letter, slot)
        return self._labelled(letter)

    def named(self, label: str, key: str) -> int:
        """Return the number of what a written word names; a name given to somebody known is taken on."""
        if "+" in label:
            return self._group(tuple(self._labelled(letter) for letter in label.split("+")))
        word = entry(key)
        if label not in self.labels:
            lives = "person" if word.classes & {"person", "child"} else "thing"
            animate = "animal" if "animal" in word.classes else lives
            either = self.dice.pick("mf") if animate == "person" else "n"
            gender = next((sign for sign in "mf" if sign in word.classes), either)
            self._add(label, Actor(len(self.actors), animate, gender, (key,), key))
        elif word.pos == "PROPN":
            self[self.labels[label]].keys = (key,)
        return self.labels[label]

    def label(self, letter: str, number: int) -> None:
        """Call somebody known by another letter, too."""
        self.labels[letter] = number

    def children(self) -> list[Actor]:
        """Return the children so far."""
        return [actor for actor in self.actors if actor.role == "child"]

    def _labelled(self, letter: str) -> int:
        if letter not in self.labels:
            raise ValueError(f"{letter} was never introduced")
        return self.labels[letter]

    def _add(self, label: str, actor: Actor) -> None:
        self.actors.append(actor)
        self.labels[label] = actor.number

    def _group(self, members: tuple[int, ...]) -> int:
        for actor in self.actors:
            if actor.members == members:
                return actor.number
        genders = {self[member].gender for member in members}
        gender = "m" if "m" in genders else "f" if "f" in genders else "n"
        keys = tuple(key for member in members for key in self[member].keys)
        number = len(self.actors)
        self.actors.append(Actor(number, "group", gender, keys, "group", members=members))
        return number

    def _draw(self, letter: str, slot: Slot) -> None:
        owner = self._labelled(slot.owner) if slot.owner else None
        used = {key for actor in self.actors for key in actor.keys}
        if slot.owner:
            noun, gender = kinship(slot.kind)
            keys: tuple[str, ...] = (noun,)
            kind = "person"
        elif slot.kind == "child":
            gender = slot.gender or self.dice.pick("mf")
            keys, kind = (
                (self.dice.pick([name for name in names("child", gender) if not _alike(name, used)]),),
                "person",
            )
        elif slot.kind in TITLES:
            title, genders = TITLES[slot.kind]
            gender = slot.gender or self.dice.pick(genders)
            keys, kind = (self.dice.pick([name for name in surnames() if name not in used]), title), "person"
        else:
            key = self.dice.pick(
                [noun for noun in of_class(slot.kind) if noun not in used and entry(noun).pos == "NOUN"]
            )
            kind = "animal" if "animal" in entry(key).classes else "thing"
            keys, gender = (key,), "n"
        self._add(letter, Actor(len(self.actors), kind, gender, keys, slot.kind, owner))
