"""Who and what is in the scene of one pattern, and what is said of them: what its head declares."""

from __future__ import annotations

import re

from bertviz_lite.world.events.town import COLOURS, QUALITIES, SIZES
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.life.describing.drawing import Drawing, Drawn, UnclearError
from bertviz_lite.world.life.describing.relatives import is_placed
from bertviz_lite.world.life.describing.said import may_be_said, said
from bertviz_lite.world.life.making.telling import Telling

# what is done every day, or for a time
USUAL = re.compile(
    r"\b(?:every|often|usually|always|never|sometimes|hardly|seldom|twice a|once a|used to|whenever)\b"
    r"|\b(?:winter|summer)\b"
    r"|\b(?:on|in the) (?:\w+days|\w+ days|\w+ mornings|mornings|evenings|most)\b"
    r"|\bin the evening\b|\bat night\b"
    r"|\bmore often\b|\bhow often\b|use@"
)
LASTING = re.compile(
    r"\b(?:can|could|while|for an hour|been)\b|(?:like|love|begin|start|stop|go|need|be@\w able)@"
)


class Scene:
    """The scene of one pattern.

    Attributes
    ----------
    slots
        Who and what is in it, by letter.
    values
        What was drawn, by the name of its declaration: entries, words, numbers.
    owners
        The letter of whom an entry is said.
    """

    def __init__(self, telling: Telling, drawing: Drawing) -> None:
        self.telling = telling
        self.dice = telling.dice
        self.drawing = drawing
        self.slots: dict[str, Drawn] = {}
        self.values: dict[str, object] = {}
        self.owners: dict[str, str] = {}
        self.ways: dict[str, str] = {}
        self.body = ""

    @property
    def placed(self) -> bool:
        """Whether an entry tells where somebody or something is."""
        return any(is_placed(value) for value in self.values.values() if isinstance(value, str))

    def declare(self, item: str) -> None:
        """Draw what an item of a head declares: a slot, what is said of one, a word or a number."""
        name, sign, rest = item.partition(":")
        if sign and not name.startswith("$"):
            drawn = self._drawn(rest)
            self.slots[name] = drawn
            if drawn.speaks:
                self._speak(drawn)
            return
        if not item.startswith("$"):
            return
        name, _, value = item.partition("=")
        way, colon, letter = value.partition(":")
        if colon:
            self._declare_said(name, way, letter)
        elif ".." in value:
            low, high = value.split("..")
            self.values[name] = self._number(low) + self.dice.below(
                self._number(high) - self._number(low) + 1
            )
        elif re.fullmatch(r"\$\w+[-+*]\$?\w+", value):
            self.values[name] = self._number(value)
        else:
            self.values[name] = self.dice.pick(value.split("/")).replace("_", " ")

    def _declare_said(self, name: str, way: str, letter: str) -> None:
        """Draw what is said of a slot."""
        drawn = self.slots[letter]
        plain = way.rstrip("!")
        kinds, many = drawn.kinds, drawn.referent.many
        if plain in ("is", "does", "who") and (plain, kinds[0]) in said() and self.dice.chance(0.4):
            kinds = kinds[:1]
        try:
            if way == "is" and ("at", drawn.kinds[-1]) in said() and self.dice.chance(0.22):
                plain, kinds = "at", drawn.kinds
            entries = may_be_said(plain, kinds, many=many)
        except ValueError:
            raise UnclearError from None
        if plain == "does":
            entries += self._doings(name, kinds, many)
        if way.endswith("!"):
            entries = tuple(entry for entry in entries if not is_placed(entry)) or entries
        if re.search(r"@[A-Z]{2}", self.body):  # of two: no hands of one of them
            entries = tuple(entry for entry in entries if "R's" not in entry) or entries
        used = {value for value in self.values.values() if isinstance(value, str)}
        free = [entry for entry in entries if entry not in used] or list(entries)
        chosen = self.dice.pick(free)
        _without_its_like(drawn.referent, chosen)
        self.values[name] = chosen
        self.owners[chosen] = letter
        self.ways[chosen] = plain

    def _doings(self, name: str, kinds: tuple[str, ...], many: bool) -> tuple[str, ...]:
        """Return doings of a moment, unless one is in the midst of them, or of every day where it says so."""
        uses = re.findall(rf"{re.escape(name)}(?:@[A-Z=a-z]+|\.[a-z]+)", self.body)
        finite = any("@" in use for use in uses)
        midst = any(use.endswith((".ing", "=present")) for use in uses) or LASTING.search(self.body)
        if USUAL.search(self.body):
            ways: tuple[str, ...] = ("usual",)
        elif midst or (self.telling.tense == "present" and finite):
            return ()
        else:
            ways = ("once", "mishap") if all("@" in use or use.endswith(".pp") for use in uses) else ("once",)
        found: tuple[str, ...] = ()
        for way in ways:
            if any((way, kind) in said() for kind in kinds):
                found += may_be_said(way, kinds, many=many)
        return found

    def _drawn(self, wanted: str) -> Drawn:
        """Return somebody or something that is not what another slot is."""
        if wanted.startswith("~"):  # of the sort of another: ~A
            like, _, number = wanted[1:].partition(".")
            kinds = self.slots[like].kinds
            sort = kinds[0] if kinds[0] == "clothes" else kinds[1]
            wanted = f"{sort}.{number}" if number else sort
        wanted = self._with_number(wanted)
        others = {one.referent.noun for one in self.slots.values()}
        drawn = self.drawing.draw(wanted)
        if drawn.referent.noun in others - {""} and not drawn.referent.name:
            raise UnclearError
        return drawn

    def _with_number(self, wanted: str) -> str:
        """Return a type with the number that ``.even`` or ``.otherA`` asks for."""
        kinds, _, asked = wanted.rpartition(".")
        number = self.dice.pick(("sg", "pl")) if asked == "even" else ""
        if re.fullmatch(r"other[A-Z]", asked):
            number = "sg" if self.slots[asked[-1]].referent.many else "pl"
        if number:
            return "/".join(f"{kind.partition('.')[0]}.{number}" for kind in kinds.split("/"))
        return wanted

    def _speak(self, drawn: Drawn) -> None:
        one = drawn.referent.members[0] if drawn.referent.members else drawn.referent
        if drawn.speaks == "you":
            self.telling.phrases.addressee = one
        else:
            self.telling.phrases.speaker = one

    def _number(self, text: str) -> int:
        for sign in "-+*":
            left, found, right = text.partition(sign)
            if found:
                a, b = self._number(left), self._number(right)
                return a - b if sign == "-" else a + b if sign == "+" else a * b
        return int(self.values[text]) if text.startswith("$") else int(text)  # type: ignore[call-overload]

    def check_pronouns(self, body: str) -> None:
        """Refuse a scene in which a pronoun of the pattern could be another's."""
        wanted = set(re.findall(r"\b([A-Z])\.(?:he|him|his|hers)\b", body))
        person = self.telling.phrases.person
        shown = [letter for letter in self.slots if re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", body)]
        for letter in wanted:
            mine = self.slots[letter].referent
            for other in shown:
                theirs = self.slots[other].referent
                if other != letter and person(mine).person == 3 and person(theirs).person == 3:
                    same = mine.pronoun == theirs.pronoun
                    if same or (mine.many and theirs in mine.members):
                        raise UnclearError


def _without_its_like(referent: Referent, said_of: str) -> None:
    """Take out looks of the kind that is said: no *old hat is new*, no *hungry cat is hungry*."""
    words = said_of.split()
    referent.adjectives = tuple(word for word in referent.adjectives if word not in words)
    for looks in (COLOURS, (*SIZES, "tall", "long", "short"), (*QUALITIES, "young", "beautiful")):
        if any(word in looks for word in words):
            referent.adjectives = tuple(word for word in referent.adjectives if word not in looks)
