"""Texts in which one of several named things comes back: which one, only the text says."""

from __future__ import annotations

import re
from collections import Counter

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.text import Sentence
from bertviz_lite.world.grammar.lexicon.words import readings
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.recalling import tell_recall
from bertviz_lite.world.life.recalling.recalling import Frame, frames, sorts
from bertviz_lite.world.life.vocabulary import words


def told(number: int, frame: Frame | None = None) -> list[Sentence]:
    """Return the sentences of a text."""
    telling = Telling(Dice(f"recalled/{number}"))
    tell_recall(telling, frame)
    return telling.sentences


TEXTS = [told(number, frame) for frame in frames() for number in range(2)]


def test_there_are_many_frames() -> None:
    assert len(set(frames())) > 150


def test_a_number_gives_the_same_text_again() -> None:
    assert [list(map(str, told(n))) for n in range(50)] == [list(map(str, told(n))) for n in range(50)]


def test_every_word_is_one_of_the_town() -> None:
    known = set(words())
    for sentences in TEXTS:
        for sentence in sentences:
            assert set(re.findall(r"[a-zé]+", str(sentence).lower())) <= known, str(sentence)


def test_every_sort_has_words_of_the_town() -> None:
    for entries in sorts().values():
        for entry in entries:
            for word in entry.rpartition(":")[2].rstrip("~+").partition(".")[0].split():
                assert word in readings(), entry


def test_no_letter_of_a_frame_is_left_and_quotation_marks_are_right() -> None:
    for sentences in TEXTS:
        for text in map(str, sentences):
            assert not re.search(r"\b[B-HJ-Z]\b|@|[{}|/]|\ba [A-Z]", text), text
            assert text.count('"') % 2 == 0, text
            assert text.lstrip('"')[0].isupper(), text
            assert text[-1] in '.!?"', text


def test_is_and_was_stand_after_one_and_are_and_were_after_several() -> None:
    found = 0
    for sentences in TEXTS:
        for sentence in sentences:
            for word in sentence.words:
                if word.text.lower() in ("is", "was") and word.subject is not None:
                    assert sentence.words[word.subject].form != "plural", str(sentence)
                    found += 1
    assert found > 50


def test_what_comes_back_was_named_before() -> None:
    frame = next(one for one in frames() if "The one with the X is A" in one.body and "three" not in one.head)
    for number in range(60):
        first, *rest = told(number, frame)
        named = {word.lemma for word in first.words if word.pos in ("NOUN", "PROPN")}
        again = {word.lemma for one in rest for word in one.words if word.pos in ("NOUN", "PROPN")}
        assert again <= named, str(first)


def test_the_first_and_the_second_come_back_equally_often() -> None:
    frame = next(one for one in frames() if one.body.startswith("The X was@X at@U the U"))
    places: Counter[int] = Counter()
    for number in range(400):
        first, second = told(number, frame)
        nouns = [word.entity for word in first.words if word.pos == "NOUN"]
        wanted = next(word.entity for word in second.words if word.pos == "NOUN" and word.entity in nouns)
        places[nouns.index(wanted)] += 1
    assert set(places) == {0, 2}
    assert 150 < places[0] < 250


def test_who_was_not_named_before_does_not_change_places() -> None:
    frame = next(one for one in frames() if "So B put the X" in one.body and "said A" in one.body)
    for number in range(40):
        first, second = told(number, frame)
        speaker, helper = (
            [word.entity for word in one.words if word.entity is not None] for one in (first, second)
        )
        assert helper[0] not in speaker, f"{first} {second}"
