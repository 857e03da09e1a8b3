"""Exercises of chapter 15: a sentence as BERT reads it, a character at a time."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal, question

PAD, UNK, CLS, SEP, MASK = range(5)


@question(
    hints=(
        "Spaces are put around each Chinese character. What is left between them?",
        "2 is between two Chinese characters, so it's alone. Is the Latin word apple in the vocabulary?",
        "The vocabulary has letters, and letters with ##: a ##p ##p ##l ##e.",
    ),
    note="In bert-base-chinese the word might be one token: it has common words of Latin letters.",
)
def how_many_tokens() -> int:
    """Say how many tokens 小狗吃了2个apple。 is to the Chinese pocket model, without [CLS] and [SEP].

    Of Latin letters its vocabulary has single ones, with and without ##, and no word.
    """
    characters = ["小", "狗", "吃", "了", "2", "个", "。"]
    pieces = ["a", "##p", "##p", "##l", "##e"]
    return len(characters) + len(pieces)


how_many_tokens.mistake("No Latin word is in this vocabulary: apple is cut into letters.", 8)
how_many_tokens.mistake("[CLS] and [SEP] are not to be counted.", 14)
how_many_tokens.mistake("A character of Chinese is a token, 小 and 狗 each for itself.", 11)


@question(
    hints=(
        "Where does the collator believe that a word begins?",
        "After a gap. So how many words are 17 characters in a row?",
        "One word: chosen with 15 %, else left alone.",
    ),
    note="The other 300 rows are all [MASK]: there's nothing left to guess from.",
    rtol=1e-9,
)
def nothing_hidden() -> float:
    """Say in how many of 2,000 rows, on average, whole_word_mask=True of transformers hides nothing.

    Each row is the same Chinese sentence of 17 characters; words are chosen with a probability of 15 %.
    """
    return 2_000 * (1 - 0.15)


nothing_hidden.mistake("In so many rows the whole sentence is hidden. How many are left?", 300.0)
nothing_hidden.mistake(
    "That would hold if each character had a draw of its own. Here one draw decides for all.",
    2_000 * 0.85**17,
)
nothing_hidden.mistake("Sometimes the draw does choose the word: with a probability of 15 %.", 2_000.0)


def _vector_cases() -> Iterator[Case]:
    yield Case(normal(1, 7, 3), torch.tensor([[CLS, 50, 51, 52, 53, 54, SEP]]), label="five characters")
    rows = [[CLS, 60, 61, SEP, PAD, PAD], [CLS, 62, UNK, MASK, 63, SEP]]
    yield Case(normal(2, 6, 4, seed=1), torch.tensor(rows), label="two texts, 60 61 and 62 [UNK] [MASK] 63")
    pair = [[CLS, 70, SEP, 71, 72, SEP, PAD], [CLS, 73, 74, 75, 76, 77, SEP]]
    yield Case(normal(2, 7, 2, seed=2), torch.tensor(pair), label="a pair, 70 and 71 72; and five characters")


@exercise(
    cases=_vector_cases,
    hints=(
        "A boolean tensor says where the text's own characters are: not [PAD], not [CLS], not [SEP].",
        "own = (ids != 0) & (ids != 2) & (ids != 3)",
        "For one text: vectors[own[0]] is (number of characters, hidden_size). Do this for each row.",
    ),
    note="[0, 1:6] gives the same for one text of five characters, and for no other.",
)
def own_vectors(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    """Return for each text the vectors of its own characters, (its number of characters, hidden_size).

    `hidden` is (batch, seq_len, hidden_size), `ids` (batch, seq_len). [PAD] is 0, [CLS] 2, [SEP] 3. An
    unknown character, 1, and [MASK], 4, stand for characters of the text: keep them.
    """
    own = (ids != PAD) & (ids != CLS) & (ids != SEP)
    return [vectors[places] for vectors, places in zip(hidden, own, strict=True)]


@own_vectors.mistake("Positions 1 to 5 are the characters of a text of five. This one is longer or shorter.")
def _one_to_six(hidden: Tensor, ids: Tensor) -> list[Tensor]:  # noqa: ARG001
    return [vectors[1:6] for vectors in hidden]


@own_vectors.mistake("A [SEP] is still among them.")
def _with_sep(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    return [vectors[(row != PAD) & (row != CLS)] for vectors, row in zip(hidden, ids, strict=True)]


@own_vectors.mistake("[PAD] has a vector too, and it's no character: leave it out.")
def _with_padding(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    return [vectors[(row != CLS) & (row != SEP)] for vectors, row in zip(hidden, ids, strict=True)]


@own_vectors.mistake("[UNK] and [MASK] stand for characters of the text: keep them.")
def _only_known(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    return [vectors[row > MASK] for vectors, row in zip(hidden, ids, strict=True)]


@own_vectors.mistake("Only the first text of the batch is there.")
def _only_first(hidden: Tensor, ids: Tensor) -> list[Tensor]:
    return own_vectors.reference(hidden[:1], ids[:1])  # type: ignore[return-value]
