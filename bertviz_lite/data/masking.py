"""Masking: choose the tokens that a model has to predict, and hide them: 80 % / 10 % / 10 %.

``mask_tokens`` is what training uses. Its two halves are ``draw``, which makes random numbers, and
``apply_draws``, which applies the rules to them. A saved page works without Python, so
``views/masking/js/draws.js`` repeats the rules; a test holds the two equal.

Left out on purpose: spans, and any dependence of the choice on what a token is.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bertviz_lite.basics.arguments import (
    ArgumentError,
    instance,
    members,
    share,
    whole_number,
)
from bertviz_lite.data.ignored_label import IGNORED

OUTCOMES = ("special", "left", "mask", "random", "keep")
"""A token is special; or not chosen; or chosen, and becomes [MASK], a random token, or stays as it is."""

_SPECIAL, _LEFT, _MASK, _RANDOM, _KEEP = range(len(OUTCOMES))


@dataclass(frozen=True)
class Masking:
    """The rules of masking.

    Attributes
    ----------
    vocab_size
        Number of ids.
    special_ids
        Ids that are never chosen and never drawn as a random replacement: [PAD] [UNK] [CLS] [SEP] [MASK].
    mask_id
        The id of [MASK].
    continuation
        Boolean, shape (vocab_size,): True for the tokens that start with ``##``. With it whole words are
        chosen; without it (None) every token is chosen on its own.
    rate
        Share of the tokens (or words) that are chosen.
    mask_share, random_share
        Of the chosen tokens, the shares that become [MASK] and a random ordinary token. What is left of 1 is
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
        whole_number("vocab_size", self.vocab_size, least=1)
        whole_number("mask_id", self.mask_id, least=0)
        for special in members("special_ids", self.special_ids, object, "a tuple of ids"):
            whole_number("special_ids", special, least=0)
        if max(self.mask_id, *self.special_ids, 0) >= self.vocab_size:
            raise ArgumentError(f"vocab_size={self.vocab_size}: mask_id and special_ids must be below it.")
        if self.continuation is not None:
            marks = instance(
                "continuation", self.continuation, Tensor, "a tensor of True and False, or None,"
            )
            if marks.dtype is not torch.bool or marks.shape != (self.vocab_size,):
                raise ArgumentError(
                    f"continuation of shape {tuple(marks.shape)} and {marks.dtype}: "
                    f"torch.bool of shape ({self.vocab_size},) is needed."
                )
        if not 0.0 < share("rate", self.rate) < 1.0:
            raise ArgumentError(f"rate={self.rate}: a share above 0 and below 1 is needed")
        share("mask_share", self.mask_share)
        share("random_share", self.random_share)
        if self.mask_share + self.random_share > 1.0 + 1e-9:
            raise ArgumentError(
                f"mask_share={self.mask_share} and random_share={self.random_share} add up to more than 1: "
                "lower one of them; what is left of 1 keeps its token"
            )
        if len(set(self.special_ids)) >= self.vocab_size:
            raise ArgumentError("every id is special: there is nothing to mask")

    @property
    def keep_share(self) -> float:
        """Share of the chosen tokens that stay as they are: what the other two shares leave of 1."""
        return max(0.0, round(1.0 - self.mask_share - self.random_share, 12))

    @property
    def ordinary(self) -> Tensor:
        """Boolean, shape (vocab_size,): True where an id may be chosen, and may be a random replacement."""
        ordinary = torch.ones(self.vocab_size, dtype=torch.bool)
        ordinary[list(self.special_ids)] = False
        return ordinary


