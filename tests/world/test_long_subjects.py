"""Verbs agree with long subjects: *A or B*, *A with two Bs*, *each of the As*, *A's picture of three Bs*."""

from __future__ import annotations

import pytest

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.life.describing.reading import Pattern, patterns
from bertviz_lite.world.life.describing.writing import write
from bertviz_lite.world.life.making.telling import Telling


def texts_of(head: str, body: str, number: int = 12) -> list[str]:
    """Return texts of one pattern."""
    found = []
    for index in range(number):
        telling = Telling(Dice(f"long subject/{index}"))
        write(telling, Pattern(tuple(head.split()), body, "subjects"))
        found.append(str(telling.sentences[0]))
    return found


@pytest.mark.parametrize(
    "body",
    [
        "B.the or A.the be@A here .",
        "neither B.the nor A.the be@A here .",
        "A.the , and not B.the , be@A here .",
        "A.the that B.the see@B be@A here .",
    ],
)
def test_a_verb_agrees_with_the_one_that_it_is_said_of(body: str) -> None:
    seen = set()
    for text in texts_of("A:cat.even B:dog.otherA present", body):
        many = "cats" in text
        assert ("are here" in text) == many, text
        assert ("dogs" in text) != many, text
        seen.add(many)
    assert seen == {True, False}


def test_every_line_of_long_subjects_can_be_told() -> None:
    for place, pattern in enumerate(dict.fromkeys(patterns()["subjects"])):
        telling = Telling(Dice(f"line/{place}"))
        write(telling, pattern)
        assert telling.sentences


def test_the_verb_after_what_somebody_wants_agrees_with_what() -> None:
    telling = Telling(Dice("what"))
    write(
        telling,
        Pattern(("A:boy.pl", "B:hat.pl", "present"), "what A.the want@A is some B.bare .", "subjects"),
    )
    sentence = telling.sentences[0]
    verb = next(word for word in sentence.words if word.text == "is")
    assert verb.subject is not None
    assert sentence.words[verb.subject].text.lower() == "what"
