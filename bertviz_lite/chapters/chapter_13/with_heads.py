"""Questions of chapters 06, 08 and 09 for BERTs with both heads: the pocket model, and BERTs of the hub.

``python -m experiments.real_heads`` asks them all and writes down what they answer.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, cast

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_13.english_sentences import PAIRS, TOLD_ON
from bertviz_lite.evaluation.lens import lens
from bertviz_lite.models.loading import ModelError, load

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from transformers import BertForPreTraining, PreTrainedTokenizerBase

    Loaded = tuple[PreTrainedTokenizerBase, BertForPreTraining]

__all__ = [
    "NAMES",
    "Answers",
    "answers",
    "best",
    "commonest",
    "continues",
    "in_rows",
    "named_by_layer",
    "named_tokens",
    "obtain",
]

NAMES = ("google/bert_uncased_L-4_H-256_A-4", "bert-base-uncased")
"""BERTs of the hub with both heads, some 45 and 440 MB."""

EVERYDAY = tuple(entry[0] for entry in PAIRS)
"""Twenty short sentences of everyday English."""


def obtain(names: Iterable[str], *, from_the_hub: bool) -> dict[str, Loaded]:
    """Load the models that can be had; of each other print one line that says why not.

    Parameters
    ----------
    names
        Names of the hub, or folders.
    from_the_hub
        Whether to look for them at all, in the local cache and then on the hub.

    Returns
    -------
    dict
        By name, a tokenizer and a model in float64.
    """
    loaded: dict[str, Loaded] = {}
    for name in names:
        if not from_the_hub:
            sys.stdout.write(f"{name}: not asked for (from_the_hub is False).\n")
            continue
        try:
            tokenizer, model = load(name)
        except ModelError as error:
            sys.stdout.write(f"{error}\n")
            continue
        if not {"prediction_logits", "seq_relationship_logits"} <= _outputs(model):
            sys.stdout.write(f"{name}: a {type(model).__name__}, without both heads.\n")
            continue
        loaded[name] = tokenizer, cast("BertForPreTraining", model.double())
    return loaded


def _outputs(model: torch.nn.Module) -> set[str]:
    with torch.no_grad():
        return set(model(torch.zeros(1, 2, dtype=torch.long)).keys())


def best(loaded: Loaded, text: str, count: int = 3) -> list[tuple[str, float]]:
    """Give the likeliest tokens under the first [MASK] of a text, and their probabilities."""
    tokenizer, model = loaded
    inputs = tokenizer(text, return_tensors="pt")
    place = inputs["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    with torch.no_grad():
        found = model(**inputs).prediction_logits[0, place].softmax(dim=-1).topk(count)
    tokens = tokenizer.convert_ids_to_tokens(found.indices.tolist())
    return list(zip(tokens, found.values.tolist(), strict=True))


# Chapter 06: masking


def named_tokens(loaded: Loaded, texts: Sequence[str] = EVERYDAY) -> dict[str, tuple[int, int]]:
    """Count the tokens that a model names: hidden one at a time, in sight, and under another token.

    "Another token there" puts the token of the next text at the same place, counted from its end, over each:
    does the model say what *was* there?
    """
    tokenizer, model = loaded
    encoded = [tokenizer(text, return_tensors="pt")["input_ids"][0] for text in texts]
    counts = dict.fromkeys(("hidden", "in sight", "another token there"), 0)
    total = 0
    for number, ids in enumerate(encoded):
        stranger = encoded[(number + 1) % len(encoded)]
        places = torch.arange(1, len(ids) - 1)
        there = torch.stack([stranger[1 + (place - 1) % (len(stranger) - 2)] for place in places.tolist()])
        hidden = torch.full_like(there, tokenizer.mask_token_id)
        for name, put in zip(counts, (hidden, ids[places], there), strict=True):
            batch = ids.repeat(len(places), 1)
            batch[torch.arange(len(places)), places] = put
            with torch.no_grad():
                logits = model(batch).prediction_logits
            named = logits[torch.arange(len(places)), places].argmax(dim=-1)
            counts[name] += int((named == ids[places]).sum())
        total += len(places)
    return {name: (count, total) for name, count in counts.items()}


def commonest(loaded: Loaded, texts: Sequence[str] = EVERYDAY) -> tuple[int, int]:
    """Count what a rival names that always says the texts' most frequent token."""
    tokenizer, _ = loaded
    counts = Counter(token for text in texts for token in tokenizer.tokenize(text))
    return max(counts.values()), sum(counts.values())


# Chapter 08: the LM head on every layer


def named_by_layer(loaded: Loaded, texts: Sequence[str] = EVERYDAY) -> list[tuple[int, int]]:
    """Hide each token in turn: after how many layers does the LM head name it? The embeddings come first."""
    tokenizer, model = loaded
    right: Tensor | None = None
    total = 0
    for text in texts:
        ids = tokenizer(text, return_tensors="pt")["input_ids"][0]
        for place in range(1, len(ids) - 1):
            hidden = ids.clone()
            hidden[place] = tokenizer.mask_token_id
            hits = (lens(model, hidden[None])[:, place].argmax(dim=-1) == ids[place]).long()
            right = hits if right is None else right + hits
            total += 1
    return [(count, total) for count in ([] if right is None else right.tolist())]


# Chapter 09: does B continue A?


def continues(loaded: Loaded) -> dict[str, tuple[int, int]]:
    """Count the pairs of ``TOLD_ON`` that the NSP head accepts, as they are and changed in four ways."""
    tokenizer, model = loaded
    firsts, seconds = zip(*((story.first, story.second) for story in TOLD_ON), strict=True)
    renamed = [story.second.replace(story.name, story.stranger) for story in TOLD_ON]
    told = [story.other_tense for story in TOLD_ON]
    pairs = {
        "as it was": (firsts, seconds),
        "another name in B": (firsts, renamed),
        "another tense in B": (firsts, told),
        "another story's B": (firsts, (*seconds[1:], seconds[0])),
        "B before A": (seconds, firsts),
    }
    found = {}
    for name, (before, after) in pairs.items():
        batch = tokenizer(list(before), list(after), padding=True, return_tensors="pt")
        with torch.no_grad():
            logits = model(**batch).seq_relationship_logits
        found[name] = int((logits[:, 0] > logits[:, 1]).sum()), len(firsts)
    return found


class Answers(NamedTuple):
    """What a BERT with both heads answers, counted: (how many, of how many)."""

    tokens: dict[str, tuple[int, int]]
    layers: list[tuple[int, int]]
    pairs: dict[str, tuple[int, int]]


def answers(loaded: Loaded) -> Answers:
    """Ask all three chapters' questions."""
    return Answers(named_tokens(loaded), named_by_layer(loaded), continues(loaded))


def in_rows(asked: Answers) -> dict[str, str]:
    """Write each answer as "right of how many"; of the layers, the first, the middle and the last."""
    layers = {
        f"hidden, after {f'layer {number - 1}' if number else 'the embeddings'}": asked.layers[number]
        for number in sorted({0, (len(asked.layers) - 1) // 2, len(asked.layers) - 1})
    }
    rows = {
        **{f"06 named, {name}": count for name, count in asked.tokens.items()},
        **{f"08 named, {name}": count for name, count in layers.items()},
        **{f"09 accepted, {name}": count for name, count in asked.pairs.items()},
    }
    return {name: f"{count} of {total}" for name, (count, total) in rows.items()}