def mask_tokens(
    input_ids: Tensor, masking: Masking, generator: torch.Generator, continues: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Mask some of the tokens of a batch.

    Every ordinary token is chosen with probability ``rate``, independently (with ``continuation``, every
    word, and then all its tokens). Of the chosen ones 80 % become [MASK], 10 % a random token and 10 % stay
    as they are, unless ``masking`` sets other shares. The random token is drawn evenly from the ordinary ids,
    so it is never a special token, but it can be the original one. One uniform draw decides between the
    three, so that the shares are 80/10/10 (two draws in turn, both with the final share, would give 80/2/18).

    Parameters
    ----------
    input_ids
        Shape (batch, seq_len); left as it is.
    masking
        The rules.
    generator
        The source of randomness: the same state gives the same result.
    continues
        Boolean, shape (batch, seq_len): True where a token goes on with the word of the token before it. It
        takes the place of ``masking.continuation`` where no token says so itself, as in Chinese.

    Returns
    -------
    tuple
        ``(masked input_ids, labels)``, both (batch, seq_len); labels hold the original id where a token was
        chosen and -100 elsewhere.

    Examples
    --------
    >>> ids = torch.tensor([[2, 7, 8, 9, 3, 0]])  # [CLS] 7 8 9 [SEP] [PAD]
    >>> rules = Masking(vocab_size=10, special_ids=(0, 1, 2, 3, 4), mask_id=4, rate=0.99)
    >>> mask_tokens(ids, rules, torch.Generator().manual_seed(0))[1].tolist()
    [[-100, 7, 8, 9, -100, -100]]
    """
    instance("masking", masking, Masking, "a Masking")
    instance("generator", generator, torch.Generator, "a torch.Generator")
    instance("input_ids", input_ids, Tensor, "a tensor of ids")
    if input_ids.dim() != 2 or input_ids.is_floating_point():
        raise ArgumentError(
            f"input_ids of shape {tuple(input_ids.shape)} and {input_ids.dtype}: whole numbers of shape "
            "(batch, seq_len) are needed."
        )
    if input_ids.numel() and not 0 <= int(input_ids.min()) <= int(input_ids.max()) < masking.vocab_size:
        raise ArgumentError(
            f"input_ids from {int(input_ids.min())} to {int(input_ids.max())}: "
            f"ids from 0 to {masking.vocab_size - 1} are needed."
        )
    if continues is not None:
        marks = instance("continues", continues, Tensor, "a tensor of True and False, or None,")
        if marks.dtype is not torch.bool or marks.shape != input_ids.shape:
            raise ArgumentError(
                f"continues of shape {tuple(marks.shape)} and {marks.dtype}: "
                f"torch.bool of shape {tuple(input_ids.shape)} is needed."
            )
    return apply_draws(input_ids, masking, draw(tuple(input_ids.shape), masking, generator), continues)


@dataclass(frozen=True)
class Draws:
    """The random draws of a batch, of shape (batch, seq_len) each.

    They depend on neither the rate nor the shares: with the same draws and a higher rate, what was chosen
    stays chosen, and more tokens join it.

    Attributes
    ----------
    choose_draw
        float32 from 0 up to 1: a token is chosen where this is below the rate.
    replace_draw
        float32 from 0 up to 1: decides between [MASK], a random token and the original.
    random_id
        int64, the ordinary id that is put there if a random token is to be.
    """

    choose_draw: Tensor
    replace_draw: Tensor
    random_id: Tensor


def draw(shape: tuple[int, ...], masking: Masking, generator: torch.Generator) -> Draws:
    """Make the draws for input_ids of a shape."""
    choose_draw = torch.rand(shape, generator=generator)
    replace_draw = torch.rand(shape, generator=generator)
    candidates = masking.ordinary.nonzero().flatten()
    random_id = candidates[torch.randint(len(candidates), shape, generator=generator)]
    return Draws(choose_draw, replace_draw, random_id)


def apply_draws(
    input_ids: Tensor, masking: Masking, draws: Draws, continues: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Do what :func:`mask_tokens` does with draws that are already made."""
    outcome = outcomes(input_ids, masking, draws, continues)
    masked = torch.where(outcome == _MASK, masking.mask_id, input_ids)
    masked = torch.where(outcome == _RANDOM, draws.random_id.to(input_ids.dtype), masked)
    return masked, torch.where(outcome >= _MASK, input_ids, IGNORED)


def outcomes(input_ids: Tensor, masking: Masking, draws: Draws, continues: Tensor | None = None) -> Tensor:
    """Return what happens to each token, as an index into ``OUTCOMES``: int64, shape (batch, seq_len)."""
    choose_draw = draws.choose_draw.gather(1, first_tokens(input_ids, masking, continues))
    chosen = torch.where(draws.replace_draw < masking.mask_share + masking.random_share, _RANDOM, _KEEP)
    chosen = torch.where(draws.replace_draw < masking.mask_share, _MASK, chosen)
    outcome = torch.where(choose_draw < masking.rate, chosen, _LEFT)
    return torch.where(masking.ordinary[input_ids], outcome, _SPECIAL)


def first_tokens(input_ids: Tensor, masking: Masking, continues: Tensor | None = None) -> Tensor:
    """Return, for each token, the position whose draw decides whether it is chosen: int64, (batch, seq_len).

    With ``continuation``, or with ``continues``, that is the first token of its word: the last word start at
    or before the token. Without both, each token has its own draw.
    """
    positions = torch.arange(input_ids.shape[1]).expand_as(input_ids)
    if continues is None:
        if masking.continuation is None:
            return positions
        continues = masking.continuation[input_ids]
    starts = ~continues | ~masking.ordinary[input_ids]
    starts[:, 0] = True
    return torch.where(starts, positions, 0).cummax(dim=1).values
