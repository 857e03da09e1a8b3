"""The texts that a model reads: stories and scenes, with marks of what follows from the rest of a text."""

from __future__ import annotations

import re

import pytest

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.world.chinese.grammar.telling import Teller
from bertviz_lite.world.chinese.grammar.text import Sentence, Story
from bertviz_lite.world.chinese.knowledge.reading import scenes
from bertviz_lite.world.chinese.lexicon import entry
from bertviz_lite.world.chinese.life.scripts import tell_script
from bertviz_lite.world.chinese.texts import text, words
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.towns import CHINESE, stories_of

TEXTS = [text(31, index) for index in range(800)]


def told(line: str, *, dice: str = "x") -> list[Sentence]:
    """Return the sentences of a line."""
    teller = Teller(Dice(dice))
    teller.tell(line)
    return teller.sentences


def test_every_scene_can_be_told_in_many_ways() -> None:
    assert len(scenes()) > 100
    for scene in scenes():
        for number in range(25):
            teller = Teller(Dice(f"{number}"))
            tell_script(teller, scene)
            assert teller.sentences, scene.title
            whole = "".join(map(str, teller.sentences))
            assert whole.count("“") == whole.count("”"), whole
            assert not re.search("[，。！？：；][，。！？：；]", whole), whole


def test_a_town_writes_both_and_the_same_everywhere() -> None:
    kinds = [one.kind for one in TEXTS]
    assert 0.35 < 1 - kinds.count("scene") / len(kinds) < 0.45
    assert list(map(str, stories_of(CHINESE, 31, 20))) == list(map(str, TEXTS[:20]))
    with pytest.raises(ArgumentError):
        text("1", 0)  # type: ignore[arg-type]


def test_the_words_of_a_sentence_lie_where_its_spans_say() -> None:
    for one in TEXTS:
        for sentence in one.sentences:
            assert [str(sentence)[slice(*span)] for span in sentence.spans] == [
                word.text for word in sentence.words
            ]


def test_all_words_of_texts_are_listed() -> None:
    assert words() == sorted(set(words()))
    assert {word.text for one in TEXTS for word in one.words} <= set(words())


def test_what_was_mentioned_has_been_named_before() -> None:
    found = 0
    for one in TEXTS:
        for word in one.words:
            if word.determined == "mention":
                before = one.text[: word.start]
                assert word.text in before, one.text
                found += 1
    assert found > 150


def test_numbers_that_follow_are_counted_right() -> None:
    for one in TEXTS:
        if one.title == "给了几个":
            had, gave, left = [word.number for word in one.words if word.pos == "NUM"]
            assert had is not None
            assert gave is not None
            assert left == had - gave


def test_classifiers_fit_their_nouns() -> None:
    for one in TEXTS:
        for word in one.words:
            if word.pos == "CLF" and word.noun:
                assert word.text in entry(word.noun).classifiers, one.text


def dropped(one: Story | Sentence, before: str) -> list[int]:
    """Return who is left out before a word."""
    sentences = one.sentences if isinstance(one, Story) else (one,)
    return [
        gap.entity
        for sentence in sentences
        for gap in sentence.dropped
        if sentence.words[gap.before].text == before
    ]


def test_what_is_seen_may_be_what_a_clause_goes_on_with() -> None:
    (sentence,) = told("小猴子=H 看见 一 # 兔子=T 跑来 ， T- 真 可爱 。")
    assert dropped(sentence, "真") == [1]
    (sentence,) = told("小猴子=H 看见 一 # 兔子=T ， 很 高兴 。")
    assert dropped(sentence, "很") == [0]


def test_who_is_quick_to_do_something_stays_the_subject() -> None:
    lines = "A:child.f 做 得 很 快 ， 一 做 完 就 玩 。 A 很 高兴 。"
    assert {told(lines, dice=f"{number}")[-1].words[0].text for number in range(20)} == {"她"}


def test_a_comparison_names_the_other_one() -> None:
    for number in range(20):
        *_, last = told("A:child.f 来 了 。 B:child.f 也 来 了 。 A 跑 得 比 B 快 。", dice=f"{number}")
        assert "她" not in str(last)


def test_some_dumplings_are_no_subject_that_is_left_out() -> None:
    *_, last = told("A:child 煮 饺子 。 煮 的 时候 ， 好 几 # 饺子 都 破 了 。")
    assert not dropped(last, "好")
