"""Minimal pairs in Chinese: a story, and the same story with a word, or two, that nobody would write.

Every kind follows from the marks. A pronoun is wrong only where nobody in the story could be meant by it, a
classifier only where the noun takes it by no table.

>>> pair = minimal_pairs(seed=3, per_kind=1)[0]
>>> pair.kind, pair.right != pair.wrong
('classifier', True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bertviz_lite.basics.arguments import whole_number
from bertviz_lite.world.chinese.grammar.numbers import written
from bertviz_lite.world.chinese.grammar.text import Sentence, Story
from bertviz_lite.world.chinese.lexicon import entries, entry, of_class
from bertviz_lite.world.chinese.stories import story
from bertviz_lite.world.events.minimal_pair import MinimalPair

Wrong = Callable[[Story, Sentence, int], "tuple[int, str] | None"]
"""For a word of a sentence: how many words are replaced, and by what; None where nothing is to be learned."""

_MOST_STORIES = 60  # read for each pair of a kind
_FOR_THE_LIVING, _FOR_THINGS = ("辆", "朵", "座", "本"), ("头", "匹", "辆", "朵")
_BEFORE_VERBS = ("都", "也", "就", "才", "很", "不", "没", "已经", "正在", "马上")
_ASKING = {"谁", "什么", "哪儿", "怎么", "为什么", "几", "哪里", "多少"}
_ANY = {"什么", "几"}  # 你能帮我什么忙吗 is right, too
_LAUGHS = ("笑", "哭", "叫", "跳", "喊", "大叫", "又", "合")  # 高兴地笑了 and 高兴得笑了 are both right
_SAYS = ("说", "问", "觉得", "想")
_WOULD_SPEAK = {"布娃娃", "雪人"}  # who may be 她 to a child


def _clause(sentence: Sentence, index: int) -> list[str]:
    """Return the words of the clause that a word is in, up to it."""
    words = [word.text for word in sentence.words[:index]]
    while any(mark in words for mark in "，。：“！？；"):
        words = words[1:]
    return words


def _rest(sentence: Sentence, index: int) -> list[str]:
    """Return the words behind a word, up to the end of its clause."""
    words = []
    for word in sentence.words[index + 1 :]:
        if word.pos == "PUNCT":
            break
        words.append(word.text)
    return words


def classifier(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """一只狗, not 一辆狗."""
    word = sentence.words[index]
    if word.noun is None or word.head is None:
        return None
    noun = entry(word.noun)
    choices = _FOR_THE_LIVING if noun.classes & {"animal", "person"} else _FOR_THINGS
    wrong = [choice for choice in choices if choice not in noun.classifiers]
    return 1, wrong[word.start % len(wrong)]


def _gender_is_known(told: Story, number: int) -> bool:
    """Return whether a name or a noun says the gender: 小红, 爷爷, but not 李老师."""
    being = told.beings[number]
    if being.members:
        return all(_gender_is_known(told, member) for member in being.members)
    if being.kind == "animal":
        return True
    return any(being.called.endswith(entries()[key].text) for sign in "mf" for key in of_class(sign))


def pronoun(told: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """小红 is 她, not 他."""
    word = sentence.words[index]
    if word.entity is None or not _gender_is_known(told, word.entity):
        return None
    wrong = {"他": "她", "她": "他", "它": "她", "他们": "她们", "她们": "他们"}.get(word.text)
    if wrong is None:
        return None
    being = told.beings[word.entity]
    if being.kind == "animal" or being.called in _WOULD_SPEAK:  # stories call an animal 她 as well
        return None
    others = {each.pronoun for each in told.beings}
    one = {"她们": "她", "他们": "他"}.get(wrong, wrong)
    return None if others & {wrong, one} else (1, wrong)


def aspect(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """打破了, not 打破着; 笑着说, not 笑过说; 没吃过, not 没吃了. 挂满着 is said."""
    word, before = sentence.words[index], sentence.words[index - 1]
    after = sentence.words[index + 1] if index + 1 < len(sentence.words) else None
    if word.aspect in ("perfective", "change") and _is_result(before.text) and before.text[-1] != "满":
        return 1, "着"
    if word.aspect == "durative" and after is not None and after.text in ("说", "问", "回答"):
        return 1, "过"
    if word.aspect == "experiential" and {"没", "没有", "从来"} & set(_clause(sentence, index)):
        return 1, "了"
    return None


def _is_result(text: str) -> bool:
    return text in entries() and "result" in entry(text).classes


def order(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """都喜欢, not 喜欢都; left out is what would say something else, or ask: 不敢去 and 敢不去, 听见没."""
    if index + 1 == len(sentence.words):
        return None
    word, after = sentence.words[index], sentence.words[index + 1]
    before = sentence.words[index - 1] if index else word
    if word.text not in _BEFORE_VERBS or word.pos != "ADV" or after.pos not in ("VERB", "ADJ", "AUX"):
        return None
    if before.pos in ("VERB", "ADJ"):  # 跑不动, 好不好
        return None
    rest = _rest(sentence, index)
    said = after.text in _SAYS and len(rest) > 1  # 都说好看, 说都好看
    either = word.text == "不" and (after.pos == "AUX" or after.text in ("想", "知道") or "了" in rest)
    asks = word.text in ("不", "没", "没有") and not {*rest[1:]} - {"呢", "了", "吧"}  # 听见没
    how = word.text in ("也", "都", "不") and "怎么" in _clause(sentence, index)  # 怎么跑也跑不出来
    steps = word.text == "没" and (rest[1:2] == ["几"] or after.text == "看见")  # 走没几步, 看见没人
    pairs = {("就", "来"), ("就", "去"), ("就", "数"), ("就", "可以")}  # 数着数着数就错了
    first = (word.text, after.text) == ("都", "是") and rest[1:2] == ["先"]
    right = said or either or asks or how or steps or first or (word.text, after.text) in pairs
    return None if right else (2, after.text + word.text)


def number_order(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """三只猫, not 只三猫."""
    word = sentence.words[index]
    if word.pos != "NUM" or index + 2 >= len(sentence.words):
        return None
    after = sentence.words[index + 1]
    return (2, after.text + word.text) if after.pos == "CLF" and after.head is not None else None


def ba_or_bei(told: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """她把花瓶打破了, not 她被花瓶打破了; 花瓶被她打破了, not 花瓶把她打破了."""
    word = sentence.words[index]
    if word.pos != "ADP" or word.text not in ("把", "被"):
        return None
    behind = next(
        (each.entity for each in sentence.words[index + 1 :] if each.pos in ("NOUN", "PROPN", "PRON")), None
    )
    if behind is None:
        return None
    lives = told.beings[behind].kind != "thing"
    if word.text == "把":
        return None if lives else (1, "被")
    before = [told.beings[each.entity].kind for each in sentence.words[:index] if each.entity is not None]
    return (1, "把") if lives and before and before[-1] == "thing" else None


def de(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """高兴地说, 跑得快, 我的书: three words that are said alike."""
    word = sentence.words[index]
    if word.pos != "PART" or word.text not in ("的", "地", "得"):
        return None
    if word.text == "的" and (
        index + 1 == len(sentence.words) or sentence.words[index + 1].pos not in ("NOUN", "PROPN")
    ):
        return None
    before, after = sentence.words[index - 1], sentence.words[index + 1]
    if word.text != "的" and before.pos == "ADJ" and after.text.startswith(_LAUGHS):
        return None
    return 1, {"的": "得", "地": "得", "得": "地"}[word.text]


def two(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """两只猫, not 二只猫."""
    word = sentence.words[index]
    return (1, "二") if word.text == "两" and word.pos == "NUM" else None


def comparison(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """比我还快, not 比我很快; 比我高, not 把我高."""
    word = sentence.words[index]
    if word.text in ("还", "更") and word.pos == "ADV" and "比" in _clause(sentence, index):
        return 1, "很"
    if word.text == "比" and word.pos == "ADP" and "一样" not in _rest(sentence, index):
        return 1, "把"
    return None


def question(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """你累吗, 谁累呢: 吗 asks yes or no, 呢 goes with a question word."""
    word, before = sentence.words[index], set(_clause(sentence, index))
    if word.pos != "PART" or index + 1 == len(sentence.words) or sentence.words[index + 1].text != "？":
        return None
    if word.text == "吗" and not before & {*_ASKING, "还"}:
        return 1, "呢"
    return (1, "吗") if word.text == "呢" and before & _ASKING and not before & _ANY else None


def negation(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """没见过, not 不见过; 没有帽子, not 不有帽子; 不是, not 没是."""
    word, rest = sentence.words[index], _rest(sentence, index)
    if word.text in ("没", "没有") and "过" in rest:
        return 1, "不"
    after = sentence.words[index + 1].pos if index + 1 < len(sentence.words) else ""
    if word.text == "没有" and after in ("NOUN", "NUM"):
        return 1, "不有"
    before = sentence.words[index - 1].text if index else ""
    same = word.text == "不" and rest[:1] in (["是"], ["知道"], ["会"]) and before != rest[0]
    return (1, "没") if same else None


def count(_: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """Five less two is three."""
    word = sentence.words[index]
    if word.determined != "count" or word.number is None:
        return None
    after = sentence.words[index + 1] if index + 1 < len(sentence.words) else None
    return 1, written(word.number + 1, counts=after is not None and after.pos == "CLF")


def time(told: Story, sentence: Sentence, index: int) -> tuple[int, str] | None:
    """昨天 … 了, not 明天 … 了."""
    word = sentence.words[index]
    if word.text != "昨天" or "“" in [each.text for each in told.words[: word.index]]:
        return None
    return (1, "明天") if "了" in [each.text for each in sentence.words[index:]] else None


KINDS: dict[str, Wrong] = {
    "classifier": classifier,
    "pronoun": pronoun,
    "aspect": aspect,
    "order of adverb and verb": order,
    "order of number and classifier": number_order,
    "把 or 被": ba_or_bei,
    "的, 地 or 得": de,
    "两 or 二": two,
    "comparison": comparison,
    "question": question,
    "不 or 没": negation,
    "count": count,
    "time": time,
}


def pairs_of(told: Story, kind: str) -> Iterator[MinimalPair]:
    """Yield all pairs of a kind that a story gives."""
    text = told.text
    for sentence in told.sentences:
        for index, word in enumerate(sentence.words):
            if found := KINDS[kind](told, sentence, index):
                length, wrong = found
                start, end = word.start, sentence.words[index + length - 1].end
                yield MinimalPair(kind, text[:start], text[start:end], wrong, text[end:])


def minimal_pairs(seed: int, per_kind: int = 100) -> list[MinimalPair]:
    """Return at most ``per_kind`` pairs of each kind, one of a kind from a story."""
    seed, per_kind = whole_number("seed", seed), whole_number("per_kind", per_kind, least=0)
    by_kind: dict[str, list[MinimalPair]] = {kind: [] for kind in KINDS}
    for index in range(_MOST_STORIES * per_kind):
        told = story(seed, index)
        for kind, pairs in by_kind.items():
            if len(pairs) < per_kind and (found := list(pairs_of(told, kind))):
                pairs.append(found[index % len(found)])
        if all(len(pairs) >= per_kind for pairs in by_kind.values()):
            break
    return [pair for pairs in by_kind.values() for pair in pairs]
