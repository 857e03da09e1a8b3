"""Hidden words in texts as they are, with misspelt words around them, and with unknown ones."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.chapters.chapter_01.many_words import with_errors
from bertviz_lite.data.cloze import Cloze
from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.data.vocabulary import MAX_LENGTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.world import Story

__all__ = ["excerpt", "three_texts"]

_OPEN_CLASS = ("NOUN", "VERB", "ADJ")


def three_texts(
    stories: Sequence[Story], tokenizer: PreTrainedTokenizerFast, count: int, max_length: int = MAX_LENGTH
) -> dict[str, list[Cloze]]:
    """Hide a noun, a verb or an adjective of one token in `count` places, each of them in three texts.

    Parameters
    ----------
    stories
        Stories from which the places are drawn.
    tokenizer
        Of the model that is to guess.
    count
        How many places; fewer where the stories have no more.
    max_length
        Places whose misspelt text has more tokens are left out.

    Returns
    -------
    dict
        The same places in the text "as it is", "misspelt" (two letters swapped in every other word of more
        than three), and "unknown" ([UNK] for each word that is misspelt there).
    """
    places = [
        (encoded.input_ids.tolist(), start)
        for encoded in encode_stories(stories, tokenizer)
        for word, start, stop in encoded.words
        if word.pos in _OPEN_CLASS and word.text.isalpha() and stop - start == 1
    ]
    questions: dict[str, list[Cloze]] = {"as it is": [], "misspelt": [], "unknown": []}
    with_error = cache(partial(_with_error, tokenizer=tokenizer))
    for number in np.random.default_rng(0).permutation(len(places)).tolist():
        if len(questions["misspelt"]) == count:
            break
        ids, hidden = places[number]
        spelt = [[id_] if at == hidden else with_error(id_) for at, id_ in enumerate(ids)]
        if sum(map(len, spelt)) > max_length:
            continue
        unknown = [
            id_ if [id_] == now else tokenizer.unk_token_id for id_, now in zip(ids, spelt, strict=True)
        ]
        rows = {
            "as it is": (ids, hidden),
            "misspelt": ([id_ for now in spelt for id_ in now], sum(map(len, spelt[:hidden]))),
            "unknown": (unknown, hidden),
        }
        for name, (row, at) in rows.items():
            questions[name].append(Cloze.word(np.array(row), at, at + 1))
    return questions


def excerpt(question: Cloze, tokenizer: PreTrainedTokenizerFast, before: int = 8, after: int = 3) -> str:
    """Return the words around [MASK], so many before it and so many behind it."""
    ids = question.input_ids.copy()
    ids[question.positions] = tokenizer.mask_token_id
    left, right = str(tokenizer.decode(ids[1:-1])).split(str(tokenizer.mask_token), 1)
    first, last = left.split(" "), right.split(" ")  # the first of the last is what is glued to [MASK]
    begin = "… " * (len(first) > before + 1) + " ".join(first[-before - 1 :])
    return begin + str(tokenizer.mask_token) + " ".join(last[: after + 1]) + " …" * (len(last) > after + 1)


def _with_error(id_: int, tokenizer: PreTrainedTokenizerFast) -> list[int]:
    """Return the ids of a word whose middle letters are swapped; of anything else, its own id."""
    token = str(tokenizer.convert_ids_to_tokens(id_))
    if not token.isalpha() or with_errors(token) == token:
        return [id_]
    ids: list[int] = tokenizer(with_errors(token), add_special_tokens=False)["input_ids"]
    return ids
