"""Vectors of chosen words in stories: from the word embedding, and after every layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.encoded_stories import EncodedStory
from bertviz_lite.evaluation.checks import check_encoded

if TYPE_CHECKING:
    from transformers import BertForPreTraining

    from bertviz_lite.world import Story, Word


@dataclass(frozen=True)
class WordVectors:
    """Vectors of chosen words in some stories.

    Attributes
    ----------
    words
        Each occurrence with its story.
    vectors
        float64, shape (num_layers + 1, occurrences, hidden_size): mean over the tokens of the word, after the
        embeddings and after every layer.
    static
        float64, shape (occurrences, hidden_size): the same from the word embedding alone, without position,
        segment and normalisation.
    """

    words: tuple[tuple[Story, Word], ...]
    vectors: NDArray[np.float64]
    static: NDArray[np.float64]


def state_name(number: int) -> str:
    """Name an entry of ``hidden_states`` as the course does: "embeddings", then "after layer 0" and on."""
    return f"after layer {number - 1}" if number else "embeddings"


def word_vectors(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], wanted: Callable[[Word], bool]
) -> WordVectors:
    """Run the model over the stories that hold a wanted word."""
    check_encoded(encoded)
    chosen = [(story, [(word, *span) for word, *span in story.words if wanted(word)]) for story in encoded]
    chosen = [(story, words) for story, words in chosen if words]
    occurrences: list[tuple[Story, Word]] = []
    vectors: list[NDArray[np.float64]] = []
    static: list[NDArray[np.float64]] = []
    table = model.bert.embeddings.word_embeddings.weight.detach().double().cpu().numpy()
    with ready(model):
        for batch in batches([len(story.input_ids) for story, _ in chosen]):
            input_ids, attention_mask = pad([chosen[index][0].input_ids for index in batch], model.device)
            outputs = model.bert(input_ids, attention_mask=attention_mask, output_hidden_states=True)
            rows: list[int] = []
            positions: list[int] = []
            firsts: list[int] = []
            for row, index in enumerate(batch):
                story, words = chosen[index]
                for word, start, stop in words:
                    occurrences.append((story.story, word))
                    firsts.append(len(positions))
                    positions += range(start, stop)
                    rows += [row] * (stop - start)
            layers = torch.stack([layer[rows, positions] for layer in outputs.hidden_states])
            vectors.append(_means(layers.double().cpu().numpy(), firsts))
            static.append(_means(table[input_ids[rows, positions].cpu().numpy()][None], firsts)[0])
    size = model.config.hidden_size
    if not occurrences:
        vectors, static = [np.zeros((model.config.num_hidden_layers + 1, 0, size))], [np.zeros((0, size))]
    return WordVectors(tuple(occurrences), np.concatenate(vectors, 1), np.concatenate(static))


def _means(tokens: NDArray[np.float64], firsts: Sequence[int]) -> NDArray[np.float64]:
    """Average the vectors, (layers, tokens, size), over each word; `firsts` are the words' first tokens."""
    counts = np.diff([*firsts, tokens.shape[1]])
    means: NDArray[np.float64] = np.add.reduceat(tokens, firsts, axis=1) / counts[:, None]
    return means
