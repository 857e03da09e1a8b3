"""Pairs of every kind: each is changed in the one way it says, and in no other."""

from collections import Counter
from itertools import count, islice

import numpy as np
import pytest

from bertviz_lite.data.story_pairs import (
    StoryPair,
    cut_stories,
    mask_words,
    other_people,
    other_story,
    same_names,
    same_nouns,
    same_people,
    shuffled,
    swapped,
)
from bertviz_lite.world import Sentence, Story, Word
from bertviz_lite.world.english.stories import stories as stories_of_events
from bertviz_lite.world.events.town import PERSON
from bertviz_lite.world.life import story as whole_story
from tests.helpers.made_stories import make_story


@pytest.fixture(scope="module")
def town_stories() -> list[Story]:
    """Return whole stories of the town that can be cut in two, three sentences in each part."""
    every = (whole_story(900_000_301, index) for index in count())
    return list(islice((one for one in every if len(one.sentences) >= 6), 201))


@pytest.fixture(scope="module")
def pairs(town_stories: list[Story]) -> list[StoryPair]:
    """Return the stories, each cut in two."""
    return cut_stories(town_stories, np.random.default_rng(0))


def texts(sentences: tuple[Sentence, ...]) -> list[str]:
    return [str(sentence) for sentence in sentences]


def mentions(pair: StoryPair, part: int) -> list[str]:
    return [word.text for word in pair.words(part) if word.name == "person"]


class TestCut:
    """True pairs."""

    def test_parts_make_the_story(self, town_stories: list[Story], pairs: list[StoryPair]) -> None:
        for number, (story, pair) in enumerate(zip(town_stories, pairs, strict=True)):
            assert " ".join(pair.texts) == str(story)
            assert min(len(pair.first), len(pair.second)) >= 3
            assert pair.story == pair.source == number
            assert sum(pair.lengths) == len(story.words)

    def test_tenses(self, pairs: list[StoryPair]) -> None:
        told = cut_stories(stories_of_events(900_000_301, 60), np.random.default_rng(0))
        assert all(pair.tenses[0] == pair.tenses[1] for pair in told), "told from events: one tense"
        # What somebody says in a story, or what is so to this day, is in another one.
        assert np.mean([pair.tenses[0] == pair.tenses[1] for pair in pairs]) > 0.95
        seen = Counter(pair.tenses[0] for pair in pairs)
        assert min(seen["past"], seen["present"]) > 30
        was, is_now = (
            sum(word.lemma == "be" and word.text.lower() == text for pair in pairs for word in pair.words(0)
                if pair.tenses[0] == tense)
            for text, tense in (("was", "past"), ("is", "present"))
        )  # fmt: skip
        assert min(was, is_now) > 30

    def test_every_cut_occurs(self, town_stories: list[Story]) -> None:
        story = max(town_stories, key=lambda story: len(story.sentences))
        cuts = {len(pair.first) for pair in cut_stories([story] * 200, np.random.default_rng(0), fewest=1)}
        assert cuts == set(range(1, len(story.sentences)))

    def test_a_story_that_is_too_short(self, town_stories: list[Story]) -> None:
        with pytest.raises(ValueError, match=r"story 0 has \d+ sentences, too few for fewest=9"):
            cut_stories(town_stories, np.random.default_rng(0), fewest=9)


class TestOrder:
    """The same sentences in another order."""

    def test_swapped(self, pairs: list[StoryPair]) -> None:
        for pair, made in zip(pairs, swapped(pairs), strict=True):
            assert made.texts == pair.texts[::-1]

    def test_shuffled(self, pairs: list[StoryPair]) -> None:
        for pair, made in zip(pairs, shuffled(pairs, np.random.default_rng(1)), strict=True):
            assert made.first == pair.first
            assert made.second != pair.second
            assert Counter(texts(made.second)) == Counter(texts(pair.second))

    def test_one_sentence_has_no_other_order(self, pairs: list[StoryPair]) -> None:
        short = StoryPair(pairs[0].first, pairs[0].second[:1], 0, 0)
        with pytest.raises(ValueError, match="one sentence has no other order"):
            shuffled([short], np.random.default_rng(0))


