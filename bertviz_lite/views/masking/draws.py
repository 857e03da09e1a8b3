"""The random draws of masking for one text, a hundred of them, by the rules that training uses.

They are made by :mod:`bertviz_lite.data.masking`, in torch, so that a draw here is what training would do.
The page repeats the rules in ``js/draws.js``; a test holds the two equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from bertviz_lite.data.masking import OUTCOMES, Masking, apply_draws, draw, first_tokens, outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

__all__ = ["SEEDS", "Masking", "TextDraws", "continuation_of"]

SEEDS = 100
"""Seeds whose draws the page has, numbered from 0."""


def continuation_of(names: Iterable[str]) -> torch.Tensor | None:
    """Return which tokens of a vocabulary start with ``##``: bool, (vocab_size,); None where none does."""
    marks = torch.tensor([name.startswith("##") for name in names])
    return marks if marks.any() else None


class TextDraws:
    """The draws of every seed for one text.

    Parameters
    ----------
    input_ids
        int64, shape (seq_len,).
    rules
        The rules of masking, whole words where the vocabulary knows them; of rate and shares the draws are
        independent.
    continues
        bool, shape (1, seq_len): True where a token goes on with the word of the token before it; in place of
        the vocabulary's ``##`` wherever whole words are chosen.

    Attributes
    ----------
    ordinary
        bool, shape (seq_len,): True where a token may be chosen.
    first
        int64, shape (seq_len,): position of the first token of each token's word.
    """

    def __init__(self, input_ids: Ints, rules: Masking, continues: torch.Tensor | None = None) -> None:
        self.input_ids = torch.from_numpy(input_ids.copy())[None]
        self.continues = continues
        self.ordinary: npt.NDArray[np.bool_] = rules.ordinary[self.input_ids[0]].numpy()
        self.first: Ints = first_tokens(self.input_ids, rules, continues)[0].numpy()
        shape = (1, len(input_ids))
        self._draws = [draw(shape, rules, torch.Generator().manual_seed(seed)) for seed in range(SEEDS)]

    def arrays(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], Ints]:
        """Return which draw chooses, which draw replaces, and the random ids: each (SEEDS, seq_len)."""
        choose = torch.cat([draws.choose_draw for draws in self._draws])
        replace = torch.cat([draws.replace_draw for draws in self._draws])
        random_id = torch.cat([draws.random_id for draws in self._draws])
        return choose.numpy(), replace.numpy(), random_id.numpy()

    def masked(self, rules: Masking, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ``(input_ids, labels)`` of a draw, shape (1, seq_len)."""
        return apply_draws(self.input_ids, rules, self._draws[seed], self._marks(rules))

    def outcomes(self, rules: Masking, seed: int) -> list[str]:
        """Return what becomes of each token: "special", "left", "mask", "random" or "keep"."""
        numbers = outcomes(self.input_ids, rules, self._draws[seed], self._marks(rules))
        return [OUTCOMES[index] for index in numbers[0].tolist()]

    def _marks(self, rules: Masking) -> torch.Tensor | None:
        """Return which tokens continue a word, where the rules choose whole words."""
        return self.continues if rules.continuation is not None else None
