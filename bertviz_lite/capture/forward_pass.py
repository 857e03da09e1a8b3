"""What one forward pass gave, in plain arrays: attention maps, and the logits of a language-model head.

A view, a picture and a chapter need no more than this, whatever ran the model. No torch here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bertviz_lite.capture.errors import CaptureError, is_count
from bertviz_lite.capture.tokens import Tokens

Floats = npt.NDArray[np.float32]

_NO_HEAD = (
    "no language-model head, so nothing is predicted. "
    "Capture a model with one, as BertForPreTraining, BertForMaskedLM or GPT2LMHeadModel."
)


@dataclass(frozen=True, eq=False)
class Scores:
    """Why one layer's weights are what they are.

    ``weights == softmax(scaling * queries @ keys.T + bias)`` to 1e-5, which was checked with the weights.

    Attributes
    ----------
    queries, keys
        float32, shapes (num_heads, query_len, head_size) and (num_heads, key_len, head_size), after rotary
        embedding if the model has one; keys that several heads share are repeated.
    scaling
        What the products are multiplied by: most often ``1 / sqrt(head_size)``.
    bias
        float32, shape (1 or num_heads, query_len, key_len): what is added to the scaled products, the
        additive attention mask and a relative position bias; None if all zero.
    """

    queries: Floats = field(repr=False)
    keys: Floats = field(repr=False)
    scaling: float
    bias: Floats | None = field(repr=False)


@dataclass(frozen=True, eq=False)
class Maps:
    """One kind of attention.

    Attributes
    ----------
    attentions
        float32, one per layer, shape (num_heads, query_len, key_len): the weights after the softmax.
    query_tokens, key_tokens
        The two axes; the same object where a text attends to itself.
    scores
        One per layer; None for plain arrays, and where the formula does not give the weights.
    """

    attentions: tuple[Floats, ...] = field(repr=False)
    query_tokens: Tokens
    key_tokens: Tokens
    scores: tuple[Scores, ...] | None = field(default=None, repr=False)

    @cached_property
    def row_error(self) -> float:
        """By how much the sum of a row misses 1, at most: rounded arrays have such rows."""
        return max(float(np.abs(layer.sum(axis=-1, dtype=np.float64) - 1).max()) for layer in self.attentions)

    @property
    def num_layers(self) -> int:
        """Number of layers."""
        return len(self.attentions)

    @property
    def num_heads(self) -> int:
        """Number of heads of a layer."""
        return int(self.attentions[0].shape[0])


@dataclass(frozen=True, eq=False, repr=False)
class Pass:
    """What one forward pass gave.

    Attributes
    ----------
    kinds
        The maps by kind: ``{"self": …}``, or for a model with an encoder and a decoder ``{"encoder": …,
        "decoder": …, "cross": …}``, or ``{"cross": …}`` for arrays with key tokens of their own. The first is
        the default kind.
    model_name
        The class of the model, as ``"BertForPreTraining"``; ``""`` for plain arrays.
    logits
        float32, shape (seq_len, vocab_size): what the language-model head gives at every position (of the
        decoder where there are both); None without such a head.
    """

    kinds: dict[str, Maps]
    model_name: str = ""
    logits: Floats | None = field(default=None, repr=False)

    @property
    def _first(self) -> Maps:
        return next(iter(self.kinds.values()))

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the first kind's queries: ``seq_len`` strings."""
        return self._first.query_tokens.tokens

    @property
    def predicts(self) -> bool:
        """Whether the model has a masked or causal language-model head."""
        return self.logits is not None

    @property
    def predicted_tokens(self) -> Tokens:
        """The tokens that the positions of the predictions count: the decoder's where there are both."""
        return self.kinds.get("decoder", self._first).query_tokens

    @cached_property
    def is_causal(self) -> bool:
        """Whether no token that predicts attends to a later one.

        Then the prediction at a position is made from the vector at the token before it.
        """
        maps = self.kinds.get("decoder", self._first)
        return all(not np.triu(weights, 1).any() for weights in maps.attentions)

    def log_probabilities(self, position: int) -> npt.NDArray[np.float64]:
        """Return ``ln p`` of every token of the vocabulary at a position: float64, shape (vocab_size,).

        A masked-language model predicts a position from the vector at that position. A causal model
        (`is_causal`; every decoder) predicts it from the vector one before; there position 0 has no
        prediction, and position ``seq_len`` is the token that follows.

        Raises
        ------
        CaptureError
            If the model has no language-model head, or the position is outside.
        """
        if self.logits is None:
            raise CaptureError(f"{self.model_name or 'plain arrays'}: {_NO_HEAD}")
        last = len(self.predicted_tokens) - 1 + self.is_causal
        if not is_count(position) or not 0 <= position <= last:
            raise CaptureError(
                f"position={position!r}: there are {len(self.predicted_tokens)} tokens, "
                f"predicted are {int(self.is_causal)} to {last}."
            )
        if self.is_causal and position == 0:
            raise CaptureError(
                f"position=0: {self.model_name} predicts from the tokens before it: there are none."
            )
        row: npt.NDArray[np.float64] = self.logits[position - self.is_causal].astype(np.float64)
        row -= row.max()
        row -= np.log(np.exp(row).sum())
        return row
