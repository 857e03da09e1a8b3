"""Short stories about two things: who found, bought, gave and lost them, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from bertviz_lite.world.english import Teller
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.scene import Referent, Scene, Setting
from bertviz_lite.world.events.tables import lines
from bertviz_lite.world.events.text import Sentence, Word
from bertviz_lite.world.events.town import PEOPLE, THINGS, places, things as nouns_of
from bertviz_lite.world.tasks.mentions import is_clear

Wording = tuple[str, dict[str, Referent], dict[str, str]]  # a text with slots, and what fills them

_WORDINGS = """
found: [A] <find> [T] [C.rel]
  | [A] <discover> [T] [C.rel]
  | [T] <be!> <find.en> [C.rel] by [A.o]
  | Then [A] <find> [T] [C.rel]
found, no place: [A] <find> [T]
  | Suddenly [A] <find> [T]
  | [T] <be!> <find.en> by [A.o]
bought: [A] <buy> [T] [P.at]
  | [A] <choose> [T] [P.at] and <buy> [T.him]
  | [T] <be!> <buy.en> [P.at] by [A.o]
bought, no place: [A] <buy> [T] for five coins
  | Then [A] <buy> [T]
gave: [A] <give> [T] to [B.o]
  | [A] <give> [B.o] [T.the]
  | [B] <get@B> [T.the] from [A.o]
  | [T.the] <be!> <give.en> to [B.o] by [A.o]
  | Later [A] <give> [T] to [B.o]
  | [A] <hold> out [T.the] , and [B] <take@B> [T.him]
lost: [A] <lose> [T.the] [P.at]
  | Then [A] <lose> [T.the]
  | [A] <can> not <find.0> [T.the] anywhere
  | [A] <say> that [A.he!] <have!> lost [T.the]
opening: [A] <be!> [P.at]
  | [A] <walk> [P.to]
  | [A] <spend> the whole $time [P.at]
  | [A.n] and [B.n] <be@G!> good friends
  | [A] <be!> <wait.ing> [P.at]
"""
_TEXTS = {kind: tuple(" ".join(text.split()) for text in body.split("|")) for kind, body in lines(_WORDINGS)}


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happens to a thing.

    Attributes
    ----------
    kind
        found, bought, gave or lost.
    who, thing
        Who does it, and with what.
    to
        Who gets the thing.
    where
        The spot or place, if it is told.
    """

    kind: str
    who: Referent
    thing: Referent
    to: Referent | None = None
    where: Referent | None = None


@dataclass(frozen=True)
class Plan:
    """What happens to two things, in order, before it is put into sentences.

    ``stranger`` is the name of somebody, ``other_thing`` a noun, that have no part in it.
    """

    scene: Scene
    things: tuple[Referent, ...]
    steps: tuple[Step, ...]
    stranger: str
    other_thing: str

    @property
    def people(self) -> list[Referent]:
        """Those who take part."""
        return list(dict.fromkeys(person for step in self.steps for person in (step.who, step.to) if person))

    def of(self, thing: Referent, kind: str = "") -> list[Step]:
        """Return the steps of a thing, of one kind or of all."""
        return [step for step in self.steps if step.thing is thing and kind in ("", step.kind)]

    def holder(self, thing: Referent) -> Referent | None:
        """Return who has a thing at the end; None where it is lost."""
        last = self.of(thing)[-1]
        return None if last.kind == "lost" else last.to or last.who


def plan(dice: Dice) -> Plan:
    """Draw what three people do with two things."""
    scene = Scene(dice, Setting.drawn(dice), *dice.sample(PEOPLE, 2))
    known = (scene.hero.name, scene.other.name)
    third = dice.pick([person for person in PEOPLE if person.name not in known])
    people = (scene.hero, scene.other, scene.person(third))
    kinds = ("toy", "music", "small", "house", "paper", "tool")
    things = tuple(scene.thing(*kinds, many=False) for _ in range(2))
    courses = [_course(scene, people, thing) for thing in things]
    steps: list[Step] = []
    while any(courses):
        steps.append(dice.pick([course for course in courses if course]).pop(0))
    present = {person.name for person in people}
    stranger = dice.pick([person.name for person in PEOPLE if person.name not in present])
    taken = [thing.noun for thing in things]
    other_thing = dice.pick(
        [noun for noun in nouns_of(*kinds) if noun not in taken and not THINGS[noun].pair]
    )
    return Plan(scene, things, tuple(steps), stranger, other_thing)


