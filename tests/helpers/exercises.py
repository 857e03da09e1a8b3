"""All exercises of the course, and answers to them as a reader would give them."""

import importlib
import pkgutil

import pytest

import bertviz_lite.chapters
from bertviz_lite.exercises import Exercise

CHAPTERS = sorted(
    module.name
    for module in pkgutil.iter_modules(bertviz_lite.chapters.__path__)
    if module.name.startswith("chapter_")
)


def exercises_of(chapter: str) -> dict[str, Exercise]:
    """Find the exercises of a chapter by the names that its notebook uses."""
    module = importlib.import_module(f"bertviz_lite.chapters.{chapter}.exercises")
    return {name: value for name, value in vars(module).items() if isinstance(value, Exercise)}


ALL = [
    pytest.param(exercise, name, id=f"{chapter}-{name}")
    for chapter in CHAPTERS
    for name, exercise in exercises_of(chapter).items()
]


def is_question(exercise: Exercise) -> bool:
    """Whether an exercise is answered by a value."""
    return exercise.cases is None


def answer_of(exercise: Exercise, answer: object) -> object:
    """Make the answer that a reader would give: for a question, the value itself."""
    return answer() if is_question(exercise) and callable(answer) else answer


def own_answer(exercise: Exercise) -> object:
    """Answer as the solution does, in a function or class of one's own."""
    reference = exercise.reference
    if is_question(exercise):
        return reference()
    if isinstance(reference, type):
        return type("Mine", (reference,), {})

    def mine(*given: object) -> object:
        return reference(*given)

    return mine
