"""Labelled examples as a BERT reads them, one form for each kind of head; and batches of them.

A word's label goes to its first token; all other tokens get -100, which the loss leaves out. The answer to a
question is its first and last token, or [CLS] twice where there is none.

Left out: training (``finetuning``) and scoring (``task_scores``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, members, shown, whole_number
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.world.tasks.sets import FEELINGS, PAIR_LABELS, TAGS, Labelled, Pair, Question, Tagged

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.world.tasks.sets import Example

KINDS = (Labelled, Tagged, Question, Pair)
LABELS: dict[type, tuple[str, ...]] = {Labelled: FEELINGS, Pair: PAIR_LABELS, Tagged: TAGS}


@dataclass(frozen=True)
class Encoded:
    """One example as the model reads it: lists of one entry a token, and the labels of its head."""

    input_ids: list[int]
    token_type_ids: list[int]
    labels: dict[str, Any]
    offsets: list[tuple[int, int]] = field(repr=False, default_factory=list)
    words: list[int | None] = field(repr=False, default_factory=list)


def encode(
    examples: Sequence[Example],
    tokenizer: PreTrainedTokenizerFast,
    labels: Sequence[str] | None = None,
    *,
    every_token: bool = False,
) -> list[Encoded]:
    """Encode examples of one kind.

    Parameters
    ----------
    examples
        All of one class of ``world.tasks``.
    tokenizer
        The model's.
    labels
        The labels in the order of the head's outputs; those of the task where None. Questions have none.
    every_token
        Give a word's tag to all of its tokens, not to the first alone (the others get -100). Wrong for
        scoring, and for tags that say where a name begins.

    Returns
    -------
    list of Encoded
        ``labels`` holds what the head's ``forward`` takes: ``labels`` (a number, or one a token), or
        ``start_positions`` and ``end_positions`` (both 0, the [CLS], where there is no answer).

    Raises
    ------
    ValueError
        Where there is no example, they are of several kinds, or a label is unknown.
    """
    kind = kind_of(examples)
    if not callable(tokenizer):
        raise ArgumentError(
            f"tokenizer={shown(tokenizer)}: a tokenizer is needed, as load()[0], not {a_or_an(tokenizer)}."
        )
    if labels is not None:
        labels = members("labels", labels, str, "a list of labels")
    numbers = {label: number for number, label in enumerate(labels or LABELS.get(kind, ()))}
    encoder: Callable[[Any], Encoded] = {
        Labelled: lambda example: _encode_label(example, tokenizer, numbers),
        Pair: lambda example: _encode_label(example, tokenizer, numbers),
        Tagged: lambda example: _encode_tags(example, tokenizer, numbers, every_token=every_token),
        Question: lambda example: _encode_question(example, tokenizer),
    }[kind]
    return [encoder(example) for example in examples]


def kind_of(examples: Sequence[Example]) -> type:
    """Return the one class that all examples have.

    Raises
    ------
    ValueError
        Where there is no example, they are of several classes, or of none that has a head.
    """
    kinds = {type(example) for example in members("examples", examples, object, "a list of examples")}
    if len(kinds) != 1 or not kinds <= set(KINDS):
        names = ", ".join(sorted(kind.__name__ for kind in kinds)) or "none"
        raise ValueError(
            f"examples of {names}: give one or more, all Labelled, all Tagged, all Question or all Pair"
        )
    return kinds.pop()


def _number(label: str, numbers: dict[str, int]) -> int:
    if label not in numbers:
        raise ValueError(
            f"label {label!r} is none of {', '.join(numbers)}: give labels=, in the head's order"
        )
    return numbers[label]


def _encode_label(
    example: Labelled | Pair, tokenizer: PreTrainedTokenizerFast, numbers: dict[str, int]
) -> Encoded:
    texts = (example.text,) if isinstance(example, Labelled) else (example.first, example.second)
    row = tokenizer(*texts, truncation=True)
    return Encoded(row["input_ids"], row["token_type_ids"], {"labels": _number(example.label, numbers)})


def _encode_tags(
    example: Tagged, tokenizer: PreTrainedTokenizerFast, numbers: dict[str, int], *, every_token: bool
) -> Encoded:
    row = tokenizer(list(example.words), is_split_into_words=True, truncation=True)
    words = row.word_ids()
    labels = [
        IGNORED
        if word is None or (word == before and not every_token)
        else _number(example.tags[word], numbers)
        for before, word in zip([None, *words], words, strict=False)
    ]
    return Encoded(row["input_ids"], row["token_type_ids"], {"labels": labels}, words=words)


def _encode_question(example: Question, tokenizer: PreTrainedTokenizerFast) -> Encoded:
    row = tokenizer(example.question, example.context, truncation="only_second", return_offsets_mapping=True)
    start = end = 0
    offsets = row["offset_mapping"]
    inside = [place for place, part in enumerate(row.sequence_ids()) if part == 1]
    if example.answer is not None:
        first, stop = example.answer
        covered = [place for place in inside if offsets[place][0] < stop and offsets[place][1] > first]
        if covered:  # else it was cut off, and the rest does not say
            start, end = covered[0], covered[-1]
    words = [1 if place in set(inside) else None for place in range(len(offsets))]
    return Encoded(
        row["input_ids"],
        row["token_type_ids"],
        {"start_positions": start, "end_positions": end},
        offsets,
        words,
    )


def collate(rows: Sequence[Encoded], pad_id: int = 0) -> dict[str, Tensor]:
    """Put encoded examples into one batch, padded on the right to the longest.

    Returns
    -------
    dict
        ``input_ids``, ``token_type_ids`` and ``attention_mask``, int64 (batch, seq_len); and the labels,
        (batch,) or (batch, seq_len), where padding is -100.
    """
    rows = members("rows", rows, Encoded, "a list of what encode() returns")
    if not rows:
        raise ArgumentError("rows=[]: one row or more is needed.")
    pad_id = whole_number("pad_id", pad_id, least=0)
    seq_len = max(len(row.input_ids) for row in rows)

    def padded(values: list[list[int]], filler: int) -> Tensor:
        return torch.tensor([row + [filler] * (seq_len - len(row)) for row in values])

    batch = {
        "input_ids": padded([row.input_ids for row in rows], pad_id),
        "token_type_ids": padded([row.token_type_ids for row in rows], 0),
        "attention_mask": padded([[1] * len(row.input_ids) for row in rows], 0),
    }
    for name in rows[0].labels:
        values = [row.labels[name] for row in rows]
        batch[name] = padded(values, IGNORED) if isinstance(values[0], list) else torch.tensor(values)
    return batch
