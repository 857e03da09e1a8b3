"""What a fine-tuned BERT is compared with: words alone, and the vectors of a BERT that stays as it is.

Left out: training; a linear map is fitted by least squares (``linear_probe``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.chapters.chapter_11.whole_words import words_of
from bertviz_lite.evaluation.poolings import poolings
from bertviz_lite.evaluation.probes import linear_probe
from bertviz_lite.evaluation.task_scores import Answer, Result, name_f1

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.world.tasks.sets import Tagged

__all__ = ["by_usual_tag", "by_words", "frozen_vectors", "guesses"]

BATCH = 64
RARE = 300.0
"""The ridge for counts of words, in units of the columns' mean variance: small, as most words are rare."""


def by_words(
    fit: Sequence[tuple[str, ...]], labels: NDArray[np.str_], score: Sequence[tuple[str, ...]]
) -> NDArray[np.str_]:
    """Guess labels by a linear map of word counts, each of an example's texts with its own columns.

    >>> by_words([("red kite",), ("blue kite",)] * 9, np.array(["a", "b"] * 9), [("a blue boat",)]).tolist()
    ['b']
    """
    columns: dict[tuple[int, str], int] = {}
    for texts in fit:
        for word in _words(texts):
            columns.setdefault(word, len(columns))

    def counts(examples: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
        table = np.zeros((len(examples), len(columns)))
        for row, texts in zip(table, examples, strict=True):
            for word in _words(texts):
                if word in columns:
                    row[columns[word]] += 1
        return table

    return linear_probe(counts(fit), labels, counts(score), ridge=RARE)


def _words(texts: tuple[str, ...]) -> list[tuple[int, str]]:
    return [(number, word) for number, text in enumerate(texts) for word in words_of(text)]


def by_usual_tag(fit: Sequence[Tagged], score: Sequence[Tagged]) -> Result:
    """Score giving each word its most frequent tag of the examples ``fit``, O where it is new."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for example in fit:
        for word, tag in zip(example.words, example.tags, strict=True):
            seen[word.lower()][tag] += 1
    usual = {word: tags.most_common(1)[0][0] for word, tags in seen.items()}
    guessed = [tuple(usual.get(word.lower(), "O") for word in example.words) for example in score]
    return name_f1(
        [
            Answer(example, tags, example.tags, tags == example.tags, 1.0)
            for example, tags in zip(score, guessed, strict=True)
        ]
    )


def frozen_vectors(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]
) -> dict[str, NDArray[np.float64]]:
    """Return two vectors of each text from a model as it is, (texts, size) each.

    "pooler" is the pooled vector; "mean of last four layers" is taken over the tokens, too.
    """
    mean = poolings()["mean"]
    parts: dict[str, list[NDArray[np.float64]]] = {"pooler": [], "mean of last four layers": []}
    body: Any = model.base_model
    with torch.inference_mode():
        for start in range(0, len(texts), BATCH):
            some = list(texts[start : start + BATCH])
            batch = tokenizer(some, padding=True, truncation=True, return_tensors="pt")
            output = body(**batch, output_hidden_states=True)
            layers = torch.stack(output.hidden_states[-4:]).mean(dim=0)
            pooled = mean(body, layers, batch["attention_mask"])
            for vectors, found in zip(parts.values(), (output.pooler_output, pooled), strict=True):
                vectors.append(found.double().numpy())
    return {name: np.concatenate(vectors) for name, vectors in parts.items()}


def guesses(
    parts: Mapping[str, Sequence[tuple[str, str]]],
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
) -> dict[str, NDArray[np.str_]]:
    """Guess the labels of "test" from (text, label) pairs in "train", by linear maps: nothing is fine-tuned.

    They read counts of words, and the two vectors of ``frozen_vectors``.
    """
    texts = {part: [text for text, _ in parts[part]] for part in ("train", "test")}
    labels = np.array([label for _, label in parts["train"]])
    words = {part: [(text,) for text in some] for part, some in texts.items()}
    guessed = {"word counts": by_words(words["train"], labels, words["test"])}
    vectors = {part: frozen_vectors(model, tokenizer, some) for part, some in texts.items()}
    for name, fit in vectors["train"].items():
        guessed[f"frozen, {name}"] = linear_probe(fit, labels, vectors["test"][name])
    return guessed
