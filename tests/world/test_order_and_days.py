"""Texts of order and of days: who is in front, who has it now, and time words that agree with the verb."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.life.describing.reading import patterns
from bertviz_lite.world.life.describing.writing import write
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.vocabulary import words

TIMES = 4


def texts(table: str) -> list[str]:
    """Return texts of every pattern of a table."""
    found = []
    for place, pattern in enumerate(dict.fromkeys(patterns()[table])):
        for number in range(TIMES):
            telling = Telling(Dice(f"{table}/{place}/{number}"))
            write(telling, pattern)
            found.append(" ".join(map(str, telling.sentences)))
    return found


@pytest.mark.parametrize("table", ["order", "days"])
def test_every_pattern_is_told_in_the_towns_words(table: str) -> None:
    known = set(words())
    for text in texts(table):
        assert set(re.findall(r"[^\W\d_]+", text.lower())) <= known, text


def test_one_is_in_front_as_often_as_behind() -> None:
    pattern = next(pattern for pattern in patterns()["order"] if "in front walk@B" in pattern.body)
    told: Counter[str] = Counter()
    for number in range(200):
        telling = Telling(Dice(f"front/{number}"))
        write(telling, pattern)
        told.update(
            re.findall(r"^(?:In|The one in) front|^Behind|^The one behind", str(telling.sentences[-1]))
        )
    front = told["In front"] + told["The one in front"]
    assert 0.35 < front / sum(told.values()) < 0.65


def test_who_follows_is_behind() -> None:
    pattern = next(pattern for pattern in patterns()["order"] if "in front walk@B" in pattern.body)
    for number in range(200):
        telling = Telling(Dice(f"front/{number}"))
        write(telling, pattern)
        first, second = (str(sentence) for sentence in telling.sentences)
        led = re.search(
            r" (?:leads|led) .*?(\w+) (?:through|over|along|across|down|up|into|around|to) ", first
        )
        if led and re.match(r"(Behind|In front) walk", second):
            assert (led[1] in second) == second.startswith("Behind"), (first, second)


def test_what_was_needed_is_told_of_the_day_before() -> None:
    pattern = next(pattern for pattern in patterns()["days"] if "need@A B for" in pattern.body)
    for number in range(60):
        telling = Telling(Dice(f"party/{number}"))
        write(telling, pattern)
        text = str(telling.sentences[-1])
        before = re.search(r"yesterday|last|ago", text.lower()) is not None
        assert before == bool(re.search(r"needed|wanted", text)), text