def _course(scene: Scene, people: tuple[Referent, ...], thing: Referent) -> list[Step]:
    """Draw what happens to one thing: found, bought or there from the start, then given or lost."""
    dice = scene.dice
    holder = dice.pick(people)
    steps = []
    origin = dice.pick(("found", "found", "bought", "bought", "there"))
    if origin == "found":
        steps.append(Step("found", holder, thing, where=scene.spot() if dice.chance(0.7) else None))
    elif origin == "bought":
        steps.append(Step("bought", holder, thing, where=_shop(scene) if dice.chance(0.7) else None))
    if not steps or dice.chance(0.6):
        to = dice.pick([person for person in people if person is not holder])
        steps.append(Step("gave", holder, thing, to=to))
        holder = to
    if dice.chance(0.25):
        steps.append(Step("lost", holder, thing, where=_free_place(scene, places("open", "wild"))))
    return steps


def _shop(scene: Scene) -> Referent:
    return _free_place(scene, [*places("shop"), "harbour", "station", "square"])


def _free_place(scene: Scene, nouns: list[str]) -> Referent:
    taken = [referent.noun for referent in scene.referents if referent.kind == "place"]
    return scene.place(scene.dice.pick([noun for noun in nouns if noun not in taken]))


@dataclass(frozen=True)
class Account:
    """A plan in sentences; ``of`` says which sentence tells a step."""

    sentences: tuple[Sentence, ...]
    of: dict[Step, int]

    def __str__(self) -> str:
        return " ".join(map(str, self.sentences))

    def span(self, referent: Referent, step: Step) -> tuple[int, int]:
        """Return the characters that name someone or something, in a step's sentence or before."""
        for number in range(self.of[step], -1, -1):
            sentence = self.sentences[number]
            shift = sum(len(str(earlier)) + 1 for earlier in self.sentences[:number])
            for word in reversed(sentence.words):
                if word.entity == referent.chain and _names(word, referent):
                    # Of a place "in the garden", of a spot "under the bed".
                    first = word.index - 2 if referent.kind in ("spot", "place") else word.index
                    return shift + sentence.spans[first][0], shift + sentence.spans[word.index][1]
        raise ValueError(f"the text does not name {referent.name or referent.noun}")


def _names(word: Word, referent: Referent) -> bool:
    return word.name is not None if referent.name else word.pos == "NOUN"


def tell(planned: Plan) -> Account | None:
    """Tell a plan; None where some noun would leave open whom it means."""
    scene = planned.scene
    dice = scene.dice
    opens = dice.chance(0.4)
    first = _opening(scene, planned.people) if opens else None
    teller = Teller(dice, present=dice.chance(0.3), referents=scene.referents)
    sentences = [teller.render(*first)] if first else []
    numbers = {}
    for step in planned.steps:
        numbers[step] = len(sentences)
        sentences.append(_tell(dice, teller, step, first=not sentences))
    return Account(tuple(sentences), numbers) if is_clear(sentences, planned.people) else None


def _opening(scene: Scene, people: list[Referent]) -> Wording:
    a, b = (scene.dice.sample(people, 2) * 2)[:2] if len(people) > 1 else people * 2
    place = _free_place(scene, places("room", "open", "wild"))
    roles = {"A": a, "B": b, "G": scene.group(a, b), "P": place}
    wordings = [text for text in _TEXTS["opening"] if a is not b or "[B" not in text]
    return scene.dice.pick(wordings), roles, {"time": scene.setting.time}


def _tell(dice: Dice, teller: Teller, step: Step, *, first: bool) -> Sentence:
    placed = step.kind in ("gave", "lost") or step.where is not None
    wordings = list(_TEXTS[step.kind if placed else f"{step.kind}, no place"])
    if first:  # nothing to go on from
        wordings = [text for text in wordings if not text.startswith(("Then ", "Later ", "Suddenly "))]
    roles = {"A": step.who, "T": step.thing}
    if step.to is not None:
        roles["B"] = step.to
    if step.where is not None:
        roles["C" if step.where.kind == "spot" else "P"] = step.where
    return teller.render(dice.pick(wordings), roles, {})
