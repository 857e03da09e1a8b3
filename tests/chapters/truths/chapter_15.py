"""Chapter 15: truths by tokenizers, collators, and definitions tried out character by character."""

from itertools import pairwise, product

import numpy as np
import torch
from torch import Tensor
from transformers import BertTokenizer, DataCollatorForLanguageModeling

from bertviz_lite.data.vocabulary import character_tokenizer
from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LEXICON = ["天", "天上", "上", "天上人间", "人", "人间", "间", "北京", "京城", "城"]


def counted_by_the_tokenizer() -> int:
    return len(character_tokenizer(["小狗吃了个。"]).tokenize("小狗吃了2个apple。"))


def rows_of_one_word() -> float:
    """Count the words that the library sees in 17 characters, and take the collator's own probability."""
    text = "使用语言模型来预测下一个词的概率。"
    tokenizer = character_tokenizer([text])
    spans = tokenizer(text, return_offsets_mapping=True)["offset_mapping"][1:-1]
    gaps = sum(one[1] != other[0] for one, other in pairwise(spans))
    left = 1 - DataCollatorForLanguageModeling(tokenizer).mlm_probability
    return 2_000 * left ** (gaps + 1)


def by_numbers(words: list[str]) -> list[bool]:
    """Give each word a number, repeat it for each character, and compare neighbours."""
    numbers = np.repeat(np.arange(len(words)), [len(word) for word in words])
    return [False, *(numbers[1:] == numbers[:-1]).tolist()]


def torn_by_groups(lengths: list[int], chosen: list[bool]) -> int:
    """Put each character beside the number of its word, and count words that have both kinds."""
    numbers = np.repeat(np.arange(len(lengths)), lengths).tolist()
    both = set(zip(numbers, chosen, strict=True))
    return sum(len({kind for of, kind in both if of == number}) == 2 for number in range(len(lengths)))


def vectors_one_by_one(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    texts = []
    for vectors, row in zip(hidden, ids.tolist(), strict=True):
        kept = [vectors[place] for place, number in enumerate(row) if number not in {0, 2, 3}]
        texts.append(torch.stack(kept))
    return texts


def cut_by_word_pieces(text: str, words: list[str]) -> list[str]:
    """Let WordPiece cut, told not to set Chinese characters apart; its vocabulary has each word twice."""
    entries = dict.fromkeys([*SPECIAL, *(sign + word for word in [*words, *text] for sign in ("", "##"))])
    vocabulary = {entry: number for number, entry in enumerate(entries)}
    tokenizer = BertTokenizer(vocab=vocabulary, tokenize_chinese_chars=False)
    return [token.removeprefix("##") for token in tokenizer.tokenize(text)]


def chosen_rows() -> list[Case]:
    rows = product((False, True), repeat=5)
    return [Case(lengths, list(row)) for row in rows for lengths in ([2, 3], [1, 4], [5])]


TRUTHS = {
    "how_many_tokens": Truth("the tokenizer", counted_by_the_tokenizer),
    "nothing_hidden": Truth("the collator's probability, and the words it sees", rows_of_one_word),
    "continues": Truth(
        "numbers of words, compared with their neighbours",
        by_numbers,
        lambda: [Case(["星期天", "下午", "，"]), Case(["天", "天天", "天"]), Case(["好"])],
    ),
    "torn_words": Truth("each character beside the number of its word", torn_by_groups, chosen_rows),
    "own_vectors": Truth(
        "a character at a time",
        vectors_one_by_one,
        lambda: [
            Case(normal(2, 5, 3, seed=6), torch.tensor([[2, 9, 3, 0, 0], [2, 1, 4, 8, 3]])),
            Case(normal(1, 9, 2, seed=7), torch.tensor([[2, 9, 9, 9, 3, 8, 8, 3, 0]])),
        ],
    ),
    "longest_match": Truth(
        "WordPiece, told not to set characters apart",
        cut_by_word_pieces,
        lambda: [
            Case("北京城上", LEXICON),
            Case("去北京", LEXICON),
            *(Case("".join(row), LEXICON) for row in list(product("天上人间城", repeat=4))[::7]),
        ],
    ),
}
