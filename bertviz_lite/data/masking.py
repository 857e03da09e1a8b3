"""Choose the pieces that a masked language model has to guess, and hide them: 80 % / 10 % / 10 %.

Left out on purpose: spans, and any dependence of the choice on what a piece is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

IGNORED = -100
"""The label of a position that is not scored (what ``torch.nn.CrossEntropyLoss`` leaves out)."""


@dataclass(frozen=True)
class Masking:
    """The rules for hiding pieces.

    Attributes
    ----------
    vocab_size
        Number of ids.
    special_ids
        Ids that are never chosen and never drawn as a random replacement: [PAD] [UNK] [CLS] [SEP] [MASK].
    mask_id
        The id of [MASK].
    continuation
        Boolean, shape (vocab_size,): True for the pieces that start with ``##``. With it whole words are
        chosen; without it (None) every piece is chosen on its own.
    rate
        Share of the pieces (or words) that are chosen.
    mask_share, random_share
        Of the chosen pieces, the shares that become [MASK] and a random ordinary piece. What is left of 1 is
        ``keep_share``: these stay as they are.
    """

    vocab_size: int
    special_ids: tuple[int, ...]
    mask_id: int
    continuation: Tensor | None = None
    rate: float = 0.15
    mask_share: float = 0.8
    random_share: float = 0.1

    def __post_init__(self) -> None:
        if not 0.0 < self.rate < 1.0:
            raise ValueError(f"rate={self.rate}: a share above 0 and below 1 is needed")
        for name in ("mask_share", "random_share"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name}={getattr(self, name)}: a share from 0 to 1 is needed")
        if self.mask_share + self.random_share > 1.0 + 1e-9:
            raise ValueError(
                f"mask_share={self.mask_share} and random_share={self.random_share} add up to more than 1: "
                "lower one of them; what is left of 1 keeps its piece"
            )
        if len(set(self.special_ids)) >= self.vocab_size:
            raise ValueError("every id is special: there is nothing to mask")

    @property
    def keep_share(self) -> float:
        """Share of the chosen pieces that stay as they are: what the other two shares leave of 1."""
        return max(0.0, round(1.0 - self.mask_share - self.random_share, 12))

    @property
    def ordinary(self) -> Tensor:
        """Boolean, shape (vocab_size,): True where an id may be chosen, and may be drawn."""
        ordinary = torch.ones(self.vocab_size, dtype=torch.bool)
        ordinary[list(self.special_ids)] = False
        return ordinary


def mask_tokens(input_ids: Tensor, masking: Masking, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Hide some of the pieces of a batch.

    Every ordinary piece is chosen with probability ``rate``, independently (with ``continuation``, every
    word, and then all its pieces). Of the chosen ones 80 % become [MASK], 10 % a random piece and 10 % stay
    as they are, unless ``masking`` sets other shares. The random piece is drawn evenly from the ordinary ids,
    so it is never a special token, but it can be the piece that stood there. One uniform draw decides between
    the three, so that the shares are 80/10/10 (two coins, tossed in turn and both with the final share, would
    give 80/2/18).

    Parameters
    ----------
    input_ids
        Shape (batch, seq_len); left as it is.
    masking
        The rules.
    generator
        The source of randomness: the same state gives the same result.

    Returns
    -------
    tuple
        ``(masked input_ids, labels)``, both (batch, seq_len); labels hold the original id where a piece was
        chosen and -100 elsewhere.

    Examples
    --------
    >>> ids = torch.tensor([[2, 7, 8, 9, 3, 0]])  # [CLS] 7 8 9 [SEP] [PAD]
    >>> rules = Masking(vocab_size=10, special_ids=(0, 1, 2, 3, 4), mask_id=4, rate=0.99)
    >>> mask_tokens(ids, rules, torch.Generator().manual_seed(0))[1].tolist()
    [[-100, 7, 8, 9, -100, -100]]
    """
    return hide(input_ids, masking, draw(tuple(input_ids.shape), masking, generator))


@dataclass(frozen=True)
class Draws:
    """Everything that is left to chance when pieces are hidden; shape (batch, seq_len) each.

    The draws depend on neither the rate nor the shares: with the same draws and a higher rate, what was
    chosen stays chosen and more joins it.

    Attributes
    ----------
    luck
        float32 from 0 up to 1: a piece is chosen where it is below the rate.
    fate
        float32 from 0 up to 1: what becomes of a chosen piece.
    drawn
        int64, the ordinary id that replaces it if it is to be a random one.
    """

    luck: Tensor
    fate: Tensor
    drawn: Tensor