class TestOtherStory:
    """B from another story."""

    def test_every_b_is_used_once_none_is_true_and_lengths_agree(self, pairs: list[StoryPair]) -> None:
        made = other_story(pairs)
        assert sorted(pair.source for pair in made) == list(range(len(pairs)))
        differences = []
        for pair, false in zip(pairs, made, strict=True):
            assert false.story == pair.story != false.source
            assert false.texts[0] == pair.texts[0]
            assert false.texts[1] == pairs[false.source].texts[1] != pair.texts[1]
            differences.append(abs(pair.lengths[1] - false.lengths[1]))
        assert np.mean(differences) < 1

    def test_refuses_a_b_that_is_true_elsewhere(self, pairs: list[StoryPair]) -> None:
        with pytest.raises(ValueError, match="there it would be true"):
            other_story([pairs[0], StoryPair(pairs[1].first, pairs[0].second, 1, 1)])
        with pytest.raises(ValueError, match="1 pairs: it takes two"):
            other_story(pairs[:1])

    def test_same_people(self, pairs: list[StoryPair]) -> None:
        made = same_people(pairs, pairs)
        assert len(made) > 30
        for pair in made:
            assert pair.source != pair.story
            assert pair.second == pairs[pair.source].second
            assert set(pairs[pair.source].people) == set(pairs[pair.story].people)

    def test_same_nouns(self, pairs: list[StoryPair]) -> None:
        def shared(pair: StoryPair) -> int:
            first, second = ({w.lemma for w in pair.words(part) if w.pos == "NOUN"} for part in (0, 1))
            return len(first & second)

        made, plain = same_nouns(pairs, pairs), other_story(pairs)
        assert len(made) > 190
        for pair in made:
            assert pair.second == pairs[pair.source].second
            assert not set(pairs[pair.source].people) & set(pairs[pair.story].people)
            assert abs(pair.lengths[1] - pairs[pair.story].lengths[1]) <= 0.2 * pairs[pair.story].lengths[1]
        assert np.mean([shared(pair) for pair in made]) > np.mean([shared(pair) for pair in plain]) + 1

    def test_a_story_without_names_is_no_stranger_to_itself_or_to_its_twin(self) -> None:
        told = ["The dog digs .", "It finds a bone .", "The cat waits .", "The cat eats the fish ."]
        marks: dict[str, dict[str, object]] = {"w0_1": {"pos": "NOUN"}, "w2_1": {"pos": "NOUN"}}
        story, other = make_story(*told, **marks), make_story(*told[:3], "It sleeps .", **marks)
        made = cut_stories([story, story, other], np.random.default_rng(0), fewest=2)
        for strangers in (same_nouns(made, made, reach=1.0), same_people(made, made)):
            assert {(pair.story, pair.source) for pair in strangers} <= {(0, 2), (1, 2), (2, 0), (2, 1)}
            assert len(strangers) == 3


class TestNames:
    """Nothing but names is changed."""

    def test_other_people(self, pairs: list[StoryPair]) -> None:
        made = other_people(pairs, np.random.default_rng(2))
        assert len(made) == sum(bool(mentions(pair, 1)) for pair in pairs)
        for pair in made:
            old = pairs[pair.story]
            assert pair.first == old.first
            assert not set(mentions(pair, 1)) & set(old.people)
            change: dict[str, str] = {}
            for before, after in zip(old.words(1), pair.words(1), strict=True):
                if before.name == "person":
                    assert change.setdefault(before.text, after.text) == after.text
                    first_person, other = PERSON[before.text], PERSON[after.text]
                    assert (first_person.gender, first_person.age) == (other.gender, other.age)
                else:
                    assert before == after
            assert len(set(change.values())) == len(change)

    def test_same_names(self, pairs: list[StoryPair]) -> None:
        made = same_names(pairs, pairs)
        assert len(made) > 100
        for pair in made:
            old, mine = pairs[pair.source], set(pairs[pair.story].people)
            assert set(mentions(pair, 1))
            assert set(mentions(pair, 1)) <= mine
            assert not set(old.people) & mine
            for before, after in zip(old.words(1), pair.words(1), strict=True):
                if before.name == "person":
                    assert PERSON[before.text].gender == PERSON[after.text].gender
                else:
                    assert before == after

    def test_mask_words(self, pairs: list[StoryPair]) -> None:
        def wanted(word: Word) -> bool:
            return word.pos == "PRON"

        for pair, made in zip(pairs, mask_words(pairs, wanted), strict=True):
            for part in (0, 1):
                expected = ["[MASK]" if wanted(word) else word.text for word in pair.words(part)]
                assert [word.text for word in made.words(part)] == expected
                assert made.texts[part].count("[MASK]") == expected.count("[MASK]")
