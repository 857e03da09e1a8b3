"""Sentences about an account, and what they are: "follows", "contradicts" or "neither"."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

from bertviz_lite.world.tasks.accounts import Plan

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
