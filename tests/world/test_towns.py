"""Towns by name: the course's own is the default, another one writes its own, an unknown one is refused."""

from __future__ import annotations

import pytest

from bertviz_lite.world import life, minimal_pairs, stories, story, towns
from bertviz_lite.world.english import stories as from_events
from bertviz_lite.world.minimal import KINDS
from bertviz_lite.world.towns import CHINESE, TOWN, stories_of, story_of, words_of


@pytest.fixture
def toy_town(monkeypatch: pytest.MonkeyPatch) -> str:
    """Put a toy town under the name "toy"."""
    monkeypatch.setitem(towns.TOWNS, "toy", "tests.helpers.toy_town:story")
    return "toy"


def test_stories_are_those_of_the_town_that_the_pocket_model_knows() -> None:
    assert list(map(str, stories(3, 4))) == list(map(str, stories_of(TOWN, 3, 4)))
    assert str(story(3, 2)) == str(life.text(3, 2)) == str(stories(3, 3)[2])
    assert stories(3, 0) == []
    assert "kite" in words_of(TOWN)
    assert minimal_pairs(3, 1) == minimal_pairs(3, 1, town=TOWN)


def test_stories_in_chinese_are_those_of_the_chinese_town_and_their_words_join_to_the_text() -> None:
    texts = stories(3, 4, language="zh")
    assert list(map(str, texts)) == list(map(str, stories_of(CHINESE, 3, 4)))
    assert texts[:2] == stories(3, 2, language="zh")
    assert all(story.text == "".join(word.text for word in story.words) for story in texts)
    assert stories(3, 4, language="en") == stories(3, 4)


def test_the_first_town_writes_what_it_always_wrote() -> None:
    assert story_of("first") is from_events.story
    assert list(map(str, stories_of("first", 3, 4))) == list(map(str, from_events.stories(3, 4)))
    assert words_of("first") == []


def test_another_town_writes_its_own_stories(toy_town: str) -> None:
    assert [str(written) for written in stories_of(toy_town, 5, 2)] == [
        "Count 5 0 goes on 0.",
        "Count 5 1 goes on 0. Count 5 1 goes on 1.",
    ]
    assert words_of(toy_town) == ["count", "goes", "on"]


def test_a_kind_of_minimal_pair_that_a_town_never_writes_ends_the_search(toy_town: str) -> None:
    assert len(KINDS) == 8
    assert minimal_pairs(3, 1, town=toy_town) == []


def test_an_unknown_town_is_refused() -> None:
    with pytest.raises(ValueError, match="town='third': 'first'"):
        stories_of("third", 0, 1)


def test_a_town_that_nobody_has_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("bertviz_lite.world.nowhere:story", "bertviz_lite.nowhere.deeper:story"):
        monkeypatch.setitem(towns.TOWNS, "planned", place)
        with pytest.raises(ValueError, match="town='planned': 'first'"):
            stories_of("planned", 0, 1)
