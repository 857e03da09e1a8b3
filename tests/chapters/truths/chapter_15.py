"""Chapter 15: truths by records, by WordPiece, and by definitions tried out one by one."""

from itertools import combinations, product

import numpy as np
import torch
from torch import Tensor
from transformers import BertTokenizer

from bertviz_lite.chapters.chapter_15.arms import ARMS
from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.exercises import Case, normal
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


def chosen_rows() -> list[Case]:
    rows = product((False, True), repeat=5)
    return [Case(lengths, list(row)) for row in rows for lengths in ([2, 3], [1, 4], [5])]


TRUTHS = {
    "which_arm": Truth("the recorded numbers of the four arms", arms_by_the_records),
    "in_another_order": Truth("pair by pair, by numpy", pair_by_pair, shuffled_tables),
    "torn_words": Truth("each character beside the number of its word", torn_by_groups, chosen_rows),
    "own_vectors": Truth(
        "a character at a time",
        vectors_one_by_one,
        lambda: [
            Case(normal(2, 5, 3, seed=6), torch.tensor([[2, 9, 3, 0, 0], [2, 1, 4, 8, 3]])),
            Case(normal(1, 9, 2, seed=7), torch.tensor([[2, 9, 9, 9, 3, 8, 8, 3, 0]])),
        ],
    ),
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
