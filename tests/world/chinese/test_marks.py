"""The marks of the words agree with each other, with the tables and with the story."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bertviz_lite.world.chinese import Sentence, Story, stories
from bertviz_lite.world.chinese.grammar.notation import read_line
from bertviz_lite.world.chinese.grammar.numbers import written
from bertviz_lite.world.chinese.grammar.telling import Teller
from bertviz_lite.world.chinese.knowledge.reading import scripts
from bertviz_lite.world.chinese.lexicon import entries, entry, readings_of, spellings
from bertviz_lite.world.chinese.lexicon.cutting import other_cuts
from bertviz_lite.world.chinese.lexicon.words import read_in_two_ways
from bertviz_lite.world.chinese.life.scripts import tell_script
from bertviz_lite.world.events.dice import Dice

STORIES = stories(22, 350)


def every_script() -> Iterator[Sentence]:
    """Yield the sentences of every small story."""
    for script in scripts():
        teller = Teller(Dice(script.title))
        tell_script(teller, script)
        yield from teller.sentences


SENTENCES = [*(sentence for one in STORIES for sentence in one.sentences), *every_script()]
MEANS_SOMETHING_ELSE = {
    *[
        "一把",
        "一天",
        "一口气",
        "口水",
        "不好",
        "不客气",
        "不见",
        "不会",
        "不过",
        "小花",
        "小雨",
        "才能",
        "正在",
        "马上",
    ],
    *["好多", "长长", "把手", "真的", "上去", "半天", "十分", "上当"],
    *["还给", "滴水", "小红", "上铺", "这才", "只要"],
}
PRONOUNS = {"他", "她", "它", "他们", "她们", "它们"}


def told(line: str, *, dice: str = "x") -> list[Sentence]:
    """Return the sentences of a line."""
    teller = Teller(Dice(dice))
    teller.tell(line)
    return teller.sentences


def pronoun_problems(one: Story) -> list[str]:
    """Return the pronouns of a story that do not fit those they are marked with."""
    return [
        word.text
        for word in one.words
        if word.text in PRONOUNS and (word.entity is None or one.beings[word.entity].pronoun != word.text)
    ]


def classifier_problems(sentence: Sentence) -> list[str]:
    """Return the classifiers of a sentence that their noun does not take."""
    return [
        f"{word.text} {word.noun}"
        for word in sentence.words
        if word.pos == "CLF" and word.noun and word.text not in entry(word.noun).classifiers
    ]


def test_pronouns_fit_whom_they_speak_of() -> None:
    assert not [problem for one in STORIES for problem in pronoun_problems(one)]
    found = {word.text for one in STORIES for word in one.words} & PRONOUNS
    assert found == PRONOUNS


def test_a_wrong_pronoun_would_be_seen() -> None:
    one = next(one for one in STORIES if any(word.text == "她" for word in one.words))
    beings = tuple(
        type(being)(being.number, being.kind, "n", being.called, being.members) for being in one.beings
    )
    assert pronoun_problems(Story(one.seed, one.index, one.sentences, beings))


def test_classifiers_fit_their_nouns() -> None:
    assert not [problem for sentence in SENTENCES for problem in classifier_problems(sentence)]
    classifiers = {word.text for sentence in SENTENCES for word in sentence.words if word.noun}
    assert {"只", "条", "本", "个", "朵", "张", "把", "辆", "座", "件"} <= classifiers


def test_a_wrong_classifier_would_be_seen() -> None:
    sentence = next(each for each in SENTENCES if any(word.noun == "小狗" for word in each.words))
    words = tuple(replace(word, text="本") if word.noun == "小狗" else word for word in sentence.words)
    assert classifier_problems(Sentence(words)) == ["本 小狗"] * sum(word.noun == "小狗" for word in words)


def test_the_noun_of_a_classifier_stands_where_its_mark_says() -> None:
    for sentence in SENTENCES:
        for word in sentence.words:
            if word.head is not None:
                assert word.head > word.index
                assert sentence.words[word.head].text == entry(word.noun or "").text


def test_words_and_parts_of_speech_are_those_of_the_lexicon() -> None:
    for sentence in SENTENCES:
        for word in sentence.words:
            if word.pos == "PUNCT" or word.number is not None:
                continue
            keys = spellings()[word.text]
            assert word.pos in {entry(key).pos for key in keys}
            assert (word.sense is not None) == (len(keys) > 1 or "." in keys[0])


def test_a_number_says_its_value() -> None:
    for sentence in SENTENCES:
        for word in sentence.words:
            if word.number is not None:
                assert word.text in (written(word.number), written(word.number, counts=True))


def test_an_entity_is_one_of_the_beings() -> None:
    for one in STORIES:
        assert [being.number for being in one.beings] == list(range(len(one.beings)))
        for sentence in one.sentences:
            numbers = {word.entity for word in sentence.words} | {gap.entity for gap in sentence.dropped}
            assert numbers - {None} <= set(range(len(one.beings)))


def test_what_is_left_out_was_spoken_of_before() -> None:
    for one in STORIES:
        spoken: set[int] = set()
        for sentence in one.sentences:
            for gap in sentence.dropped:
                here = {word.entity for word in sentence.words[: gap.before]}
                members = set(one.beings[gap.entity].members)
                assert gap.entity in spoken | here or members <= spoken | here, str(sentence)
            spoken |= {word.entity for word in sentence.words if word.entity is not None}
            spoken |= {gap.entity for gap in sentence.dropped}
            for word in sentence.words:
                if word.entity is not None:
                    spoken |= set(one.beings[word.entity].members)


def test_what_each_mark_of_aspect_stands_on() -> None:
    for sentence in SENTENCES:
        for word in sentence.words:
            allowed = {"了": {"perfective", "change"}, "着": {"durative"}, "过": {"experiential"}}
            if word.pos == "PART" and word.text in allowed:
                assert word.aspect in allowed[word.text]
            else:
                assert word.aspect is None


def test_subjects_are_left_out_and_taken_up() -> None:
    first, second = told("A:child.f 回到 家 ， A 放下 书包 ， A 开始 写 作业 。 A 很 认真 。")
    assert (
        str(first)[2:] == "回到家，放下书包，开始写作业。"
        or str(first)[1:] == "回到家，放下书包，开始写作业。"
    )
    assert [gap.entity for gap in first.dropped] == [0, 0]
    assert str(second) == "她很认真。"


def test_names_return_where_a_pronoun_could_be_somebody_else() -> None:
    *_, last = told("A:child.f 看见 B:child.f 。 A 很 高兴 。")
    assert last.words[0].pos == "PROPN"


def test_ba_bei_and_plain_order_all_occur_and_say_the_same() -> None:
    line = "花瓶=K 很 好看 。 A:child 来 了 。 K 在.is 这儿 。 A < 打破 了 | K > 。"
    orders = {str(told(line, dice=f"{number}")[-1]) for number in range(40)}
    marks = {sign for text in orders for sign in "把被" if sign in text}
    assert marks == {"把", "被"}
    assert any("打破了花瓶" in text for text in orders)


def test_in_speech_i_is_who_speaks_and_you_who_listens() -> None:
    (sentence,) = told("A:child 对 B:child 说 ： “ 我 喜欢 你 ， B 也 喜欢 A 吗 ？ ”")
    words = {(word.text, word.entity) for word in sentence.words if word.pos == "PRON"}
    assert words == {("我", 0), ("你", 1)}


def test_characters_that_are_read_in_two_ways_say_how() -> None:
    listed = {
        key for key in entries() if set(entry(key).text) & read_in_two_ways() and entry(key).pos != "PROPN"
    }
    assert all(readings_of(key) for key in listed), [key for key in listed if not readings_of(key)]
    readings = {pair for sentence in SENTENCES for word in sentence.words for pair in word.reading}
    assert {("行", "háng"), ("行", "xíng"), ("长", "cháng"), ("长", "zhǎng")} <= readings


def test_two_senses_of_a_word_are_both_there() -> None:
    senses = {word.sense for sentence in SENTENCES for word in sentence.words}
    assert {"花.flower", "花.spend", "打.play", "打.phone", "长.long", "长.grow"} <= senses


def test_spellings_that_only_the_sentence_settles_are_there() -> None:
    cuts = set()
    for sentence in SENTENCES:
        words = [word.text for word in sentence.words]
        cuts |= {("|".join(words[start:end]), "|".join(cut)) for start, end, cut in other_cuts(words)}
    wanted = {("把|手", "把手"), ("马|上", "马上"), ("小|雨", "小雨"), ("十|分", "十分"), ("小|花", "小花")}
    assert wanted <= cuts


def test_what_is_one_word_here_is_cut_in_two_only_where_it_means_something_else() -> None:
    found = set()
    for sentence in SENTENCES:
        words = [word.text for word in sentence.words]
        found |= {cut[0] for _, _, cut in other_cuts(words) if len(cut) == 1}
    assert found <= MEANS_SOMETHING_ELSE, found - MEANS_SOMETHING_ELSE


@pytest.mark.parametrize(
    "line", ["A 很 高兴 。", "A:child 有 一 # 狗 ", "狗狗 很 好 。", "他 很 好 。", "< 打破 | 花瓶 。"]
)
def test_a_line_that_cannot_be_told_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        told(line)


def test_the_notation_names_the_word_that_no_table_has() -> None:
    with pytest.raises(ValueError, match="恐龙"):
        read_line("一 # 恐龙 。")
