"""What a page says around its views, in Chinese: titles, sentences below them, tabs.

The words are those of CONTRIBUTING's list. What the views themselves say stands in their ``language/``.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CHINESE", "LANGUAGES", "TOWN", "attributes", "spoken"]

TOWN: Final = " This BERT has read nothing but stories of a made-up town."
"""What the pocket model knows the world from: the end of each introduction on the page for a class."""
_TOWN_ZH = "这个 BERT 只读过一座虚构小镇的故事。"

LANGUAGES: Final[Mapping[str, str]] = {"en": "en", "zh": "zh-Hans"}
"""The languages, and what a page's code calls them."""

CHINESE: Final[Mapping[str, str]] = {
    # titles, and what the views show
    "What attends to what": "谁在注意谁",
    "The attention weights of every head: "
    "choose a small picture, then a token to see which tokens it reads": (
        "每个注意力头的权重：选一张小图，再选一个词元，看它读取哪些词元"
    ),
    "What an input embedding is made of": "输入嵌入由什么组成",
    "An input embedding as the sum of word, position and segment: "
    "choose a token to see what each of them adds": (
        "输入嵌入是词、位置、片段三者之和：选一个词元，看每一部分的贡献"
    ),
    "What stands behind the mask": "[MASK] 背后是什么词",
    "What BERT expects in place of a hidden word, layer by layer: "
    "choose a word of the list and follow its line": (
        "BERT 逐层对被遮住的词的预测：在列表里选一个词，跟着它的曲线看"
    ),
    "A text goes through BERT": "一段文本走过 BERT",
    "A text on its way through a whole BERT: "
    "choose a box to see its numbers, or a token to follow it through": (
        "一段文本走过整个 BERT：选一个方框看它的数值，或选一个词元跟着它走"
    ),
    "What masking does to a sentence": "掩码对句子做了什么",
    "What BERT’s training hides, replaces or keeps: "
    "draw again, change the shares, or choose a token to see why": (
        "BERT 预训练遮住、替换、保留了什么：重新抽取，改变比例，或选一个词元看原因"
    ),
    "Does B continue A?": "B 接得上 A 吗？",
    "Whether text B continues text A, as BERT sees it: choose a word to see how the answer depends on it": (
        "在 BERT 看来，文本 B 是否接着文本 A：选一个词，看答案怎样取决于它"
    ),
    "A training run, moment by moment": "一次训练的各个时刻",
    "How BERT learned, from the first step to the last: "
    "move through the training and watch abilities appear": (
        "BERT 从第一步到最后一步怎样学习：在训练过程中移动，看各种能力出现"
    ),
    "How a text becomes tokens": "文本怎样变成词元",
    "How BERT cuts a text into tokens: choose a token to see its letters, its id, and what else was tried": (
        "BERT 怎样把文本切成词元：选一个词元，看它的字母、编号，以及试过的其他切法"
    ),
    "The path of a tensor, step by step": "一个张量走过的路，一步一步",
    "The way of a tensor through a model, with every shape: go step by step, or choose a step to open it": (
        "一个张量怎样穿过模型，附每一步的形状：一步步走，或选一步打开"
    ),
    # how such a sentence ends
    ".": "。",
    "; this page works offline.": "；这个页面离线也能用。",
    "; {models} answers in it, offline too.": "；由页面里的 {models} 回答，离线也能用。",
    # the page for a class: its title, tabs and introductions
    "BERT, view by view": "逐个视图看 BERT",
    "How BERT reads": "BERT 怎样阅读",
    "Views": "视图",
    "The model that answers, {models}, is in this page and computes on your own device: "
    "nothing that you type leaves it.": (
        "回答的模型 {models} 就在这个页面里，在你自己的设备上计算：你输入的内容不会传出去。"
    ),
    "Fill in": "填词",
    "Attention": "注意力",
    "Tokens": "词元",
    "Embeddings": "嵌入",
    "Masking": "掩码",
    "Pairs": "句对",
    "Machine": "全貌",
    "Training": "训练",
    "Write a sentence with [MASK], or choose a word to hide it. BERT guesses the hidden word from both "
    "sides; the lines show how the guess forms from layer to layer. This BERT has read nothing but "
    "stories of a made-up town, in which there is no phone, coffee or computer.": (
        "写一句带 [MASK] 的英文，或选一个词把它遮住。BERT 根据左右两边猜出被遮住的词；"
        "曲线显示猜测怎样逐层形成。"
        "这个 BERT 只读过一座虚构小镇的故事，镇上没有手机、咖啡和电脑。"
    ),
    "Each head decides from where a token takes what it needs. Choose a head on its small picture, choose a "
    "token, hide a word or switch the head off, and see what changes." + TOWN: (
        "每个注意力头决定一个词元从哪里取得所需的信息。在小图上选一个头，选一个词元，遮住一个词或关闭这个头，"
        "看看有什么变化。" + _TOWN_ZH
    ),
    "BERT reads word pieces, not words. A word that is not in the vocabulary is cut into parts that are; one "
    "that no parts spell becomes [UNK]." + TOWN: (
        "BERT 读的是子词，不是词。词表里没有的词会被切成词表里有的部分；拼不出来的词变成 [UNK]。" + _TOWN_ZH
    ),
    "A token enters as the sum of three rows: which word piece it is, where it stands, which text it "
    "belongs to." + TOWN: "一个词元进入模型时是三行之和：它是哪个子词，在什么位置，属于哪段文本。" + _TOWN_ZH,
    "How BERT was trained: some tokens are chosen; most of them are hidden, some are replaced, some are "
    "kept. Draw again, change the shares, and let the model guess." + TOWN: (
        "BERT 是这样预训练的：选中一些词元；其中多数被遮住，一些被替换，一些保持不变。"
        "重新抽取，改变比例，让模型来猜。" + _TOWN_ZH
    ),
    "Does the second text continue the first? Change a word in either, or hide it, and see which words the "
    "answer depends on." + TOWN: "第二段文本接得上第一段吗？改掉或遮住其中一个词，看答案取决于哪些词。"
    + _TOWN_ZH,
    "The whole of BERT on one page: follow a text from its word pieces to the answers, and open any box to "
    "see its numbers." + TOWN: "一页看完整个 BERT：跟着文本从子词走到答案，打开任何一个方框看它的数值。"
    + _TOWN_ZH,
    "How this model was trained: move through the run, and see when each ability appeared."
    + TOWN: "这个模型是怎样训练出来的：沿着训练过程移动，看每种能力何时出现。" + _TOWN_ZH,
}


