"""A sequence that makes its items when they are asked for behaves as a tuple of them."""

from __future__ import annotations

from functools import partial

import pytest

from bertviz_lite.basics.read_later import ReadLater


def test_only_what_is_asked_for_is_made_and_only_once() -> None:
    made: list[int] = []

    def make(number: int) -> str:
        made.append(number)
        return str(number)

    items = ReadLater(partial(make, number) for number in range(5))
    assert len(items) == 5
    assert made == []
    assert (items[3], items[-2], items[3]) == ("3", "3", "3")
    assert made == [3]
    assert items[1:4] == ("1", "2", "3")
    assert list(items) == list("01234")
    assert sorted(made) == [0, 1, 2, 3, 4]
    with pytest.raises(IndexError):
        items[5]


def test_what_fails_is_tried_again() -> None:
    tries: list[int] = []

    def make() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("not yet")
        return "made"

    items = ReadLater([make])
    with pytest.raises(ValueError, match="not yet"):
        items[0]
    assert items[0] == "made"