def draw(shape: tuple[int, ...], masking: Masking, generator: torch.Generator) -> Draws:
    """Make the draws for input_ids of a shape."""
    luck = torch.rand(shape, generator=generator)
    fate = torch.rand(shape, generator=generator)
    candidates = masking.ordinary.nonzero().flatten()
    drawn = candidates[torch.randint(len(candidates), shape, generator=generator)]
    return Draws(luck, fate, drawn)


def hide(input_ids: Tensor, masking: Masking, draws: Draws) -> tuple[Tensor, Tensor]:
    """Do what :func:`mask_tokens` does with draws that are already made."""
    ordinary = masking.ordinary[input_ids]
    luck = draws.luck.gather(1, first_pieces(input_ids, masking))
    chosen = ordinary & (luck < masking.rate)
    labels = torch.where(chosen, input_ids, IGNORED)
    hidden = draws.fate < masking.mask_share
    replaced = ~hidden & (draws.fate < masking.mask_share + masking.random_share)
    masked = torch.where(chosen & hidden, masking.mask_id, input_ids)
    masked = torch.where(chosen & replaced, draws.drawn.to(input_ids.dtype), masked)
    return masked, labels


def first_pieces(input_ids: Tensor, masking: Masking) -> Tensor:
    """Return the position of the piece whose luck decides for each piece: int64, shape (batch, seq_len).

    A word's luck is that of its first piece: each piece takes that of the last word start at or before it.
    Without ``continuation`` every piece has its own.
    """
    positions = torch.arange(input_ids.shape[1]).expand_as(input_ids)
    if masking.continuation is None:
        return positions
    starts = ~masking.continuation[input_ids] | ~masking.ordinary[input_ids]
    starts[:, 0] = True
    return torch.where(starts, positions, 0).cummax(dim=1).values


def binomial_interval(count: int, share: float, level: float = 0.95) -> tuple[int, int]:
    """Return the range in which the hits of ``count`` independent tries lie, each a hit with ``share``.

    Central: fewer hits than the first number, and more than the second, come with at most
    ``(1 - level) / 2`` each.

    Parameters
    ----------
    count
        Number of tries.
    share
        Probability of a hit, from 0 to 1.
    level
        Probability of the range, above 0 and below 1.

    Examples
    --------
    >>> binomial_interval(100, 0.15)
    (8, 22)
    """
    if share <= 0.0 or share >= 1.0:
        certain = count if share >= 1.0 else 0
        return certain, certain
    hits = np.arange(count)
    steps = np.log((count - hits) / (hits + 1)) + math.log(share / (1 - share))
    below = np.exp(np.concatenate([[0.0], np.cumsum(steps)]) + count * math.log1p(-share)).cumsum()
    tail = (1 - level) / 2
    low, high = np.searchsorted(below, [tail, 1 - tail], side="right")
    return int(low), int(min(high, count))


@dataclass(frozen=True)
class Collator:
    """Pad a list of inputs to a batch and hide pieces of it.

    The masks depend on the seed and on the number of the first input only: any process, at any time, hides
    the same pieces of the same batch. Batches are padded to a multiple of eight positions (fewer different
    shapes: faster).
    """

    masking: Masking
    seed: int

    def __call__(self, inputs: Sequence[dict[str, Any]]) -> dict[str, Tensor]:
        """Return what the model takes: shape (batch, seq_len), and (batch,) for next_sentence_label."""
        seq_len = -(-max(len(item["input_ids"]) for item in inputs) // 8) * 8
        ids = np.zeros((len(inputs), seq_len), np.int64)
        lengths = np.array([len(item["input_ids"]) for item in inputs])[:, None]
        firsts = np.array([item["first_length"] for item in inputs])[:, None]
        for row, item in enumerate(inputs):
            ids[row, : lengths[row, 0]] = item["input_ids"]
        positions = np.arange(seq_len)[None]
        generator = torch.Generator().manual_seed((self.seed << 40) + inputs[0]["index"])
        input_ids, labels = mask_tokens(torch.from_numpy(ids), self.masking, generator)
        return {
            "input_ids": input_ids,
            "token_type_ids": torch.from_numpy(
                ((positions >= firsts) & (positions < lengths)).astype(np.int64)
            ),
            "attention_mask": torch.from_numpy((positions < lengths).astype(np.int64)),
            "labels": labels,
            "next_sentence_label": torch.tensor([item["next_sentence_label"] for item in inputs]),
        }
