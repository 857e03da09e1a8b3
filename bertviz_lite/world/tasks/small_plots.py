"""What happens in the texts of ``tasks``: small plots whose every turn is on record.

Left out: names of people and places (``task_names``), and which examples are drawn (``tasks``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import permutations

from bertviz_lite.world.english import Teller
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.scene import Referent, Scene, Setting
from bertviz_lite.world.events.tables import lines
from bertviz_lite.world.events.text import Sentence, Word
from bertviz_lite.world.events.town import PEOPLE, THINGS, places, things as nouns_of

Wording = tuple[str, dict[str, Referent], dict[str, str]]  # a text with slots, and what fills them

# How a text begins: A is the hero.
_OPENINGS = (
    "[A] <be!> [P.at]",
    "One $time [A] <be!> [P.at]",
    "[A] <be!> <wait.ing> [P.at]",
    "[A] <walk> [P.to]",
    "[A] <spend> the whole $time [P.at]",
    "When [A] <come> [P.to] , nobody <be.sg> there",
)
# What happens to A, by what A feels then; B is somebody who does it.
_HAPPENS = """
glad: [B] <give@B> [A.o] [T] as a present
  | [A] <get> [T] from [B.o]
  | [A] <win> the race
  | [A] <find> [T] [C.rel]
  | [A] <get> a medal made of gold
  | Everybody <clap.sg> loudly for [A.o]
  | [B] <mend@B> [A.np] $thing
sad: [A] <lose> [T] [P.at]
  | [A] <drop> [T] , and it <be.sg> broken
  | By accident [A] <break> [A.p!] own $thing
  | [A] <have!> lost the race
  | [A] <can> not <find.0> [A.p] $thing
  | [A.np] $thing <fall.sg> into the $water
  | [A] <be!> ill and <can> not <come.0> to the party
angry: [B] <say@B> something unkind to [A.o]
  | [B] <laugh@B> at [A.o]
  | [B] <take@B> [A.np] $thing away
  | [B] <do@B> not <give.0> the $thing back to [A.o]
  | [B] <hide@B> [A.np] $thing
  | " It is mine ! " <say@B> [B.n] to [A.o] , and <take@B> the $thing
afraid: In the dark [A] <hear> a loud noise
  | A wolf <run.sg> after [A.o]
  | [A] <see> a wolf [P.at]
  | There <be.sg> thunder and lightning near [A.o]
  | Something <move.sg> in the dark behind [A.o]
  | Suddenly it <be.sg> dark around [A.o]
