"""Questions about an account: the text, who or what answers it, and the step that says so."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

from bertviz_lite.world.events.scene import Referent
from bertviz_lite.world.tasks.accounts import Plan, Step

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
