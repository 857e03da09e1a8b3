"""The classifier before BERT: an LSTM that reads vectors of words once from each end, and a linear map.

Left out: attention over the LSTM's states.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pack_padded_sequence

from bertviz_lite.basics.threads import threads
from bertviz_lite.chapters.chapter_11.small_training import do_step, progress_bar
from bertviz_lite.chapters.chapter_11.whole_words import PADDING, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["BiLSTM", "Fitting", "fit", "predict"]

Ints = NDArray[np.int64]


class BiLSTM(nn.Module):
    """Read a text's vectors once from each end, and make logits of the two last states.

    Parameters
    ----------
    vectors
        One for each word, (words, size), that of padding first. They are copied, and trained like the rest.
    num_labels, hidden_size
        Logits that come out; numbers in each of the two states.
    """

    def __init__(self, vectors: Tensor, num_labels: int, hidden_size: int = 64) -> None:
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(vectors.clone(), freeze=False, padding_idx=PADDING)
        self.lstm = nn.LSTM(vectors.shape[1], hidden_size, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(2 * hidden_size, num_labels)
        self.to(vectors.dtype)

    def forward(self, input_ids: Tensor, lengths: Tensor) -> Tensor:
        """Give logits (batch, num_labels) for ids (batch, seq_len), of which `lengths` (batch,) are words."""
        vectors = self.embedding(input_ids)
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)  # (2, batch, hidden_size): forwards, backwards
        logits: Tensor = self.classifier(self.dropout(torch.cat([last[0], last[1]], dim=-1)))
        return logits


@dataclass(frozen=True)
class Fitting:
    """How a classifier is trained: AdamW, the learning rate falling to 0 in a straight line.

    Attributes
    ----------
    epochs, batch, rate, seed
        Passes over the examples; examples in a step; the highest learning rate; for order and dropout.
    """

    epochs: int = 10
    batch: int = 16
    rate: float = 3e-3
    seed: int = 0


def fit(
    model: BiLSTM,
    vocabulary: Vocabulary,
    texts: Sequence[str],
    labels: Sequence[int],
    how: Fitting | None = None,
    *,
    progress: bool = True,
) -> list[float]:
    """Train a classifier in place on labelled texts, and return the loss of every step.

    A KeyboardInterrupt ends the training; the model keeps what it has learned.

    Raises
    ------
    ValueError
        If the texts and labels differ in number, or there are none.
    """
    if len(texts) != len(labels) or not texts:
        raise ValueError(f"{len(texts)} texts and {len(labels)} labels: give as many of each, at least one.")
    how = how or Fitting()
    rows, true = [vocabulary.ids(text) for text in texts], torch.tensor(labels)
    optimizer = torch.optim.AdamW(model.parameters(), lr=how.rate, fused=True)
    steps = how.epochs * math.ceil(len(rows) / how.batch)
    losses: list[float] = []
    try:
        with torch.enable_grad(), threads(1), progress_bar("BiLSTM", steps, progress) as bar:
            for number, chosen in enumerate(_draws(len(rows), how)):
                optimizer.param_groups[0]["lr"] = how.rate * (1 - number / steps)
                with torch.random.fork_rng(devices=[]):
                    torch.manual_seed(how.seed * steps + number)  # for dropout
                    logits = model.train()(*_padded([rows[index] for index in chosen]))
                losses.append(do_step(cross_entropy(logits, true[chosen]), optimizer))
                bar.update()
    except KeyboardInterrupt:
        pass
    model.eval()
    return losses


def _draws(count: int, how: Fitting) -> Iterator[Ints]:
    """Yield the examples of every step; each once an epoch."""
    rng = np.random.default_rng(how.seed)
    for _ in range(how.epochs):
        order = rng.permutation(count)
        for start in range(0, count, how.batch):
            yield order[start : start + how.batch]


def _padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Give ids (batch, seq_len), filled up with padding, and lengths (batch,)."""
    lengths = torch.tensor([max(1, len(row)) for row in rows])
    ids = torch.full((len(rows), int(lengths.max())), PADDING)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = torch.tensor(row, dtype=torch.long)
    return ids, lengths


def predict(model: BiLSTM, vocabulary: Vocabulary, texts: Sequence[str], batch: int = 256) -> Ints:
    """Give the number of the likeliest label for each text, int64, shape (texts,)."""
    guesses = [np.zeros(0, np.int64)]
    model.eval()
    with torch.inference_mode():
        for start in range(0, len(texts), batch):
            rows = [vocabulary.ids(text) for text in texts[start : start + batch]]
            guesses.append(cast("Any", model(*_padded(rows))).argmax(dim=-1).numpy())
    return np.concatenate(guesses)
