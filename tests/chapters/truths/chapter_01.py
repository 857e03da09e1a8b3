"""Chapter 01: truths by the libraries, by regular expressions, and by trying every way."""

import re
import string
from itertools import combinations, pairwise

import torch
from tokenizers.normalizers import BertNormalizer
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from transformers import BertTokenizer

from bertviz_lite.exercises import Case
from bertviz_lite.models.loading import folder_of
from tests.helpers.truths import Truth

SIGNS = string.ascii_lowercase + string.digits + string.punctuation


def tokenizer_of_signs() -> BertTokenizer:
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *SIGNS, *(f"##{sign}" for sign in SIGNS)]
    return BertTokenizer(vocab={token: number for number, token in enumerate(tokens)}, do_lower_case=True)


def the_unknown_one() -> str:
    tokenizer = tokenizer_of_signs()
    (unknown,) = [text for text in ("qqqqqq", "naïve", "don't", "5€") if "[UNK]" in tokenizer.tokenize(text)]
    return unknown


def by_tokens_per_word() -> list[str]:
    """Cut with the library, and count the words with a regular expression."""
    texts = {
        "A": "Anna lsot her kyes.",
        "B": "Chlorophyll absorbs photons.",
        "C": "ANNA'S KITTEN SLEEPS WONDERFULLY.",
        "D": "🙂 🙂 🙂",
    }
    tokenizer = BertTokenizer.from_pretrained(folder_of("pocket"))
    rates = {
        name: len(tokenizer.tokenize(text)) / len(re.findall(r"\w+|[^\w\s]", text))
        for name, text in texts.items()
    }
    return sorted(rates, key=rates.__getitem__)


def segments_of_tokenizer(first: int, second: int) -> list[int]:
    tokenizer = tokenizer_of_signs().backend_tokenizer  # the other one takes no empty text as second
    return tokenizer.encode(" ".join("a" * first), " ".join("b" * second)).type_ids


def normalised(text: str) -> list[str]:
    normalizer = BertNormalizer(
        clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=True
    )
    return normalizer.normalize_str(text).split()


def longest_ends(word: str, vocabulary: dict[str, int]) -> list[str]:
    """Let regular expressions search: of all matches up to the end they return the earliest."""
    begin = "|".join(re.escape(token) for token in vocabulary if not token.startswith("##"))
    inside = "|".join(re.escape(token[2:]) for token in vocabulary if token.startswith("##"))
    tokens: list[str] = []
    while word:
        found = re.search(rf"^(?:{begin})$|(?<=.)(?:{inside})$", word)
        if found is None:
            return ["[UNK]"]
        tokens.append("##" * (found.start() > 0) + found[0])
        word = word[: found.start()]
    return tokens[::-1]


def padded(rows: list[list[int]], pad_id: int) -> tuple[Tensor, Tensor]:
    ids = pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=pad_id)
    return ids, pad_sequence([torch.ones(len(row)) for row in rows], batch_first=True).long()


def fewest_of_all_cuts(word: str, vocabulary: dict[str, int]) -> int:
    for cuts in range(len(word)):
        for places in combinations(range(1, len(word)), cuts):
            edges = [0, *places, len(word)]
            tokens = [("##" if a else "") + word[a:b] for a, b in pairwise(edges)]
            if all(token in vocabulary for token in tokens):
                return len(tokens)
    return 1


def vocabulary_of(tokens: str) -> dict[str, int]:
    return {token: 7 + number for number, token in enumerate(tokens.split())}


WORDS = vocabulary_of("a ab abc ##b ##c ##bc ##cd ##d d ##e b")


def catnap() -> list[str]:
    entries = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "ca", "cat", "##tnap", "##na"]
    return BertTokenizer(vocab={entry: number for number, entry in enumerate(entries)}).tokenize("catnap")


TRUTHS = {
    "on_paper": Truth("transformers.BertTokenizer", catnap()),
    "which_is_unknown": Truth("transformers.BertTokenizer", the_unknown_one()),
    "fewest_first": Truth("transformers.BertTokenizer and a regular expression", by_tokens_per_word()),
    "segments": Truth(
        "transformers.BertTokenizer", segments_of_tokenizer, lambda: [Case(4, 3), Case(1, 1), Case(2, 9)]
    ),
    "plain_words": Truth(
        "tokenizers.normalizers.BertNormalizer",
        normalised,
        lambda: [Case("Über DÉJÀ vu"), Case("e\u0301a\u0308 Ø ł"), Case("  ")],
    ),
    "from_the_end": Truth(
        "regular expressions",
        longest_ends,
        lambda: [Case(word, WORDS) for word in ("abcd", "abcde", "dbc", "bcdx", "x", "abd")],
    ),
    "pad": Truth(
        "torch.nn.utils.rnn.pad_sequence",
        padded,
        lambda: [Case([[5], [1, 2, 3, 4], [0, 0]], 0), Case([[9, 9]], 9), Case([[1], [2, 3]], 1)],
    ),
    "fewest": Truth(
        "all ways to cut",
        fewest_of_all_cuts,
        lambda: [Case(word, WORDS) for word in ("abcd", "abcde", "abcdx", "dbcd", "a")],
    ),
}
