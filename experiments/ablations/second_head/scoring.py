"""Each kind of false pair, told from the true ones by the second head and by linear probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import BertForPreTraining

from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.encoded_stories import EncodedStory
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.pairs import Mix
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.evaluation.probes import linear_probe

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


PairKinds = Mapping[str, Mix]
"""By kind of false pair: which pairs hold it."""

# Without a kind for other texts with the same names: of 100 second parts 6 have a name that can be replaced.
PAIRS: PairKinds = {
    "other text": Mix(0, 0, 0, fewest=2),
    "swapped order": Mix(0, 0, 0, fewest=2, other=0.0, swapped=0.5),
    "swapped order, short": Mix(0, 1, 0, other=0.0, swapped=0.5),
}


def score_pairs(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    fit: Sequence[EncodedStory],
    test: Sequence[EncodedStory],
    kinds: PairKinds = PAIRS,
) -> dict[str, Any]:
    """Score the model's own second head and linear probes on its vectors, on each kind of false pair.

    Whole stories, cut in two, and short pairs: two to four neighbouring sentences from anywhere in a story.
    Half of the pairs are true (label 0). The probe, fitted on other stories, reads the mean of the last
    layer's vectors in the first and in the second part, end to end, and the pooled vector. Beside it a probe
    that reads the means of the word embeddings in either part: what the bare words say, in any order.
    """
    fit_corpus, test_corpus = (_corpus_of(stories, tokenizer) for stories in (fit, test))
    result: dict[str, Any] = {}
    for kind, pairs in kinds.items():
        fitted = pair_features(model, tokenizer, fit_corpus, pairs, 4)
        scored = pair_features(model, tokenizer, test_corpus, pairs, 5)
        labels = scored.labels.astype(str)
        result[kind] = {"head": float((scored.answers == scored.labels).mean()), "pairs": len(labels)}
        for name in ("vectors", "words"):
            probed = linear_probe(getattr(fitted, name), fitted.labels.astype(str), getattr(scored, name))
            result[kind][f"probe of {name}"] = float((probed == labels).mean())
    return result


def _corpus_of(encoded: Sequence[EncodedStory], tokenizer: PreTrainedTokenizerFast) -> Corpus:
    sentences = [[str(sentence) for sentence in story.story.sentences] for story in encoded]
    return Corpus([Shard.of(sentences, tokenizer.backend_tokenizer)])


@dataclass(frozen=True)
class PairFeatures:
    """Pairs as a probe reads them.

    Attributes
    ----------
    vectors, words
        Shapes (pairs, 3 · hidden_size) and (pairs, 2 · hidden_size).
    labels, answers
        Shape (pairs,): what is true, and what the model's own head predicts.
    """

    vectors: NDArray[np.float64]
    words: NDArray[np.float64]
    labels: NDArray[np.int64]
    answers: NDArray[np.int64]


def pair_features(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    corpus: Corpus,
    mix: Mix,
    seed: int,
) -> PairFeatures:
    """Run the model over one kind of pairs of a corpus; ``seed`` decides which."""
    special = tokenizer.cls_token_id, tokenizer.sep_token_id
    inputs = TrainingInputs(corpus, len(corpus), len(corpus), seed, *special, mix)
    every = (inputs[index] for index in range(len(corpus)))
    items = [item for item in every if item["next_sentence_label"] >= 0]
    vectors = np.zeros((len(items), 3 * model.config.hidden_size))
    words = np.zeros((len(items), 2 * model.config.hidden_size))
    answers = np.zeros(len(items), np.int64)
    table = model.bert.embeddings.word_embeddings
    with ready(model):
        for batch in batches([len(item["input_ids"]) for item in items]):
            input_ids, attention_mask = pad([items[index]["input_ids"] for index in batch], model.device)
            firsts = torch.tensor([items[index]["first_length"] for index in batch])[:, None]
            second = (torch.arange(input_ids.shape[1]) >= firsts).long() * attention_mask
            outputs = model.bert(input_ids, attention_mask=attention_mask, token_type_ids=second)
            means = _means(outputs.last_hidden_state, attention_mask - second, second)
            vectors[batch] = torch.cat([means, outputs.pooler_output], dim=-1).double().numpy()
            words[batch] = _means(table(input_ids), attention_mask - second, second).double().numpy()
            answers[batch] = model.cls.seq_relationship(outputs.pooler_output).argmax(-1).numpy()
    return PairFeatures(vectors, words, np.array([item["next_sentence_label"] for item in items]), answers)


def _means(states: Tensor, *parts: Tensor) -> Tensor:
    """Return the mean vector of each part, end to end: (batch, parts · hidden_size)."""
    return torch.cat(
        [(states * part[..., None]).sum(1) / part.sum(1, keepdim=True) for part in parts], dim=-1
    )
