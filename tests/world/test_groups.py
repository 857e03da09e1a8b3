"""Groups of words of the town."""

from collections import Counter

import pytest

from bertviz_lite.world import word_groups
from bertviz_lite.world.events.town import COLOURS, DAYS, PERSON
from bertviz_lite.world.towns import stories_of


def test_every_word_is_in_one_group_and_lower_cased() -> None:
    counts = Counter(word for words in word_groups().values() for word in words)
    assert set(counts.values()) == {1}
    assert all(word == word.lower() for word in counts)


def test_groups_hold_the_words_of_the_towns_lists() -> None:
    groups = word_groups()
    assert groups["days"] == sorted(day.lower() for day in DAYS)
    assert {"anna", "martha"} <= set(groups["women, girls"])
    assert {PERSON[name.capitalize()].gender for name in groups["men, boys"]} == {"m"}
    assert set(COLOURS) - set(groups["colours"]) == {"orange"}
    assert "bank" in groups["places"]
    assert {"was", "is"}.isdisjoint(groups["verbs, past"]), "auxiliaries are no verbs here"
    assert all(word.endswith("ing") for word in groups["verbs, -ing"])


def test_a_vocabulary_leaves_out_all_other_words() -> None:
    groups = word_groups({"anna", "monday", "orange", "zebra"})
    assert {name: words for name, words in groups.items() if words} == {
        "women, girls": ["anna"],
        "days": ["monday"],
    }
    assert list(groups) == list(word_groups())


def test_the_second_town_s_verbs_are_those_of_its_own_texts() -> None:
    first, second = word_groups(), word_groups(town="second")
    assert list(first) == list(second)
    assert first["days"] == second["days"]
    said = {word.text.lower() for story in stories_of("second", 0, 300) for word in story.words}
    assert set(second["verbs, past"]) | set(second["verbs, -ing"]) <= said
    assert first["verbs, past"] != second["verbs, past"]
    with pytest.raises(ValueError, match=r"^town='third': "):
        word_groups(town="third")
