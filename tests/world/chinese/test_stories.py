"""Stories in Chinese: text and words agree, the same everywhere, Chinese signs only."""

from __future__ import annotations

import hashlib
import re

import pytest

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.world.chinese import stories, story
from bertviz_lite.world.chinese.grammar.telling import Teller
from bertviz_lite.world.chinese.knowledge.reading import events, scripts
from bertviz_lite.world.chinese.life.chains import ENDING
from bertviz_lite.world.chinese.life.scripts import tell_script
from bertviz_lite.world.events.dice import Dice

STORIES = stories(21, 250)
PINNED = "308d30d338bf888662bd8d2a640c233090eca39f63bcc8d37df419f6906dcdf7"


def test_words_put_together_are_the_text_and_stand_where_they_say() -> None:
    for told in STORIES:
        assert "".join(word.text for word in told.words) == told.text == str(told)
        assert all(told.text[word.start : word.end] == word.text for word in told.words)
        assert [word.start for word in told.words[1:]] == [word.end for word in told.words[:-1]]
        for number, sentence in enumerate(told.sentences):
            assert [(word.sentence, word.index) for word in sentence.words] == [
                (number, index) for index in range(len(sentence.words))
            ]


def test_the_same_number_gives_the_same_story() -> None:
    assert [str(story(21, index)) for index in range(20)] == [str(told) for told in STORIES[:20]]
    assert len({told.text for told in STORIES}) > 235


def test_stories_are_the_same_on_every_machine() -> None:
    marks = "\n".join(repr(story(seed, 0)) for seed in range(50))
    assert hashlib.sha256(marks.encode()).hexdigest() == PINNED


def test_characters_are_simplified_and_punctuation_is_full_width() -> None:
    for told in STORIES:
        told.text.encode("gb2312")  # simplified characters; the traditional form of a changed one isn't in it
        assert not re.search(r"[\x00-\xff]", told.text)
        assert not set(told.text) & set("兒個們說來愛開門長馬鳥魚車東後麼貓著過嗎還話邊見")
        signs = {word.text for word in told.words if word.pos == "PUNCT"}
        assert signs <= set("，。！？：；、“”…")


def test_quotes_are_paired_and_sentences_end() -> None:
    for told in STORIES:
        depth = 0
        for sign in re.findall("[“”]", told.text):
            depth += 1 if sign == "“" else -1
            assert depth in (0, 1), told.text
        assert depth == 0
        assert all(sentence.words[-1].text in "。！？”" for sentence in told.sentences)


def test_there_are_enough_stories_events_and_words() -> None:
    assert len(scripts()) >= 180
    assert all(4 <= len(script.lines) <= 9 for script in scripts())
    assert len([event for event in events() if not event.name.startswith(ENDING)]) >= 170
    words = {word.text for told in STORIES for word in told.words if word.pos != "PUNCT"}
    assert len(words) >= 1600


def test_every_small_story_can_be_told() -> None:
    for script in scripts():
        teller = Teller(Dice(script.title))
        tell_script(teller, script)
        assert len(teller.sentences) >= 4, script.title


@pytest.mark.thorough
def test_every_event_happens_in_some_story() -> None:
    told = [story(3, index) for index in range(3000)]
    assert {name for each in told for name in each.events} == {event.name for event in events()}


@pytest.mark.parametrize(("seed", "n"), [("1", 2), (1, -1), (True, 2), (1, 2.5)])
def test_numbers_that_are_none_are_refused(seed: object, n: object) -> None:
    with pytest.raises(ArgumentError):
        stories(seed, n)  # type: ignore[arg-type]
