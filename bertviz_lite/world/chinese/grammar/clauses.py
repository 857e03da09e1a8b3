"""What a clause is about: which of its items is the subject.

Adverbs, times and places may stand before it. Where a verb comes first, the subject is left out.
"""

from __future__ import annotations

from typing import NamedTuple

from bertviz_lite.world.chinese.grammar.notation import (
    Classifier,
    Item,
    Modifier,
    Number,
    Plain,
    Slot,
    Voice,
)
from bertviz_lite.world.chinese.lexicon import entry

_BEFORE = {"ADV", "TIME", "CCONJ", "SCONJ", "INTJ", "PART"}
_PREDICATES = {"VERB", "ADJ", "AUX", "ADP"}
_INSIDE = {"DET", "NUM", "CLF", "ADJ"}
_BODY = frozenset(
    """心 脸 眼睛 手 脚 肚子 膝盖 嗓子 头 腿 鼻子 耳朵 尾巴 脖子 身体 身上 声音 样子 眼泪
    头发 全身 背.back 嘴 个子 翅膀 心情 脚下 额头 衣服 颜色""".split()  # noqa: SIM905
)
"""Whose heart, face or voice it is, is said by the clause before: the subject stays who it was."""


_LASTS = {"天.day", "月", "星期", "年", "小时", "分钟", "久"}
_LESSONS = {"上课", "下课", "放学"}
_FALLING = {"雨", "雪", "大雨", "大雪"}
_WEATHER = {"下.fall", "刮", "打.thunder", "下雨", "下雪"}
_REMARKS = {("好", "不", "好"), ("糟糕",), ("可是", "已经", "晚", "了")}


class Subject(NamedTuple):
    """``place``: of a slot or labelled word that is the subject. ``left_out``: nothing stands there.

    ``fragment``: the clause has no verb, and says nothing about anybody.
    """

    place: int | None = None
    left_out: bool = False
    fragment: bool = False


def pos_of(item: Item) -> str:
    """Return the part of speech of an item; of a slot NOUN, of ``< … >`` VERB."""
    if isinstance(item, Plain):
        return entry(item.key).pos
    if isinstance(item, Slot):
        return "NOUN"
    return {Voice: "VERB", Number: "NUM", Classifier: "CLF", Modifier: "ADJ"}.get(type(item), "PUNCT")


def find_subject(items: tuple[Item, ...]) -> Subject:
    """Return the subject of a clause."""
    aged = _key(items[-1]) == "岁"
    no_verb = not any(pos_of(item) in ("VERB", "ADJ", "AUX") for item in items)
    if (no_verb and not aged) or _only_when(items) or tuple(map(_key, items)) in _REMARKS:
        return Subject(fragment=True)
    at = 0
    while at < len(items):
        pos = pos_of(items[at])
        counted = at if pos == "NUM" else at - 1
        at_once = _key(items[at]) == "一" and at + 1 < len(items) and pos_of(items[at + 1]) == "VERB"
        if pos in _BEFORE or at_once or (pos in ("NUM", "CLF") and _is_time(items, counted)):
            at += 1
        elif pos == "ADP" and _key(items[at]) in ("在", "从"):
            at = _after_place(items, at)
        else:
            break
    some = (
        at + 1 < len(items) and _key(items[at]) == "好" and pos_of(items[at + 1]) in ("DET", "NUM")
    )  # 好几个
    at += some
    if at == len(items) or (pos_of(items[at]) in _PREDICATES and not _describes(items, at)):
        return Subject(fragment=True) if _is_weather(items, at) else Subject(left_out=True)
    if _key(items[at]) in _BODY:
        return Subject(fragment=True)
    head = _head(items, at)
    if head is None:
        return Subject()
    item = items[head]
    return (
        Subject(place=head)
        if isinstance(item, Slot) or (isinstance(item, Plain) and item.label)
        else Subject()
    )


