"""Groups of words of the town."""

from collections import Counter

from bertviz_lite.world import stories, word_groups
from bertviz_lite.world.events.town import COLOURS, DAYS, PERSON


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


def test_verbs_are_those_of_the_town_s_own_texts() -> None:
    groups = word_groups()
    said = Counter(
        (word.text.lower(), word.pos, word.form) for text in stories(seed=0, n=300) for word in text.words
    )
    for name, form, fewest in (("verbs, past", "past", 100), ("verbs, -ing", "ing", 15)):
        assert len(groups[name]) >= fewest
        assert all(said[word, "VERB", form] for word in groups[name]), name