def spoken(
    tag: str,
    text: str,
    lang: str,
    *,
    ending: str = "",
    attribute: str = "",
    models: str = "",
    name: str = "",
) -> str:
    """Return an HTML element that says `text` in `lang`, with the other language beside it if known.

    Parameters
    ----------
    tag
        What the element is.
    text
        In English, not HTML.
    lang
        "en" or "zh".
    ending
        How a sentence that has no full stop ends.
    attribute
        More of the opening tag, as HTML, with a space before it.
    models
        The names of the models that answer in the page, which take the place of ``{models}``.
    name
        What is said after the text, a name that is the same in both languages.
    """
    named = f" · {name}" if name else ""
    chinese = CHINESE.get(text)
    if chinese is None:
        foreign = ' lang="en"' if lang != "en" else ""
        said = text + ending.replace("{models}", models) + named
        return f"<{tag}{attribute}{foreign}>{_html(said)}</{tag}>"
    both = {"en": text + ending, "zh": chinese + (CHINESE[ending] if ending else "")}
    both = {key: said.replace("{models}", models) + named for key, said in both.items()}
    known = "".join(f' data-bvl-{key}="{html.escape(said)}"' for key, said in both.items())
    return f"<{tag}{attribute}{known}>{_html(both[lang])}</{tag}>"


def attributes(name: str, text: str, lang: str) -> str:
    """Return an attribute that says `text` in `lang`, with what it is in both languages, as HTML."""
    both = {"en": text, "zh": CHINESE[text]}
    known = "".join(f' data-bvl-{name}-{other}="{html.escape(said)}"' for other, said in both.items())
    return f' {name}="{html.escape(both[lang])}"{known}'


def _html(text: str) -> str:
    return html.escape(text, quote=False)
