"""What a Chinese reader expects: whom a pronoun may stand for, whose a mother is, what a clause is about."""

from __future__ import annotations

import pytest

from bertviz_lite.world.chinese import stories
from bertviz_lite.world.chinese.grammar.notation import read_line
from bertviz_lite.world.chinese.grammar.telling import Teller
from bertviz_lite.world.chinese.grammar.text import Sentence
from bertviz_lite.world.chinese.minimal import pairs_of
from bertviz_lite.world.events.dice import Dice

STORIES = stories(24, 250)


def told(lines: str, *, who: str = "", dice: str = "x") -> list[Sentence]:
    """Return the sentences of a line; those of ``who`` are known to the story, and not yet named."""
    teller = Teller(Dice(dice))
    for slot in read_line(who):
        teller.cast.number_of(slot)  # type: ignore[arg-type]
    teller.tell(lines)
    return teller.sentences


def last_words(lines: str, *, who: str = "") -> set[str]:
    """Return the first words that the last sentence can begin with, over many throws."""
    return {told(lines, who=who, dice=f"{number}")[-1].words[0].text for number in range(40)}


def test_mother_gives_the_child_something_and_nobody_asks_whose_mother() -> None:
    (sentence,) = told("M 送给 A 一 # 皮球 。", who="A:child.f M:mother@A")
    name = sentence.words[2].text
    assert str(sentence) == f"妈妈送给{name}一个皮球。"


def test_grandfather_and_the_child_do_something_together() -> None:
    (sentence,) = told("G 和 A 一起 打扫 。", who="A:child.f G:grandad@A")
    assert str(sentence).startswith("爷爷和")


def test_a_mother_without_her_child_in_the_clause_is_the_mother_of_somebody() -> None:
    (sentence,) = told("M 回来 了 。", who="A:child.f M:mother@A")
    assert str(sentence)[2:] == "的妈妈回来了。"


def test_the_animal_that_comes_up_is_named_and_not_called_it_at_once() -> None:
    line = "A:child 把 小狗=D 抱 回 了 家 。 D 饿 了 。"
    assert last_words(line) == {"小狗"}


def test_grown_ups_are_mostly_called_by_their_noun() -> None:
    words = [word for one in STORIES for word in one.words if word.entity is not None]
    for noun, pronoun in (("妈妈", "她"), ("爸爸", "他"), ("老师", "他")):
        mine = [
            word.text
            for one in STORIES
            for word in one.words
            if word.entity is not None and one.beings[word.entity].called.endswith(noun)
        ]
        assert mine.count(noun) > 4 * mine.count(pronoun)
    assert {"他", "她", "它"} <= {word.text for word in words}


def test_she_does_not_ask_him_but_asks_the_boy_by_name() -> None:
    for number in range(40):
        *_, last = told("A:child.f 来 了 。 B:child.m 也 在 这儿 。 A 问 B ： “ 好 吗 ？ ”", dice=f"{number}")
        assert not {"她", "他"} <= {word.text for word in last.words}


def test_the_melon_rolls_to_the_door_of_the_mouse_and_not_to_its_own() -> None:
    for number in range(40):
        *_, last = told("小老鼠=M 看见 西瓜=X 。 X 滚 到 M 的 家门口 。", dice=f"{number}")
        assert "小老鼠" in str(last)


def test_two_children_of_a_story_are_not_called_almost_alike() -> None:
    for number in range(60):
        one, other = {
            word.text for word in told("A:child 认识 B:child 。", dice=f"{number}")[0].words if word.name
        }
        assert not set(one) & set(other) - {"小", "大"}, (one, other)


def test_a_classifier_is_no_reason_for_it() -> None:
    for number in range(40):
        *_, last = told("A:child 有 一 # 尺子=K 。 一 把.clf K 三 块.money 钱 。", dice=f"{number}")
        assert "它" not in str(last)


def test_a_teacher_could_be_he_or_she_so_the_boy_is_named_again() -> None:
    line = "T:teacher.f 对 A 说 ： “ 坐下 吧 。 ” A 坐下 了 。"
    teller = told("A:child.m 来 了 。 " + line)
    assert teller[-1].words[0].pos == "PROPN"


def test_she_helps_her_granny_where_the_granny_is_named_in_the_same_clause() -> None:
    line = "A:child.f 认识 G:granny 。 A 帮 G 拿 袋子 。"
    firsts = last_words(line)
    assert "她" in firsts
    for number in range(40):
        words = [word.text for word in told(line, dice=f"{number}")[-1].words]
        assert words.count("她") <= 1


def test_nothing_is_left_out_before_words_that_only_say_when() -> None:
    for line in ("过 了 三 天.day ， 他 来 了 。", "从 那天 起 ，", "下课 以后 ，", "第二天 是 生日 。"):
        text = line.replace("他", "A").partition("，")[0].rstrip("。 ")
        *_, last = told(f"A:child 走 了 。 {text} ， A 笑 了 。")
        assert not [gap for gap in last.dropped if gap.before == 0], text


def test_nobody_snows_and_nobody_is_yellow_in_a_list() -> None:
    *_, snow = told("A:child 走 了 。 下 着 大雪 。")
    assert not snow.dropped
    (colours,) = told("A:child 用 了 红色 、 黄色 和 绿色 。")
    assert not colours.dropped


def test_what_follows_a_sound_is_no_new_clause() -> None:
    *_, last = told("A:child 洗 手 。 水 “ 哗哗 ” 地.adv 流 。")
    assert not last.dropped


def test_a_colour_can_be_a_subject_and_an_age_says_something_of_somebody() -> None:
    *_, shoes = told("A:child 来 了 。 白 的 太 大 。")
    assert not shoes.dropped
    *_, last = told("A:child 来 了 。 B:child 才 两 岁 ， 不 会 说话 。")
    assert [gap.entity for gap in last.dropped] == [1]


def test_days_pass_and_snow_falls_as_verbs() -> None:
    (sentence,) = told("过 了 三 天.day ， 外面 下 着 大雪 。")
    assert {(word.text, word.sense) for word in sentence.words if word.text in ("过", "下")} == {
        ("过", "过.pass"),
        ("下", "下.fall"),
    }
    under = told("A:child 坐 在 树 下 。")[0]
    assert [word.pos for word in under.words if word.text == "下"] == ["LOC"]


@pytest.mark.parametrize(
    ("kind", "never"),
    [
        ("order of adverb and verb", {"敢不", "想不", "会不", "听见没", "走没", "看见没", "数就"}),
        ("aspect", {"过着"}),
    ],
)
def test_what_another_reader_would_find_right_is_no_wrong_sentence(kind: str, never: set[str]) -> None:
    assert not {pair.wrong for one in STORIES for pair in pairs_of(one, kind)} & never


def test_laughing_out_of_joy_is_right_both_ways() -> None:
    for one in STORIES:
        for pair in pairs_of(one, "的, 地 or 得"):
            joy = pair.before.endswith(("高兴", "开心", "伤心")) and pair.right != "的"
            assert not (joy and pair.after.startswith(("笑", "哭", "叫", "跳"))), pair


def test_an_animal_may_be_she_in_a_tale_so_it_is_no_pair() -> None:
    for one in STORIES:
        for pair in pairs_of(one, "pronoun"):
            at = len(pair.before)
            (word,) = [word for word in one.words if word.start == at]
            assert word.entity is not None
            assert one.beings[word.entity].kind != "animal"


def test_full_of_grapes_is_said_with_both_marks_so_it_is_no_pair() -> None:
    assert not [pair for one in STORIES for pair in pairs_of(one, "aspect") if pair.before.endswith("满")]
