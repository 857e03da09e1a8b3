"""Chapter 15: truths by records, by WordPiece, and by definitions tried out one by one."""

from itertools import combinations, product

import numpy as np
import torch
from torch import Tensor
from transformers import BertTokenizer

from bertviz_lite.chapters.chapter_15.arms import ARMS
from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.exercises import Case, normal, uniform
from tests.helpers.truths import Truth

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LEXICON = ["天", "天上", "上", "天上人间", "人", "人间", "间", "北京", "京城", "城"]


def arms_by_the_records() -> dict[str, str]:
    """Find each line of the exercise's table among the recorded numbers, rounded as it is."""
    table = {"A": (0.42, 0.12), "B": (0.47, 0.07), "C": (0.30, 0.12), "D": (0.44, 0.17)}
    found = {
        (round(about["one character"][0], 2), round(about["several"][0], 2)): ARMS[arm]
        for arm, about in recorded("chinese_masking")["words"].items()
    }
    return {label: found[numbers] for label, numbers in table.items()}


def pair_by_pair(one: Tensor, other: Tensor, order: Tensor) -> Tensor:
    """Look each pair up under its new numbers, and correlate the two lists by numpy."""
    new = order.tolist()
    pairs = list(combinations(range(len(new)), 2))
    lists = [[float(one[i, j]) for i, j in pairs], [float(other[new[i], new[j]]) for i, j in pairs]]
    return torch.tensor(np.corrcoef(lists)[0, 1])


def shuffled_tables() -> list[Case]:
    tables = [normal(count, count, seed=count) for count in (3, 5, 8)]
    return [
        Case(tables[k] + tables[k].T, tables[k].sin() + tables[k].T.sin(), torch.tensor(order))
        for k, order in ((0, [1, 2, 0]), (1, [4, 0, 3, 1, 2]), (2, [7, 0, 1, 2, 6, 3, 4, 5]))
    ]


def chosen_word_by_word(lengths: list[int], draws: Tensor, rate: float) -> Tensor:
    """Cut the draws into words by numpy, and write each word's answer as often as it has characters."""
    words = np.split(draws.numpy(), np.cumsum(lengths)[:-1])
    return torch.tensor([bool(word[0] < rate) for word in words for _ in word])


def means_by_a_matrix(hidden: Tensor, lengths: list[int]) -> Tensor:
    """Multiply by a table of words by characters, each row of which adds up to 1."""
    of = np.repeat(np.arange(len(lengths)), lengths)
    shares = (of == np.arange(len(lengths))[:, None]) / np.array(lengths)[:, None]
    return torch.from_numpy(shares) @ hidden


def cut_by_word_pieces(text: str, words: list[str]) -> list[str]:
    """Let WordPiece cut, told not to set Chinese characters apart; its vocabulary has each word twice."""
    entries = dict.fromkeys([*SPECIAL, *(sign + word for word in [*words, *text] for sign in ("", "##"))])
    vocabulary = {entry: number for number, entry in enumerate(entries)}
    tokenizer = BertTokenizer(vocab=vocabulary, tokenize_chinese_chars=False)
    return [token.removeprefix("##") for token in tokenizer.tokenize(text)]


def drawn_rows() -> list[Case]:
    draws = [uniform(5, seed=seed) for seed in range(4)]
    return [Case(lengths, row, 0.4) for row in draws for lengths in ([2, 3], [1, 4], [5], [1, 1, 1, 1, 1])]


TRUTHS = {
    "which_arm": Truth("the recorded numbers of the four arms", arms_by_the_records),
    "in_another_order": Truth("pair by pair, by numpy", pair_by_pair, shuffled_tables),
    "choose_words": Truth("a word at a time, cut by numpy", chosen_word_by_word, drawn_rows),
    "word_vectors": Truth(
        "a table of shares, words by characters",
        means_by_a_matrix,
        lambda: [
            Case(normal(7, 3, seed=8), [2, 2, 3]),
            Case(normal(5, 4, seed=9), [1, 4]),
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
