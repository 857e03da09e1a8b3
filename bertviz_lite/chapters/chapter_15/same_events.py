"""Forty events, told in English and in Chinese: eight topics, five events each.

Both tellings keep to words of the two towns, so that each pocket model knows what it reads.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["EVENTS", "GRAMMAR", "Event", "nothing_shared"]

GRAMMAR = {
    "English": frozenset(
        re.findall(r"\S+", "a and at for has he her his in is it no of on she so the to . ,")
    ),
    "Chinese": frozenset("的了在一个就有，。"),
}
"""Words and signs that tell little of what happens: two events may have them in common and share nothing."""


class Event(NamedTuple):
    """An event: what it is about, and how it is told in each language."""

    topic: str
    english: str
    chinese: str


_TOLD = {
    "eating": (
        ("Tom is hungry, so he eats an apple.", "小明饿了，就吃了一个苹果。"),
        ("Anna eats a piece of bread.", "小红吃了一块面包。"),
        ("Grandmother cooks soup in the kitchen.", "奶奶在厨房里做汤。"),
        ("The boy buys a cake.", "男孩买了一个蛋糕。"),
        ("Mother gives Anna an egg.", "妈妈给小红一个鸡蛋。"),
    ),
    "drinking": (
        ("Anna is thirsty, so she drinks a glass of water.", "小红渴了，就喝了一杯水。"),
        ("The cat drinks milk.", "小猫喝牛奶。"),
        ("Grandfather drinks milk from a bowl.", "爷爷喝了一碗牛奶。"),
        ("Tom pours water into the cup.", "小明把水倒进杯子里。"),
        ("The bottle is empty.", "瓶子空了。"),
    ),
    "weather": (
        ("It is raining, and Tom has no umbrella.", "下雨了，小明没有伞。"),
        ("The sun is shining.", "太阳出来了。"),
        ("It is snowing in the garden.", "院子里下雪了。"),
        ("The wind blows the hat away.", "风把帽子吹走了。"),
        ("Anna opens her umbrella.", "小红打开了伞。"),
    ),
    "animals": (
        ("There is a swan on the lake.", "湖里有一只天鹅。"),
        ("The dog runs in the park.", "小狗在公园里跑。"),
        ("The cat catches a mouse.", "猫抓住了一只老鼠。"),
        ("A bird sings in the tree.", "小鸟在树上唱歌。"),
        ("The horse eats grass.", "马在吃草。"),
    ),
    "losing": (
        ("Tom has lost his key.", "小明的钥匙丢了。"),
        ("Anna looks for her book.", "小红在找她的书。"),
        ("Mother finds the key under the table.", "妈妈在桌子下面找到了钥匙。"),
        ("The boy cannot find his hat.", "男孩找不到他的帽子。"),
        ("Grandfather looks for his glasses.", "爷爷在找他的眼镜。"),
    ),
    "playing": (
        ("The children play with a ball.", "孩子们在玩球。"),
        ("Tom kicks the ball.", "小明踢了一下球。"),
        ("The ball breaks the window.", "球把窗户打破了。"),
        ("Anna flies a kite in the park.", "小红在公园里放风筝。"),
        ("The girl laughs and jumps.", "女孩一边笑一边跳。"),
    ),
    "sleeping": (
        ("Anna is tired, so she goes to bed.", "小红累了，就去睡觉。"),
        ("The cat sleeps on the chair.", "小猫在椅子上睡觉。"),
        ("Grandmother wakes up in the morning.", "早上，奶奶醒了。"),
        ("The child is asleep.", "孩子睡着了。"),
        ("Tom reads in his bed.", "小明在床上看书。"),
    ),
    "learning": (
        ("The teacher tells the children a story.", "老师给孩子们讲故事。"),
        ("Tom writes a letter.", "小明写了一封信。"),
        ("The children go to school.", "孩子们去学校。"),
        ("Anna draws a flower.", "小红画了一朵花。"),
        ("The teacher asks, and Tom answers.", "老师问，小明回答。"),
    ),
}

EVENTS = tuple(Event(topic, *pair) for topic, pairs in _TOLD.items() for pair in pairs)
"""The events, topic by topic."""


def nothing_shared(events: Sequence[Event], *, grammar: bool = False) -> torch.Tensor:
    """Return which pairs of events share no word in English and no character in Chinese.

    Parameters
    ----------
    events
        Some events.
    grammar
        Whether words and signs of grammar are shared words, too; the full stop never is.

    Returns
    -------
    Tensor
        Boolean, shape (len(events), len(events)).
    """
    ignored = frozenset(".。") if grammar else GRAMMAR["English"] | GRAMMAR["Chinese"]
    told = [
        {*re.findall(r"[a-z]+|[,.]", event.english.lower()), *event.chinese} - ignored for event in events
    ]
    return torch.tensor([[not one & other for other in told] for one in told])