def settled(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the items with 过, 下 and 对 as what they are here: 过了三天, 下着雨, 对小明说."""
    found = list(items)
    for place, item in enumerate(items):
        before = pos_of(items[place - 1]) if place else ""
        following = _key(items[place + 1]) if place + 1 < len(items) else ""
        if _key(item) == "过" and following == "了" and before in ("", "ADV"):
            found[place] = Plain("过.pass")
        elif _key(item) == "下" and before != "VERB" and {_key(each) for each in items[place:]} & _FALLING:
            found[place] = Plain("下.fall")
        elif _key(item) == "对" and place + 1 < len(items) and _is_somebody(items[place + 1]):
            found[place] = Plain("对.to")
    return tuple(found)


def _key(item: Item) -> str:
    return item.key if isinstance(item, Plain) else ""


def _is_somebody(item: Item) -> bool:
    return isinstance(item, Slot) or pos_of(item) in ("NOUN", "PROPN", "PRON") or _key(item) == "着"


def _only_when(items: tuple[Item, ...]) -> bool:
    """Return whether a clause only says when: 过了三天, 从那天起, 下课以后, 第二天是 …; or 没想到."""
    keys = [_key(item) for item in items]
    first = 1 if keys[0] == "又" else 0
    lasts = keys[first : first + 2] in (["过.pass", "了"], ["不", "到"]) and keys[-1] in _LASTS
    begins = keys[0] == "从" and keys[-1] == "起"
    school = keys[-1] in ("以后", "时候") and bool(_LESSONS & set(keys))
    return (
        lasts
        or begins
        or school
        or keys == ["没", "想到"]
        or (pos_of(items[0]) == "TIME" and keys[1:2] == ["是"])
    )


def _describes(items: tuple[Item, ...], at: int) -> bool:
    """Return whether an adjective belongs to a noun that follows, or stands for one: 红红的太阳, 白的太大."""
    if at + 2 >= len(items) or _key(items[at]) == "满":
        return False
    of = _key(items[at + 1]) == "的"
    if pos_of(items[at]) == "VERB":  # 投票的结果是 …
        return (
            of and pos_of(items[at + 2]) == "NOUN" and any(pos_of(each) == "VERB" for each in items[at + 3 :])
        )
    noun = isinstance(items[at + 1], Plain) and pos_of(items[at + 1]) == "NOUN"
    return pos_of(items[at]) == "ADJ" and (of or noun)


def _is_weather(items: tuple[Item, ...], at: int) -> bool:
    """Return whether the verb is one that nobody does: 下雨了, 刮起了大风, 还剩两块."""
    left = _key(items[at]) in ("剩", "剩下") if at < len(items) else False
    return left or any(_key(item) in _WEATHER for item in items[at : at + 3])


def _is_time(items: tuple[Item, ...], at: int) -> bool:
    after = _key(items[at + 1]) if at + 1 < len(items) else ""
    return after in ("点", "天.day", "岁")


def _after_place(items: tuple[Item, ...], at: int) -> int:
    """Return the index behind 在 …里: behind the locative, or else behind the noun."""
    for later in range(at + 1, len(items)):
        if pos_of(items[later]) == "LOC":
            return later + 1
        if pos_of(items[later]) in ("VERB", "ADV", "ADP"):
            break
    for later in range(at + 1, len(items)):
        follows_of = later + 1 < len(items) and _key(items[later + 1]) == "的"
        if pos_of(items[later]) in ("NOUN", "PROPN", "PRON") and not follows_of:
            return later + 1
    return at + 1


def _head(items: tuple[Item, ...], at: int) -> int | None:
    """Return the head of the noun phrase that begins here; None for a place (桌子上放着 …)."""
    start = at
    while at < len(items):
        pos = pos_of(items[at])
        nxt = items[at + 1] if at + 1 < len(items) else None
        if pos in _INSIDE or _key(items[at]) == "的":
            at += 1
        elif pos in ("NOUN", "PROPN", "PRON"):
            if nxt is not None and (_key(nxt) == "的" or _joined(items[at], nxt)):
                at += 1
                continue
            return None if nxt is not None and pos_of(nxt) == "LOC" else at
        elif (
            pos == "VERB" and at > start and _key(items[at]) != "是" and "的" in map(_key, items[at:])
        ):  # 一位卖气球的老爷爷, but not 那是我的书
            at = at + [_key(item) for item in items[at:]].index("的")
        else:
            return None
    return None


def _joined(item: Item, following: Item) -> bool:
    """Return whether two nouns make one phrase: 小狗 豆豆, 我 妈妈."""
    return isinstance(item, Plain) and pos_of(following) in ("NOUN", "PROPN")