"""
HAPPENS = {
    feeling: tuple(" ".join(text.split()) for text in body.split("|")) for feeling, body in lines(_HAPPENS)
}
FEELINGS = tuple(HAPPENS)


def felt(dice: Dice, label: str) -> tuple[str, str]:
    """Return a text whose hero, the person named first, has a feeling; and the hero's name.

    Parameters
    ----------
    dice
        The source of chance.
    label
        One of ``FEELINGS``.
    """
    while True:
        setting = Setting.drawn(dice)
        hero, other, third = dice.sample(PEOPLE, 3)
        scene = Scene(dice, setting, hero, other)
        a, b, c = scene.hero, scene.other, scene.person(third)
        course = [(dice.pick([feeling for feeling in FEELINGS if feeling != label]), b)]
        course.insert(dice.below(2), (label, a))
        opening = dice.pick(_OPENINGS), {"A": a, "P": _place(scene)}, {"time": setting.time}
        wordings = [opening, *(_happening(scene, feeling, whom, c) for feeling, whom in course)]
        teller = Teller(dice, present=dice.chance(0.3), referents=scene.referents)
        sentences = [teller.render(*wording) for wording in wordings]
        if _clear(sentences, (a, b, c)):
            return " ".join(map(str, sentences)), a.name


def _place(scene: Scene) -> Referent:
    return scene.place(scene.dice.pick(places("open", "wild", "public", "shop")))


def _happening(scene: Scene, feeling: str, a: Referent, b: Referent) -> Wording:
    """Draw what makes A feel so; return the wording with its roles and facts."""
    dice = scene.dice
    text = dice.pick(HAPPENS[feeling])
    roles = {"A": a, "B": b}
    if "[T" in text:
        roles["T"] = scene.thing("toy", "music", "small", many=False)
    if "[P" in text:
        roles["P"] = _place(scene)
    if "[C" in text:
        roles["C"] = scene.spot()
    thing = scene.thing("toy", "music", "clothes", many=False).noun
    return text, roles, {"thing": thing, "water": dice.pick(("lake", "river", "pond", "well"))}


# Accounts: who found, bought, gave and lost two things


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
class Told:
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


def tell(planned: Plan) -> Told | None:
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
    return Told(tuple(sentences), numbers) if _clear(sentences, planned.people) else None


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


def _clear(sentences: list[Sentence], people: Iterable[Referent]) -> bool:
    """Whether "the man" and "the baker" stand only for people who were introduced so."""
    chains = {person.chain for person in people}
    known = set()
    for sentence in sentences:
        for word in sentence.words:
            if word.entity in chains and word.pos == "NOUN":
                beside = sentence.words[max(0, word.index - 2) : word.index + 3]
                if any(other.name and other.entity == word.entity for other in beside):
                    known.add((word.entity, word.text))
                elif (word.entity, word.text) not in known:
                    return False
    return True


# Questions of one kind about a plan: the text, who or what answers it, and the step that says so

Questions = list[tuple[str, Referent | None, Step | None]]


def _who_has(planned: Plan) -> Questions:
    return [
        (f"Who has the {thing.noun} now?", planned.holder(thing), planned.of(thing)[-1])
        for thing in planned.things
    ]


def _by_whom(kind: str) -> Callable[[Plan], Questions]:
    def questions(planned: Plan) -> Questions:
        result: Questions = []
        for thing in planned.things:
            step = next(iter(planned.of(thing, kind)), None)
            result.append((f"Who {kind} the {thing.noun}?", step.who if step else None, step))
        return result

    return questions


def _where(kind: str) -> Callable[[Plan], Questions]:
    def questions(planned: Plan) -> Questions:
        result: Questions = []
        for thing in planned.things:
            step = next(iter(planned.of(thing, kind)), None)
            result.append((f"Where was the {thing.noun} {kind}?", step.where if step else None, step))
        return result

    return questions


def _who_gave(planned: Plan) -> Questions:
    questions: Questions = []
    for thing in planned.things:
        for person in planned.people:
            step = next((step for step in planned.of(thing, "gave") if step.to is person), None)
            questions.append(
                (f"Who gave the {thing.noun} to {person.name}?", step.who if step else None, step)
            )
    return questions


def _what_was_given(planned: Plan) -> Questions:
    questions: Questions = []
    for giver, taker in permutations(planned.people, 2):
        gave = [
            step for step in planned.steps if step.kind == "gave" and (step.who, step.to) == (giver, taker)
        ]
        if len(gave) < 2:
            step = gave[0] if gave else None
            questions.append(
                (f"What was given to {taker.name} by {giver.name}?", step.thing if step else None, step)
            )
    return questions


QUESTIONS: dict[str, Callable[[Plan], Questions]] = {
    "who has": _who_has,
    "who found": _by_whom("found"),
    "who bought": _by_whom("bought"),
    "where found": _where("found"),
    "where bought": _where("bought"),
    "who gave": _who_gave,
    "what was given": _what_was_given,
}

# Sentences of one kind about a plan, and what they are: "follows", "contradicts" or "neither"

Held = list[tuple[str, str]]


def _has(planned: Plan) -> Held:
    held: Held = [(f"{planned.stranger} has the {planned.other_thing} now.", "neither")]
    for thing in planned.things:
        holder, last = planned.holder(thing), planned.of(thing)[-1]
        for person in planned.people:
            if holder is None:
                label = "contradicts" if last.who is person else "neither"
            else:
                label = "follows" if holder is person else "contradicts"
            held.append((f"{person.name} has the {thing.noun} now.", label))
    return held


def _did(kind: str) -> Callable[[Plan], Held]:
    def held(planned: Plan) -> Held:
        deeds = [(planned.stranger, planned.other_thing, "neither")]
        for thing in planned.things:
            first = planned.of(thing)[0]
            if first.kind not in (kind, "gave"):
                continue
            for person in planned.people:
                # Of a thing that is there from the start the story does not tell where it came from.
                label = "neither" if first.kind == "gave" else "contradicts"
                label = "follows" if first.kind == kind and first.who is person else label
                deeds.append((person.name, thing.noun, label))
        active = [(f"{name} {kind} the {noun}.", label) for name, noun, label in deeds]
        return active + [(f"The {noun} was {kind} by {name}.", label) for name, noun, label in deeds]

    return held


def _at_the_place(planned: Plan) -> Held:
    result: Held = []
    spots = [step.where for step in planned.steps if step.kind == "found" and step.where is not None]
    for step in planned.steps:
        if step.kind != "found":
            continue
        for spot in spots:
            where = f"{spot.relation} the {spot.noun}"
            result.append((f"{planned.stranger} found the {planned.other_thing} {where}.", "neither"))
            for person in planned.people:
                label = (
                    "neither" if step.where is None else "follows" if step.where is spot else "contradicts"
                )
                label = label if person is step.who else "contradicts"
                result.append((f"{person.name} found the {step.thing.noun} {where}.", label))
    return result


def _gave(planned: Plan) -> Held:
    gifts: list[tuple[str, str, str, str]] = []
    for thing in planned.things:
        first = planned.of(thing)[0]
        pairs = [(step.who, step.to) for step in planned.of(thing, "gave")]
        for a, b in permutations(planned.people, 2):
            if (a, b) in pairs:
                gifts.append((a.name, thing.noun, b.name, "follows"))
                gifts.append((planned.stranger, planned.other_thing, b.name, "neither"))
            elif first.kind != "gave" and (b, a) in pairs:
                gifts.append((a.name, thing.noun, b.name, "contradicts"))
            elif first.kind == "gave" and b is first.who and a is not first.to:
                # Where the first owner had it from is not told.
                gifts.append((a.name, thing.noun, b.name, "neither"))
    given = [(f"{a} gave the {noun} to {b}.", label) for a, noun, b, label in gifts]
    return given + [(f"{b} got the {noun} from {a}.", label) for a, noun, b, label in gifts]


HYPOTHESES: dict[str, Callable[[Plan], Held]] = {
    "has": _has,
    "found": _did("found"),
    "bought": _did("bought"),
    "at the place": _at_the_place,
    "gave": _gave,
}
